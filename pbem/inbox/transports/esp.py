"""How each mail provider speaks to us by webhook: what proves that it is theirs, and where a letter's octets lie.

Only the letter as it came is taken ("raw", "full MIME"), which every provider here can be told to send: a letter put
together again from its parts is not the one that was signed (DKIM), and is another one at each attempt.
"""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from urllib.parse import parse_qsl

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.base import AnymailBaseWebhookView
from anymail.webhooks.mailersend import MailerSendInboundWebhookView
from anymail.webhooks.mailgun import MailgunInboundWebhookView
from anymail.webhooks.postmark import PostmarkInboundWebhookView
from django.conf import settings
from django.http import HttpRequest

from pbem.inbox.transports import esp_events
from pbem.inbox.transports.esp_events import Told

MOST_FIELDS = 1_000
# A signature covers no letter: anyone who saw one must not use it for ever. Mailgun itself tries for eight hours.
SIGNATURE_LASTS = 12 * 3600  # seconds


class NotRaw(ValueError):
    """The provider was not told to send whole letters. It is asked to try again: the operator can mend that."""


@dataclass(frozen=True)
class Brought:
    """A letter and its envelope."""

    raw: bytes
    sender: str
    recipients: tuple[str, ...]


@dataclass(frozen=True)
class Provider:
    """`proof` are the settings of which one must be there; `refused` ends the attempts of this provider.

    `read` finds the letters that it brings, `told` what it says of letters that it took from us, where we listen.
    """

    name: str
    proof: tuple[str, ...]
    validate: Callable[[HttpRequest], None]
    read: Callable[[HttpRequest], Iterable[Brought]]
    told: Callable[[bytes], Iterable[Told]] | None
    refused: int

    @property
    def is_open(self) -> bool:
        """Whether the operator has set what a letter can be proved with."""
        return any(settings.ANYMAIL.get(name) for name in self.proof)


class _BasicAuth(AnymailBaseWebhookView):  # type: ignore[misc]
    esp_name = "SendGrid"  # whose own view in anymail is about to go; the check is the same for all
    warn_if_no_basic_auth = False


def _by_password(request: HttpRequest) -> None:
    _BasicAuth().run_validators(request)


def _by_postmark(request: HttpRequest) -> None:
    PostmarkInboundWebhookView().run_validators(request)


def _by_mailersend(request: HttpRequest) -> None:
    MailerSendInboundWebhookView().run_validators(request)


def _by_mailgun(request: HttpRequest) -> None:
    """HMAC of time and a random text. Before that the password, if there is one: it costs nothing."""
    _by_password(request)
    signed = _signed(request)
    if not str(signed.get("signature", "")).isascii():
        raise AnymailWebhookValidationFailure("a signature that is not ASCII")
    MailgunInboundWebhookView().run_validators(request)
    signed_at = str(signed["timestamp"])
    if not (signed_at.isdecimal() and abs(time.time() - int(signed_at)) < SIGNATURE_LASTS):
        raise AnymailWebhookValidationFailure(f"a signature of the time {signed_at!r}")


def _signed(request: HttpRequest) -> Mapping[str, object]:
    """A letter comes as a form; what is told of one, as JSON."""
    if request.content_type == "application/json":
        return dict(json.loads(request.body)["signature"])
    _keep_octets(request)
    return request.POST


def _mailgun(request: HttpRequest) -> Iterable[Brought]:
    fields = _fields(request)
    to = _addresses([fields.get("recipient", "")])
    yield Brought(_raw(fields, "body-mime"), fields.get("sender", ""), to)


def _sendgrid(request: HttpRequest) -> Iterable[Brought]:
    fields = _fields(request)
    envelope = json.loads(fields.get("envelope", "{}").encode("latin-1"))
    to = _addresses(envelope.get("to", []))
    yield Brought(_raw(fields, "email"), str(envelope.get("from", "")), to)


def _postmark(request: HttpRequest) -> Iterable[Brought]:
    event = json.loads(request.body)
    notes = event.get("Headers", [])
    named = (
        note["Value"] for note in notes[:1] if note["Name"].lower() == "return-path"
    )  # put first by Postmark
    yield Brought(_text(event, "RawEmail"), next(named, ""), _addresses([event.get("OriginalRecipient", "")]))


def _mailersend(request: HttpRequest) -> Iterable[Brought]:
    event = json.loads(request.body)["data"]
    to = _addresses(recipient["email"] for recipient in event["recipients"]["rcptTo"])
    yield Brought(_text(event, "raw"), str(event.get("sender", {}).get("email", "")), to)


def _sparkpost(request: HttpRequest) -> Iterable[Brought]:
    """Several letters in one request; an empty one is a question whether anybody is there."""
    for event in json.loads(request.body):
        if event.get("msys"):
            event = event["msys"]["relay_message"]
            content = event["content"]
            raw = _text(content, "email_rfc822")
            raw = b64decode(raw, validate=True) if content.get("email_rfc822_is_base64") else raw
            yield Brought(raw, str(event.get("msg_from", "")), _addresses([event.get("rcpt_to", "")]))


PROVIDERS = {
    provider.name: provider
    for provider in (
        # What ends the attempts: 406 for Mailgun, 403 for Postmark, any 4xx for SendGrid, and for the
        # others nothing but a yes. 503 brings them again: for 8, 10 and 72 hours the first three.
        Provider("mailgun", ("MAILGUN_WEBHOOK_SIGNING_KEY",), _by_mailgun, _mailgun, esp_events.mailgun, 406),
        Provider("postmark", ("WEBHOOK_SECRET",), _by_postmark, _postmark, esp_events.postmark, 403),
        Provider("sendgrid", ("WEBHOOK_SECRET",), _by_password, _sendgrid, esp_events.sendgrid, 406),
        Provider("sparkpost", ("WEBHOOK_SECRET",), _by_password, _sparkpost, None, 200),
        Provider("mailersend", ("MAILERSEND_INBOUND_SECRET",), _by_mailersend, _mailersend, None, 200),
    )
}


def _keep_octets(request: HttpRequest) -> bool:
    """Latin-1 gives one character for each octet of a form; whether Django reads this kind of form so."""
    if request.content_type == "application/x-www-form-urlencoded":
        return False
    if request.encoding != "latin-1":  # to say it again would lose what was read
        request.encoding = "latin-1"
    return True


def _fields(request: HttpRequest) -> Mapping[str, str]:
    """The fields of a form, one character for each octet."""
    if _keep_octets(request):
        return {name: str(request.POST[name]) for name in request.POST}
    form = request.body.decode("latin-1")
    return dict(parse_qsl(form, keep_blank_values=True, encoding="latin-1", max_num_fields=MOST_FIELDS))


def _raw(fields: Mapping[str, str], name: str) -> bytes:
    if name not in fields:
        raise NotRaw(name)
    return fields[name].encode("latin-1")


def _text(event: Mapping[str, object], name: str) -> bytes:
    """Of JSON, where a letter is text."""
    if not event.get(name):
        raise NotRaw(name)
    text = event[name]
    if not isinstance(text, str):
        raise TypeError(f"{name} is {type(text).__name__}")
    return text.encode("utf-8", "surrogatepass")


def _addresses(told: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parseaddr(str(address))[1] or str(address) for address in told))
