"""Webhooks of mail providers: incoming letters, and delivery events of our own."""

from __future__ import annotations

import json
import logging
import time
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from email.utils import parseaddr
from urllib.parse import parse_qsl

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.base import AnymailBaseWebhookView
from anymail.webhooks.mailersend import MailerSendInboundWebhookView
from anymail.webhooks.mailgun import MailgunInboundWebhookView
from anymail.webhooks.postmark import PostmarkInboundWebhookView
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from pbem.inbox.models import InboundMail
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports import esp_events
from pbem.inbox.transports.esp_events import TrackingEvent, as_report
from pbem.inbox.transports.store import code_of, disk_is_low, objection, store_batch, store_message
from pbem.outbox.signed_addresses import play_address
from pbem.refusals import REFUSALS, Code, Refused

# Providers. Only raw letters are accepted, since a letter rebuilt from parts fails DKIM and differs at each
# attempt.

MOST_FIELDS = 1_000
# A signature covers no letter, so a captured one must expire. Mailgun retries for eight hours.
SIGNATURE_LASTS = 12 * 3600  # seconds


class NotRaw(ValueError):
    """The provider does not send raw letters. It is asked to try again, as the operator can fix that."""


@dataclass(frozen=True)
class WebhookMessage:
    """A letter and its envelope."""

    raw: bytes
    sender: str
    recipients: tuple[str, ...]


@dataclass(frozen=True)
class Provider:
    """`proof`: the settings that open the webhook, any of them; `refused`: the status that ends the retries.

    `read` yields the letters in a request, `told` the delivery events in one; None when those are not
    supported.
    """

    name: str
    proof: tuple[str, ...]
    validate: Callable[[HttpRequest], None]
    read: Callable[[HttpRequest], Iterable[WebhookMessage]]
    told: Callable[[bytes], Iterable[TrackingEvent]] | None
    refused: int

    @property
    def is_open(self) -> bool:
        """Whether the operator has set a secret for this provider."""
        return any(settings.ANYMAIL.get(name) for name in self.proof)


class _BasicAuth(AnymailBaseWebhookView):  # type: ignore[misc]
    esp_name = "SendGrid"  # anymail's own view is deprecated; the check is the same for all
    warn_if_no_basic_auth = False


def _by_password(request: HttpRequest) -> None:
    _BasicAuth().run_validators(request)


def _by_postmark(request: HttpRequest) -> None:
    PostmarkInboundWebhookView().run_validators(request)


def _by_mailersend(request: HttpRequest) -> None:
    MailerSendInboundWebhookView().run_validators(request)


def _by_mailgun(request: HttpRequest) -> None:
    """Checks the password if one is set, then the HMAC of timestamp and token, then the timestamp."""
    _by_password(request)
    signed = _signed(request)
    if not str(signed.get("signature", "")).isascii():
        raise AnymailWebhookValidationFailure("a signature that is not ASCII")
    MailgunInboundWebhookView().run_validators(request)
    signed_at = str(signed["timestamp"])
    if not (signed_at.isdecimal() and abs(time.time() - int(signed_at)) < SIGNATURE_LASTS):
        raise AnymailWebhookValidationFailure(f"a signature of the time {signed_at!r}")


def _signed(request: HttpRequest) -> Mapping[str, object]:
    """Returns the signed fields: of a form for letters, of JSON for events."""
    if request.content_type == "application/json":
        return dict(json.loads(request.body)["signature"])
    _keep_octets(request)
    return request.POST


def _mailgun(request: HttpRequest) -> Iterable[WebhookMessage]:
    fields = _fields(request)
    to = _addresses([fields.get("recipient", "")])
    yield WebhookMessage(_raw(fields, "body-mime"), fields.get("sender", ""), to)


def _sendgrid(request: HttpRequest) -> Iterable[WebhookMessage]:
    fields = _fields(request)
    envelope = json.loads(fields.get("envelope", "{}").encode("latin-1"))
    to = _addresses(envelope.get("to", []))
    yield WebhookMessage(_raw(fields, "email"), str(envelope.get("from", "")), to)


