"""Runs the SMTP listener alone, for a service of several processes."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from pbem.checks import refuse_unsafe_settings
from pbem.inbox.transports.smtp_server import open_listener
from pbem.network import AddressTaken
from pbem.parts import wait


class Command(BaseCommand):
    help = "Receive email by SMTP or LMTP, as SMTP_PROTOCOL says. Ends cleanly on SIGINT and SIGTERM."

    requires_system_checks = ()  # they would load the web; refuse_unsafe_settings has ours

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--door", metavar="HOST:PORT", help="where the door listens (SMTP_LISTEN)")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.SMTP_LISTEN = options["door"] or settings.SMTP_LISTEN
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        try:
            refuse_unsafe_settings()
            with open_listener() as parts:
                self.stdout.write(f"mail door on {settings.SMTP_LISTEN} ({settings.SMTP_PROTOCOL})")
                self.stdout.flush()
                wait(parts, stop)
        except (AddressTaken, ImproperlyConfigured) as mistake:
            raise CommandError(str(mistake)) from mistake
