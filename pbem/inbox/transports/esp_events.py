"""Converts delivery events of mail providers into the bounce reports that mail servers send."""

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

MOST = 5_000  # events in one request; SendGrid batches a thousand
SAID = 500  # characters
NAMED = "letter"  # the metadata key under which the provider returns our name of the letter

# The action of RFC 3464, or the Feedback-Type of RFC 5965. Other events (opened, clicked, delayed) are not
# kept.
ACTIONS: Mapping[str, str] = {
    EventType.BOUNCED: "failed",
    EventType.REJECTED: "failed",  # the provider does not try
    EventType.FAILED: "failed",
    EventType.DELIVERED: "delivered",
}
FEEDBACK: Mapping[str, str] = {
    EventType.COMPLAINED: "abuse",
    EventType.UNSUBSCRIBED: "opt-out",  # the provider suppresses further letters
}
# The RFC 3463 status of a reason that quotes no mail server.
STATUS: Mapping[str | None, str] = {
    RejectReason.INVALID: "5.1.3",
    RejectReason.BOUNCED: "5.1.1",  # it bounced before
    RejectReason.TIMED_OUT: "4.4.7",
    RejectReason.BLOCKED: "5.7.1",
    # The provider's suppression list, which only the operator can clear.
    RejectReason.SPAM: "5.7.1",
    RejectReason.UNSUBSCRIBED: "5.7.1",
    RejectReason.OTHER: "5.7.1",
    "SoftBounce": "4.2.0",  # Postmark's, which anymail reports as a bounce
    "blocked": "4.7.1",  # SendGrid's temporary refusal
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
class TrackingEvent:
    """One event: `happened` is anymail's event type, `letter` our Message-ID, `at` the provider's timestamp.

    `status` is set when `said`, the diagnostic text, has no status code.
    """

    happened: str
    letter: str
    recipient: str
    at: str
    status: str
    said: str


def mailgun(body: bytes) -> Iterator[TrackingEvent]:
    """Yields the one event of a Mailgun request, with our Message-ID."""
    yield from _each([json.loads(body)], _mailgun)


def postmark(body: bytes) -> Iterator[TrackingEvent]:
    """Yields the one event of a Postmark request."""
    yield from _each([json.loads(body)], _postmark)


def sendgrid(body: bytes) -> Iterator[TrackingEvent]:
    """Yields the events of a SendGrid request, skipping unreadable ones. Raises ValueError when it is no list
    of at most MOST."""
    happened = json.loads(body)
    if not isinstance(happened, list) or len(happened) > MOST:
        raise ValueError(f"not a list of at most {MOST} events")
    yield from _each(happened, _sendgrid)


def as_report(told: TrackingEvent, provider: str) -> bytes:
    """Returns the event as a bounce report. Equal events give equal bytes, so that a report is kept once."""
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


def _fields(told: TrackingEvent, provider: str) -> tuple[str, str]:
    """Returns the media type and the fields of the machine-readable part."""
    if feedback := FEEDBACK.get(told.happened):
        fields = (f"Feedback-Type: {feedback}", f"User-Agent: {provider}", "Version: 1")
        return "message/feedback-report", "\n".join(fields)
    status = f"Status: {told.status}\n" if told.status else ""
    return "message/delivery-status", (
        f"Reporting-MTA: dns; {provider}.invalid\n\n"
        f"Final-Recipient: rfc822; {told.recipient}\nAction: {ACTIONS[told.happened]}\n"
        f"{status}Diagnostic-Code: smtp; {told.said}"
    )


def _each(happened: Iterable[Any], read: Callable[[Any], TrackingEvent]) -> Iterator[TrackingEvent]:
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
        else:  # the provider account may also send other mail
            log.warning("%s tells of a letter that is not named as ours: %.100r", told.happened, told.letter)


_OURS = re.compile(r"<[\w.-]{1,100}@[\w.-]{1,250}>", re.ASCII)


def _mailgun(event: dict[str, Any]) -> TrackingEvent:
    read = MailgunTrackingWebhookView().esp_to_anymail_event(event)
    delivery = event["event-data"].get("delivery-status") or {}
    code = delivery.get("code")  # Mailgun's own codes start at 600
    said = read.mta_response or read.description
    if said and isinstance(code, int) and 400 <= code < 600:
        said = f"{code} {said}"
    return _told(read, str(read.message_id or ""), read.reject_reason, said)


def _postmark(event: dict[str, Any]) -> TrackingEvent:
    """Reads an event by the name in its metadata, as Postmark does not return our Message-ID."""
    read = PostmarkTrackingWebhookView().esp_to_anymail_event(event)
    soft = event.get("Type") == "SoftBounce"
    said = str(read.mta_response or read.description or "").removeprefix("smtp;")
    reason = "SoftBounce" if soft else read.reject_reason
    return _told(read, _named(event.get("Metadata") or {}), reason, said)


def _sendgrid(event: dict[str, Any]) -> TrackingEvent:
    """Reads an event without anymail's parser, which is deprecated."""
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


def _told(event: AnymailTrackingEvent, letter: str, reason: str | None, said: object) -> TrackingEvent:
    words = _one_line(said)
    failed = ACTIONS.get(event.event_type) == "failed"
    status = STATUS.get(reason, "") if failed and not _CODE.search(words) else ""
    recipient = _one_line(event.recipient)[:254]
    return TrackingEvent(event.event_type, letter, recipient, _one_line(event.timestamp), status, words)


def _one_line(text: object) -> str:
    return " ".join(str("" if text is None else text).split())[:SAID]
