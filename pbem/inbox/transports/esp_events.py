"""What mail providers tell of letters that they took from us, written down as the reports that mail servers send.

So there is one way of a bounce, no matter who brings it: it is kept, opened, and counted against its letter. A provider
puts its own return address on our letters: where one relays for us, no bounce comes by mail.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason
from anymail.webhooks.mailgun import MailgunTrackingWebhookView
from anymail.webhooks.postmark import PostmarkTrackingWebhookView
from django.conf import settings

log = logging.getLogger(__name__)

MOST = 5_000  # in one request; SendGrid gathers a thousand
SAID = 500  # characters
NAMED = "letter"  # what we ask providers to tell us with each event: our name of the letter

# The action of RFC 3464, or the Feedback-Type of RFC 5965. What else happens (opened, clicked, delayed) is not kept.
ACTIONS: Mapping[str, str] = {
    EventType.BOUNCED: "failed",
    EventType.REJECTED: "failed",  # it does not even try
    EventType.FAILED: "failed",
    EventType.DELIVERED: "delivered",
}
FEEDBACK: Mapping[str, str] = {
    EventType.COMPLAINED: "abuse",
    EventType.UNSUBSCRIBED: "opt-out",  # it lets no letter of ours through any more
}
# What a provider means that quotes no server, as RFC 3463 has it.
STATUS: Mapping[str | None, str] = {
    RejectReason.INVALID: "5.1.3",
    RejectReason.BOUNCED: "5.1.1",  # so it did before
    RejectReason.TIMED_OUT: "4.4.7",
    RejectReason.BLOCKED: "5.7.1",
    # On a list of those to whom it sends nothing, which only the operator can have cleaned.
    RejectReason.SPAM: "5.7.1",
    RejectReason.UNSUBSCRIBED: "5.7.1",
    RejectReason.OTHER: "5.7.1",
    "SoftBounce": "4.2.0",  # Postmark's, which anymail calls a bounce like the hard ones
    "blocked": "4.7.1",  # SendGrid's: refused for now
}
SENDGRID: Mapping[str, str] = {
    "bounce": EventType.BOUNCED,
    "dropped": EventType.REJECTED,
    "delivered": EventType.DELIVERED,
    "spamreport": EventType.COMPLAINED,
    "unsubscribe": EventType.UNSUBSCRIBED,
    "group_unsubscribe": EventType.UNSUBSCRIBED,
}
SENDGRID_REASONS: Mapping[str, str] = {
    "invalid": RejectReason.INVALID,
    "bounced address": RejectReason.BOUNCED,
    "bounce": RejectReason.BOUNCED,
    "blocked": "blocked",
    "expired": RejectReason.TIMED_OUT,
}

_CODE = re.compile(r"(?<![\d.])[245](\d\d|\.\d{1,3}\.\d{1,3})(?![\d.]*\d)")


@dataclass(frozen=True)
class Told:
    """One event of one letter: `happened` is anymail's name for it, `letter` our Message-ID, `at` the time as told.

    `status` is for where `said`, the words of the server or of the provider, has no code.
    """

    happened: str
    letter: str
    recipient: str
    at: str
    status: str
    said: str


def mailgun(body: bytes) -> Iterator[Told]:
    """One event. Its Message-ID is that of our letter."""
    yield from _each([json.loads(body)], _mailgun)


def postmark(body: bytes) -> Iterator[Told]:
    """One event."""
    yield from _each([json.loads(body)], _postmark)


def sendgrid(body: bytes) -> Iterator[Told]:
    """Many events. One that nobody can read does not keep us from the others."""
    happened = json.loads(body)
    if not isinstance(happened, list) or len(happened) > MOST:
        raise ValueError(f"not a list of at most {MOST} events")
    yield from _each(happened, _sendgrid)


def as_report(told: Told, provider: str) -> bytes:
    """The same event gives the same octets, so that it is kept once."""
    facts = "\0".join((provider, told.happened, told.letter, told.recipient, told.at))
    name = sha256(facts.encode("utf-8", "replace")).hexdigest()[:32]
    kind, fields = _fields(told, provider)
    return f"""\