def _postmark(request: HttpRequest) -> Iterable[WebhookMessage]:
    event = json.loads(request.body)
    notes = event.get("Headers", [])
    named = (
        note["Value"] for note in notes[:1] if note["Name"].lower() == "return-path"
    )  # first in Postmark's list
    yield WebhookMessage(
        _text(event, "RawEmail"), next(named, ""), _addresses([event.get("OriginalRecipient", "")])
    )


def _mailersend(request: HttpRequest) -> Iterable[WebhookMessage]:
    event = json.loads(request.body)["data"]
    to = _addresses(recipient["email"] for recipient in event["recipients"]["rcptTo"])
    yield WebhookMessage(_text(event, "raw"), str(event.get("sender", {}).get("email", "")), to)


def _sparkpost(request: HttpRequest) -> Iterable[WebhookMessage]:
    """Yields the letters of a request. An empty event is a check of the URL."""
    for event in json.loads(request.body):
        if event.get("msys"):
            event = event["msys"]["relay_message"]
            content = event["content"]
            raw = _text(content, "email_rfc822")
            raw = b64decode(raw, validate=True) if content.get("email_rfc822_is_base64") else raw
            yield WebhookMessage(raw, str(event.get("msg_from", "")), _addresses([event.get("rcpt_to", "")]))


PROVIDERS = {
    provider.name: provider
    for provider in (
        # The status that ends the retries: 406 for Mailgun, 403 for Postmark, any 4xx for SendGrid, only 200
        # for the others. After 503 the first three retry for 8, 10 and 72 hours.
        Provider("mailgun", ("MAILGUN_WEBHOOK_SIGNING_KEY",), _by_mailgun, _mailgun, esp_events.mailgun, 406),
        Provider("postmark", ("WEBHOOK_SECRET",), _by_postmark, _postmark, esp_events.postmark, 403),
        Provider("sendgrid", ("WEBHOOK_SECRET",), _by_password, _sendgrid, esp_events.sendgrid, 406),
        Provider("sparkpost", ("WEBHOOK_SECRET",), _by_password, _sparkpost, None, 200),
        Provider("mailersend", ("MAILERSEND_INBOUND_SECRET",), _by_mailersend, _mailersend, None, 200),
    )
}


def _keep_octets(request: HttpRequest) -> bool:
    """Decodes a form as Latin-1, one character for each byte. False for a urlencoded form, which Django does
    not decode so."""
    if request.content_type == "application/x-www-form-urlencoded":
        return False
    if request.encoding != "latin-1":  # setting it again would discard the parsed form
        request.encoding = "latin-1"
    return True


def _fields(request: HttpRequest) -> Mapping[str, str]:
    """Returns the fields of a form, one character for each byte."""
    if _keep_octets(request):
        return {name: str(request.POST[name]) for name in request.POST}
    form = request.body.decode("latin-1")
    return dict(parse_qsl(form, keep_blank_values=True, encoding="latin-1", max_num_fields=MOST_FIELDS))


def _raw(fields: Mapping[str, str], name: str) -> bytes:
    if name not in fields:
        raise NotRaw(name)
    return fields[name].encode("latin-1")


def _text(event: Mapping[str, object], name: str) -> bytes:
    """Returns the raw letter in a JSON field."""
    if not event.get(name):
        raise NotRaw(name)
    text = event[name]
    if not isinstance(text, str):
        raise TypeError(f"{name} is {type(text).__name__}")
    return text.encode("utf-8", "surrogatepass")


def _addresses(told: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parseaddr(str(address))[1] or str(address) for address in told))


log = logging.getLogger(__name__)
YES, LATER = 200, 503  # every provider retries after 503
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, ImproperlyConfigured)
Take = Callable[[Provider, HttpRequest], HttpResponse]


@csrf_exempt  # signed by the provider, which has no cookie of ours
@require_http_methods(["HEAD", "POST"])
def inbound(request: HttpRequest, name: str) -> HttpResponse:
    """Keeps letters. A repeated attempt returns the row of the first one."""
    return _from_provider(request, name, _letter)


