"""The door for mail providers: letters, and what became of ours; 200 is said to a request once all is kept."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace

from anymail.exceptions import AnymailWebhookValidationFailure
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from pbem.inbox.models import InboundMail
from pbem.inbox.resolver import resolve_recipient
from pbem.inbox.transports.acceptance import code_of, disk_is_low, objection
from pbem.inbox.transports.esp import PROVIDERS, Brought, NotRaw, Provider
from pbem.inbox.transports.esp_events import as_report
from pbem.inbox.transports.store import keep, keep_together
from pbem.outbox.sealed_addresses import play_address
from pbem.refusals import REFUSALS, Code, Refused

log = logging.getLogger(__name__)
YES, LATER = 200, 503  # every provider tries again at the second
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, ImproperlyConfigured)
Take = Callable[[Provider, HttpRequest], HttpResponse]


@csrf_exempt  # signed by the provider, which has no cookie of ours
@require_http_methods(["HEAD", "POST"])
def inbound(request: HttpRequest, name: str) -> HttpResponse:
    """A letter. Whatever the provider tries again gives the row of the first time."""
    return _from_provider(request, name, _letter)


@csrf_exempt  # as above
@require_http_methods(["HEAD", "POST"])
def tracking(request: HttpRequest, name: str) -> HttpResponse:
    """What became of letters of ours: each report is kept, once, and opened later like one that comes by mail."""
    return _from_provider(request, name, _reports)


def _from_provider(request: HttpRequest, name: str, take: Take) -> HttpResponse:
    """404 for a provider that is not set up."""
    provider = PROVIDERS.get(name)
    if provider is None or not provider.is_open:
        raise Http404
    if request.method == "HEAD":  # how some try whether anybody is there
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
    """One, or several: they come again together if one has to wait, and are refused if all are."""
    answers = [_kept(provider, letter) for letter in list(provider.read(request))] or [_yes([])]
    return max(answers, key=lambda answer: (answer.status_code == LATER, answer.status_code == YES))


def _reports(provider: Provider, request: HttpRequest) -> HttpResponse:
    """All of them or none: the provider brings all of them again."""
    if provider.told is None:
        raise Http404
    reports = [as_report(told, provider.name) for told in provider.told(request.body)]
    try:
        if disk_is_low():
            return _later(Code.DISK_LOW)
        rows = keep_together(reports, recipient=play_address(), now=timezone.now())
    except Exception as trouble:
        log.exception("%s: reports were not taken", code_of(trouble))
        return _later(code_of(trouble))
    return _yes(rows)


def _kept(provider: Provider, letter: Brought) -> HttpResponse:
    """Kept for each recipient who lives here; one who does not is refused only if they are the only one."""
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
            keep(letter.raw, sender=letter.sender, recipient=address, now=now, may_refuse=True)
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