From: Mail Delivery System <mailer-daemon@{provider}.invalid>
Subject: {told.happened}: {told.recipient}
Message-ID: <{name}@{provider}.invalid>
Auto-Submitted: auto-generated
MIME-Version: 1.0
Content-Type: multipart/report; report-type={kind.partition("/")[2]}; boundary="{name}"

--{name}
Content-Type: text/plain; charset=utf-8

{provider} tells: {told.happened} {told.at}
{told.recipient} {told.said}

--{name}
Content-Type: {kind}

{fields}

--{name}
Content-Type: text/rfc822-headers

Message-ID: {told.letter}

--{name}--
""".encode("utf-8", "replace")


def _fields(told: Told, provider: str) -> tuple[str, str]:
    """The machine's part of the report, and its kind."""
    if feedback := FEEDBACK.get(told.happened):
        fields = (f"Feedback-Type: {feedback}", f"User-Agent: {provider}", "Version: 1")
        return "message/feedback-report", "\n".join(fields)
    status = f"Status: {told.status}\n" if told.status else ""
    return "message/delivery-status", (
        f"Reporting-MTA: dns; {provider}.invalid\n\n"
        f"Final-Recipient: rfc822; {told.recipient}\nAction: {ACTIONS[told.happened]}\n"
        f"{status}Diagnostic-Code: smtp; {told.said}"
    )


def _each(happened: Iterable[Any], read: Callable[[Any], Told]) -> Iterator[Told]:
    for event in happened:
        try:
            told = read(event)
        except (ValueError, LookupError, TypeError, AttributeError) as mistake:
            log.error("an event that nobody can read: %r: %.500r", mistake, event)
            continue
        if told.happened not in ACTIONS and told.happened not in FEEDBACK:
            continue
        if _OURS.fullmatch(told.letter) and told.letter.endswith(f"@{settings.MAIL_DOMAIN}>"):
            yield told
        else:  # others may send through the same account
            log.warning("%s tells of a letter that is not named as ours: %.100r", told.happened, told.letter)


_OURS = re.compile(r"<[\w.-]{1,100}@[\w.-]{1,250}>", re.ASCII)


def _mailgun(event: dict[str, Any]) -> Told:
    read = MailgunTrackingWebhookView().esp_to_anymail_event(event)
    delivery = event["event-data"].get("delivery-status") or {}
    code = delivery.get("code")  # its own from 600 on
    said = read.mta_response or read.description
    if said and isinstance(code, int) and 400 <= code < 600:
        said = f"{code} {said}"
    return _told(read, str(read.message_id or ""), read.reject_reason, said)


def _postmark(event: dict[str, Any]) -> Told:
    """It keeps our Message-ID but does not tell it; it tells what we named the letter."""
    read = PostmarkTrackingWebhookView().esp_to_anymail_event(event)
    soft = event.get("Type") == "SoftBounce"
    said = str(read.mta_response or read.description or "").removeprefix("smtp;")
    reason = "SoftBounce" if soft else read.reject_reason
    return _told(read, _named(event.get("Metadata") or {}), reason, said)


def _sendgrid(event: dict[str, Any]) -> Told:
    """By hand: anymail says that its own is about to go."""
    happened = SENDGRID.get(event["event"], "")
    said = event.get("response") or event.get("reason")
    why = SENDGRID_REASONS.get(
        str(event.get("type") or event.get("reason") or "").lower(), RejectReason.OTHER
    )
    read = AnymailTrackingEvent(
        event_type=happened, timestamp=event.get("timestamp"), recipient=event.get("email")
    )
    return _told(read, _named(event) or str(event.get("smtp-id", "")), why, said)


def _named(about: Mapping[str, Any]) -> str:
    name = about.get(NAMED)
    return f"<{name}@{settings.MAIL_DOMAIN}>" if name else ""


def _told(event: AnymailTrackingEvent, letter: str, reason: str | None, said: object) -> Told:
    words = _one_line(said)
    failed = ACTIONS.get(event.event_type) == "failed"
    status = STATUS.get(reason, "") if failed and not _CODE.search(words) else ""
    recipient = _one_line(event.recipient)[:254]
    return Told(event.event_type, letter, recipient, _one_line(event.timestamp), status, words)


def _one_line(text: object) -> str:
    return " ".join(str("" if text is None else text).split())[:SAID]
