"""The relay: whether it greets us, encrypts, takes the password, and would take a letter. None is sent."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from pbem.operator.problem import Problem
from pbem.outbox.delivery.failures import NotTaken, RelayAway
from pbem.outbox.delivery.sender import sender_for
from pbem.outbox.delivery.smtp import SmtpSender

PATIENCE = 15.0  # seconds for all of it


def problems() -> Iterator[Problem]:
    try:
        sender = sender_for(settings.EMAIL_URL)
    except (ValueError, OSError):
        return  # named by the checks of the settings
    if not isinstance(sender, SmtpSender):
        return
    sender.patience = PATIENCE
    where = f"the relay {sender.host}:{sender.port}"
    to = settings.ORGANISER_EMAIL or f"postmaster@{settings.MAIL_DOMAIN}"
    try:
        sender.would_take(f"play@{settings.MAIL_DOMAIN}", to)
    except RelayAway as away:
        yield Problem(
            "EMAIL_URL",
            f"{where} cannot be reached: {away.reply}.",
            "Is it running, are host and port right?",
        )
    except NotTaken as refusal:
        yield Problem(
            "EMAIL_URL", f"{where} does not take our letters: {refusal.reply}.", _hint(refusal.reply)
        )


def _hint(reply: str) -> str:
    for words, hint in HINTS:
        if any(word in reply for word in words):
            return hint
    return "Its administrator knows what this answer means."


HINTS = (
    (
        ("CERTIFICATE", "Certificate"),
        "Write the name that its certificate has, or name the certificate in EMAIL_CERTIFICATES.",
    ),
    (("STARTTLS",), "Write smtps:// (port 465), or smtp:// if it is on this machine."),
    (("AUTH", "530", "534", "535", "538"), "Are USER and PASSWORD right, with %40 for @ and %2F for /?"),
    (
        ("elay", "550", "553", "554"),
        "Let it send mail of MAIL_DOMAIN from this machine, or with USER:PASSWORD.",
    ),
)
