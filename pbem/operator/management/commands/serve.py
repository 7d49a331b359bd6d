"""Runs the whole service in one process."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from pbem.checks import refuse_unsafe_settings
from pbem.embedded import running
from pbem.network import Account, AddressTaken
from pbem.parts import wait


class Command(BaseCommand):
    help = "Run web, mail door, worker and beat in one process. Ends cleanly on SIGINT and SIGTERM."

    requires_system_checks = ()  # they would load the desk; refuse_unsafe_settings has ours

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--door", metavar="HOST:PORT", help="where the mail door listens (SMTP_LISTEN)")
        parser.add_argument("--web", metavar="HOST:PORT", help="where the web listens (WEB_LISTEN)")
        parser.add_argument(
            "--threads",
            type=int,
            help="threads that open letters, and that send them: as many of each (default 2; on SQLite 1 and 2)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        settings.SMTP_LISTEN = options["door"] or settings.SMTP_LISTEN
        if settings.DEVELOPMENT and f"http://{settings.WEB_LISTEN}" == settings.SITE_URL:
            settings.SITE_URL = f"http://{options['web'] or settings.WEB_LISTEN}"
        settings.WEB_LISTEN = options["web"] or settings.WEB_LISTEN
        refuse_unsafe_settings(one_process=True)
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        try:
            with running(worker_threads=options["threads"]) as parts:
                self.stdout.write(f"mail door on {settings.SMTP_LISTEN} ({settings.SMTP_PROTOCOL})")
                self.stdout.write(f"web on http://{settings.WEB_LISTEN}/")
                if settings.IMAP_URL:
                    self.stdout.write(f"mailbox of {Account.parse(settings.IMAP_URL)}")
                self.stdout.flush()
                wait(parts, stop)
        except AddressTaken as taken:
            raise CommandError(str(taken)) from taken
        except DatabaseError as trouble:
            raise CommandError(
                f"The database cannot be used: {trouble}. Is DATABASE_URL right, and was manage.py migrate run?"
            ) from trouble
