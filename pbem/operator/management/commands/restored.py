"""Begins a new epoch after the database was restored by other means than `manage.py restore`."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.outbox.after_restore import is_new, restored, up_until


class Command(BaseCommand):
    help = (
        "Record that the rows were restored from a backup, before the service starts again: answers to lost letters "
        "are asked about, clocks get the lost time, everybody who plays gets the board. Does nothing twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--since",
            metavar="MOMENT",
            type=_moment,
            help="when the backup was made, as 2026-05-04T09:00 (UTC, or with an offset); else the last sign of life",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now, since = timezone.now(), options["since"]
        if since and since > now:
            raise CommandError("That moment is still to come.")
        if not is_new(now, since):
            self.stdout.write(
                f"Nothing to do: these rows lived until {up_until(now) or 'never'}, and nothing says that they were "
                "restored since. If they were, say --since MOMENT."
            )
            return
        epoch = restored(now=now, since=since)
        self.stdout.write(
            f"Epoch {epoch.number}, since {epoch.since}. Start the service again, all of its processes."
        )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
