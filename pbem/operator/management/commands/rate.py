"""Compares the stored ratings with those computed from the rated matches, or replaces them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pbem.ratings.service import differences, games_rated, rebuild


class Command(BaseCommand):
    help = (
        "Compute ratings from all rated matches, from the first on. Exit status: 0 they are what is kept (or are "
        "now), 1 they are not, 2 called wrongly."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--check", action="store_true", help="say what differs; nothing is changed")
        what.add_argument("--rebuild", action="store_true", help="write what follows from the matches")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rebuild"]:
            for game in games_rated():
                self.stdout.write(f"{game}: {rebuild(game)} matches differed.")
            return
        found = [f"{game}: {what}" for game in games_rated() for what in differences(game)]
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} rows do not follow from the matches: rate --rebuild.")
        self.stdout.write("Every rating follows from the rated matches.")
