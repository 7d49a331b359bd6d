"""The player's guide: what it tells players to write is understood, and comes by mail with its boards."""

import re

import pytest
from django.conf import settings

from games.protocol import LANGUAGES, Notation
from games.registry import find
from pbem.inbox.commands.line_parser import read_line
from pbem.operator.management.commands.write_guide import ADDRESS, as_markdown
from pbem.outbox.rendering.rules_page import guide, guide_page
from tests.mail_fixtures import Correspondent

_MOVES = re.compile(r"^([a-z0-9-]{5}|(?:Hello|Hi|Ciao) .*)$")  # and the line of talk below it


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_that_the_guide_shows_is_understood(language: str) -> None:
    page = guide(language, ADDRESS)
    shown = [line.strip() for line in page.splitlines() if line.startswith("    ")]
    assert len(shown) > 40
    strange = [line for line in shown if not _MOVES.match(line) and read_line(line, lambda *_: True) is None]
    assert strange == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_moves_of_the_guide_can_be_played(language: str) -> None:
    """The answer, what is tried and what is planned, after the moves on the board that it shows."""
    game, rules = find("loa")
    position = game.start(rules, "")
    for text in ("b8-b6", "h2-f2", "d8-d6", "a4-c4", "e8-e6"):
        move = game.read(position, text, Notation(language))
        assert position.objection(move) is None
        position = position.play(move)


def test_the_guide_fits_a_letter_and_says_the_address() -> None:
    for language in LANGUAGES:
        page = guide(language, "play@pbem.example")
        assert "play@pbem.example" in page
        assert max(map(len, page.splitlines())) <= 72


def test_the_guide_comes_by_mail_in_the_readers_language(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("HELP GUIDE").verdict == "ok"
    assert alice.letter.subject == "The player's guide"
    assert "## Find an opponent" in alice.letter.text or "FIND AN OPPONENT" in alice.letter.text
    assert bruno.writes("Aiuto guida").verdict == "ok"
    assert bruno.letter.subject == "La guida del giocatore"
    names = [part.get_filename() for part in bruno.letter.message.walk() if part.get_filename()]
    assert names == ["guide-1.png", "guide-3.png"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_in_the_source_tree_is_the_one_that_is_mailed(language: str) -> None:
    """`python manage.py write_guide` writes it."""
    page = guide_page(Notation(language), ADDRESS)
    written = settings.ROOT / "docs" / f"player.{language}.md"
    assert written.read_text("utf-8") == as_markdown(page, language)
    pictures = re.findall(r"\]\((\S+\.png)\)", written.read_text("utf-8"))
    assert len(pictures) == 2
    assert all(written.with_name(name).is_file() for name in pictures)
