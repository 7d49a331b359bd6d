"""Writes the bulletin of a tournament as an archive: pages to print, diagrams, tables and scores."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.bulletin.archive import archive
from pbem.bulletin.issue import issue_of, next_bulletin, next_puzzle
from pbem.bulletin.models import Bulletin
from pbem.matches.models import Tournament


class Command(BaseCommand):
    help = (
        "Write bulletin.zip: results since the last issue, the table, chosen positions, scores. "
        "The next issue begins where this one ends, unless it is a draft."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="EVENT", help="a tournament, by its name or number")
        parser.add_argument("--language", choices=[code for code, _ in settings.LANGUAGES])
        parser.add_argument("--words", type=Path, metavar="FILE", help="yours, in Markdown")
        parser.add_argument("--output", type=Path, default=Path("bulletin.zip"), metavar="FILE")
        parser.add_argument(
            "--puzzle",
            action="store_true",
            help="with the newest not in an issue; its solution at the end",
        )
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--draft", action="store_true", help="to look at: the next one begins where this does"
        )
        which.add_argument("--number", type=int, help="an earlier one, again")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = _found(options["event"])
        if options["number"]:
            bulletin = self._again(tournament, options)
        else:
            bulletin = next_bulletin(
                tournament,
                language=options["language"] or settings.LANGUAGE_CODE,
                words=_read(options["words"]) if options["words"] else "",
                now=timezone.now(),
            )
        if options["puzzle"]:
            bulletin.puzzle = next_puzzle(bulletin)
            if bulletin.puzzle is None:
                raise CommandError("There is no new puzzle. Analyses of matches make some.")
        issue = issue_of(bulletin)
        options["output"].write_bytes(archive(issue))
        if not options["draft"] and not options["number"]:
            bulletin.save()
        self.stdout.write(
            f"{options['output']}: bulletin {issue.number} of {issue.event}, {len(issue.results)} results, "
            f"{len(issue.comments)} with comments; {issue.private} private matches left out."
        )

    def _again(self, tournament: Tournament, options: dict[str, Any]) -> Bulletin:
        if options["words"] or options["puzzle"]:
            raise CommandError("An earlier issue has its words and its puzzle.", returncode=2)
        bulletin = tournament.bulletins.filter(number=options["number"]).first()
        if bulletin is None:
            raise CommandError(f"{tournament} has no bulletin {options['number']}.")
        bulletin.language = options["language"] or bulletin.language
        return bulletin


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, ValueError) as why:
        raise CommandError(f"{file} cannot be read: {why}") from why


def _found(event: str) -> Tournament:
    named = Tournament.objects.filter(name=event).first()
    numbered = Tournament.objects.filter(pk=event).first() if event.isdecimal() and len(event) < 10 else None
    if found := named or numbered:
        return found
    known = ", ".join(f"{row.pk} {row.name}" for row in Tournament.objects.all()[:20]) or "none"
    raise CommandError(f"There is no tournament {event!r}. There are: {known}.")
