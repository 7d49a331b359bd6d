"""Django's own mail, such as what is written to the staff, by the way of our letters (EMAIL_BACKEND)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from pbem.outbox.delivery.failures import NotTaken
from pbem.outbox.delivery.sender import sender_for
from pbem.outbox.delivery.smtp import SmtpSender

PATIENCE = 20.0  # seconds: somebody waits for the page
_LINE_END = re.compile(rb"\r?\n")
NOBODY = ""  # the envelope sender: nobody reads what comes back of these


class Backend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """How many were taken. Raises a NotTaken unless it is to fail silently."""
        taken = 0
        for message in email_messages:
            try:
                self._send(message)
            except NotTaken:
                if not self.fail_silently:
                    raise
                continue
            taken += 1
        return taken

    @staticmethod
    def _send(message: EmailMessage) -> None:
        sender = sender_for(settings.EMAIL_URL)
        if isinstance(sender, SmtpSender):
            sender.patience = PATIENCE
        try:
            message.extra_headers.setdefault("Auto-Submitted", "auto-generated")
            raw = _LINE_END.sub(b"\r\n", message.message().as_bytes())
            for recipient in message.recipients():
                sender.send(NOBODY, recipient, raw)
        finally:
            if isinstance(sender, SmtpSender):
                sender.close()