@csrf_exempt  # as above
@require_http_methods(["HEAD", "POST"])
def tracking(request: HttpRequest, name: str) -> HttpResponse:
    """Keeps delivery events as bounce reports, each once; they are opened later, like mailed ones."""
    return _from_provider(request, name, _reports)


def _from_provider(request: HttpRequest, name: str, take: Take) -> HttpResponse:
    """Checks the request and passes it to `take`. 404 for a provider that is not set up."""
    provider = PROVIDERS.get(name)
    if provider is None or not provider.is_open:
        raise Http404
    if request.method == "HEAD":  # some providers check the URL so
        return HttpResponse()
    if int(request.META.get("CONTENT_LENGTH") or 0) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return _refused(provider, Code.TOO_LARGE)
    try:
        provider.validate(request)
        return take(provider, request)
    except AnymailWebhookValidationFailure as forged:
        log.warning("%s: refused: %s", name, forged)
        return HttpResponse("not signed by the provider", status=403)
    except RequestDataTooBig:
        return _refused(provider, Code.TOO_LARGE)
    except NotRaw as missing:
        log.error(
            "%s: no %s in the request. Tell %s to send the whole letter (raw MIME).", name, missing, name
        )
        return HttpResponse("send the whole letter (raw MIME)", status=LATER)
    except UNREADABLE as mistake:
        log.error("%s: a request that nobody can read: %r", name, mistake)
        return HttpResponse("unreadable", status=400)


def _letter(provider: Provider, request: HttpRequest) -> HttpResponse:
    """Keeps the letters of a request: 503 when one has to be retried, the refusal when all are refused."""
    answers = [_kept(provider, letter) for letter in list(provider.read(request))] or [_yes([])]
    return max(answers, key=lambda answer: (answer.status_code == LATER, answer.status_code == YES))


def _reports(provider: Provider, request: HttpRequest) -> HttpResponse:
    """Keeps all reports of a request, or none, as the provider repeats the whole request."""
    if provider.told is None:
        raise Http404
    reports = [as_report(told, provider.name) for told in provider.told(request.body)]
    try:
        if disk_is_low():
            return _later(Code.DISK_LOW)
        rows = store_batch(reports, recipient=play_address(), now=timezone.now())
    except Exception as trouble:
        log.exception("%s: reports were not taken", code_of(trouble))
        return _later(code_of(trouble))
    return _yes(rows)


def _kept(provider: Provider, letter: WebhookMessage) -> HttpResponse:
    """Keeps the letter for each known recipient; refuses it when there is none."""
    if code := objection(letter.raw):
        return _refused(provider, code)
    now = timezone.now()
    sender = "" if letter.sender == "<>" else letter.sender.strip("<>")
    letter = replace(letter, sender=sender)
    try:
        if disk_is_low():
            return _later(Code.DISK_LOW)
        ours = [address for address in letter.recipients if resolve_recipient(address, now) is not None]
        if not ours:
            return _refused(provider, Code.NO_SUCH_ADDRESS)
        rows = [
            store_message(letter.raw, sender=letter.sender, recipient=address, now=now, may_refuse=True)
            for address in ours
        ]
    except Refused as refused:
        return _later(refused.code)
    except Exception as trouble:
        log.exception("%s: a letter was not taken", code_of(trouble))
        return _later(code_of(trouble))
    return _yes(rows)


def _yes(rows: Iterable[InboundMail]) -> HttpResponse:
    return HttpResponse(json.dumps({"kept": [row.pk for row in rows]}), content_type="application/json")


def _refused(provider: Provider, code: str) -> HttpResponse:
    log.warning("%s: %s brought a letter that is not taken: %s", code, provider.name, REFUSALS[code].sentence)
    return HttpResponse(REFUSALS[code].sentence, status=provider.refused)


def _later(code: str) -> HttpResponse:
    return HttpResponse(REFUSALS[code].sentence, status=LATER)


# URLs, below `mail/`

urlpatterns = [
    path("<slug:name>/inbound/", inbound, name="inbound"),
    path("mailgun/inbound_mime/", inbound, {"name": "mailgun"}, name="inbound-mime"),
    path("<slug:name>/tracking/", tracking, name="tracking"),
]
