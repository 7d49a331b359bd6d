"""Writes the player's guide as Markdown, with its boards as pictures."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.protocol import LANGUAGES, Notation
from pbem.outbox.rendering.rules_page import Part, guide_page

ADDRESS = "play@example.org"


class Command(BaseCommand):
    help = "Write the player's guide, which HELP GUIDE mails, into docs/ with its pictures."

    def handle(self, *args: Any, **options: Any) -> None:
        folder = settings.ROOT / "docs"
        folder.mkdir(exist_ok=True)
        for language in LANGUAGES:
            page = guide_page(Notation(language), ADDRESS)
            folder.joinpath(f"player.{language}.md").write_text(as_markdown(page, language), "utf-8")
            for part in page:
                if part.picture:
                    folder.joinpath(_name(part, language)).write_bytes(part.picture)


def as_markdown(page: list[Part], language: str) -> str:
    """Returns the guide with links to the pictures of its boards."""
    return "".join(
        f"![{part.words}]({_name(part, language)})\n" if part.picture else part.markdown for part in page
    )


def _name(part: Part, language: str) -> str:
    return f"{part.name.replace('guide', 'player')}.{language}.png"
