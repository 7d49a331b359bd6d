"""Lists, shows, reopens or drops shunted letters."""

import getpass
import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.admin.base.pages import page_of
from pbem.admin.letters import shunted


class Command(BaseCommand):
    help = (
        "Letters that were set aside after three attempts (S02, S03). Without a verb: list them. "
        "Exit status: 0 done, 1 no such letter (then nothing is done), 2 called wrongly."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", metavar="VERB")
        lists = verbs.add_parser("list", help="one line for each letter (also without a verb)")
        for either in (parser, lists):
            either.add_argument("--json", action="store_true", help="one JSON array, for programs")
        show = verbs.add_parser("show", help="all that is known about a letter")
        show.add_argument("number", nargs="+", metavar="IN-12")
        again = verbs.add_parser("again", help="open or send letters again, as if for the first time")
        again.add_argument("number", nargs="*", metavar="IN-12")
        again.add_argument("--all", action="store_true", help="all that are shunted")
        drop = verbs.add_parser("drop", help="leave letters as they are; they are kept, with the reason")
        drop.add_argument("number", nargs="+", metavar="IN-12")
        drop.add_argument("--why", required=True, metavar="TEXT", help="is kept with the letter")

    def handle(self, *args: Any, **options: Any) -> None:
        verb, numbers = options["verb"] or "list", options.get("number", ())
        if verb == "again" and bool(numbers) == options["all"]:
            raise CommandError("Write numbers, for instance IN-12, or --all.", returncode=2)
        try:
            letters = shunted.find(numbers) if numbers else shunted.shunted()
        except shunted.NoSuchLetter as mistake:
            raise CommandError(f"{mistake}. Nothing was done; `shunted list` shows the numbers.") from mistake
        match verb:
            case "list":
                self._list(letters, as_json=options["json"])
            case "show":
                self._show(letters)
            case "again":
                shunted.again(letters, now=timezone.now())
                self._done(letters, "goes back in its queue")
            case _:
                shunted.drop(letters, why=options["why"], who=getpass.getuser(), now=timezone.now())
                self._done(letters, "is dropped, and kept")

    def _list(self, letters: list[shunted.Letter], *, as_json: bool) -> None:
        known = [shunted.facts(letter) for letter in letters]
        if as_json:
            self.stdout.write(json.dumps(known, indent=2))
            return
        if not known:
            self.stdout.write("No letter is shunted.")
        for fact in known:
            who = f"{fact['from']} -> {fact['to']}" if fact["from"] else f"-> {fact['to']} ({fact['kind']})"
            what = f"{fact['code']} {fact['name']}, {fact['attempts']} attempts"
            self.stdout.write(f"{fact['number']:8} {fact['since']}  {who}  {what}: {fact['trouble']}")

    def _show(self, letters: list[shunted.Letter]) -> None:
        for letter in letters:
            for name, fact in shunted.facts(letter).items():
                self.stdout.write(f"{name + ':':10}{'-' if fact in (None, '') else fact}")
            self.stdout.write(f"{'admin:':10}{settings.SITE_URL}{page_of(letter)}\n")

    def _done(self, letters: list[shunted.Letter], what: str) -> None:
        for letter in letters:
            self.stdout.write(f"{shunted.number(letter)} {what}.")
        if not letters:
            self.stdout.write("No letter is shunted.")
