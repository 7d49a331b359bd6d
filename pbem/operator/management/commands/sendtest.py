"""Sends one letter like all others: prints the relay's response, and waits for it at our mail door."""

import time
from argparse import ArgumentParser
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime, make_msgid
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.outbox.delivery.backends import sender_for
from pbem.outbox.delivery.smtp import DeliveryError

TEXT = """\
This is a test of PBeM at {site}, sent by its operator: pbem sendtest.

If you can read it, mail goes out. Look at its headers: dkim=pass, spf=pass and dmarc=pass
should be there.
"""


class Command(BaseCommand):
    help = (
        "Send a test to ADDRESS and print what the relay says. Without ADDRESS it goes to our own play@, and is "
        "awaited at the door: the whole round by DNS, relay and mail server. Exit status: 0 it arrived, 1 it did "
        "not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", nargs="?", default="")
        parser.add_argument("--seconds", type=float, default=60, help="to wait for the round (default 60)")

    def handle(self, *args: Any, **options: Any) -> None:
        ours = f"play@{settings.MAIL_DOMAIN}"
        to, begun = options["address"] or ours, timezone.now()
        letter = _letter(ours, to)
        try:
            said = sender_for(settings.EMAIL_URL).send("", to, letter.as_bytes(policy=SMTP))
        except DeliveryError as trouble:
            raise CommandError(f"{to}: {trouble.reply}. `pbem doctor` knows more.") from trouble
        self.stdout.write(f"{to}: {said}")
        if not options["address"]:
            self._await(str(letter["Message-ID"]).encode(), begun, options["seconds"])

    def _await(self, name: bytes, begun: Any, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for row in InboundMail.objects.filter(received_at__gte=begun):
                if name in bytes(row.raw):
                    self.stdout.write(
                        f"It came back after {(row.received_at - begun).total_seconds():.0f} s."
                    )
                    return
            time.sleep(0.5)
        raise CommandError(
            f"It left, but did not arrive within {seconds:.0f} s. Look at MX record and mail server."
        )


def _letter(sender: str, to: str) -> EmailMessage:
    letter = EmailMessage()
    letter["From"], letter["To"] = f"PBeM <{sender}>", to
    letter["Subject"], letter["Date"] = "A test of PBeM", localtime()
    letter["Message-ID"] = make_msgid(domain=settings.MAIL_DOMAIN)
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(TEXT.format(site=settings.SITE_URL))
    return letter
