"""Fetches the letters of an IMAP mailbox, for a service without a mail server of its own."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from pbem.checks import refuse_unsafe_settings
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.inbox.transports.imap import TROUBLE, look_once, signed_in, watch
from pbem.matches.models import Component
from pbem.network import Account


class Command(BaseCommand):
    help = (
        "Fetch emails from the mailbox of IMAP_URL as they come (IDLE, else every IMAP_SECONDS), and "
        "move each to a folder there. Ends cleanly on SIGINT and SIGTERM."
    )

    requires_system_checks = ()  # they would load the web; refuse_unsafe_settings has ours

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="take what is there now, and exit")

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        if not settings.IMAP_URL:
            raise CommandError("IMAP_URL is not set. Write imaps://USER:PASSWORD@HOST/INBOX.")
        try:
            refuse_unsafe_settings(one_process=options["once"])
        except ImproperlyConfigured as mistake:
            raise CommandError(str(mistake)) from mistake
        account = Account.parse(settings.IMAP_URL)
        if options["once"]:
            self._once(account, stop)
        else:
            self.stdout.write(f"mailbox of {account}")
            self.stdout.flush()
            watch(account, stop)

    def _once(self, account: Account, stop: threading.Event) -> None:
        try:
            with signed_in(account) as mailbox:
                left = look_once(mailbox, account, HeartbeatThread(Component.MAILBOX), stop)
        except (*TROUBLE, DatabaseError) as trouble:
            raise CommandError(f"The mailbox of {account} cannot be emptied: {trouble}") from trouble
        if left:
            raise CommandError(f"{left} emails were left in the mailbox; the log says why.")
