"""Problems (RFC 9457): what was refused, for a program and for the person who wrote it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language, gettext
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from games.kit.words import speech
from games.protocol import Notation, Objection
from pbem.matches.models import Match
from pbem.outbox.signed_addresses import play_address
from pbem.refusals import REFUSALS, Code, Refused, sentence

MEDIA_TYPE = "application/problem+json"
Headers = dict[str, str]
log = logging.getLogger(__name__)
_UNKNOWN = (Code.NO_SUCH_MATCH, Code.NO_SUCH_PLAYER, Code.NO_SUCH_GAME, Code.NO_SUCH_OFFER, Code.NO_SUCH_TURN)
_FORBIDDEN = (Code.NOT_NOW, Code.NO_SUCH_READER, Code.SUSPENDED)
_TODAY = (Code.TOO_MANY_CHALLENGES, Code.TOO_MUCH_ASKED, Code.TOO_MUCH_TALK)  # limits of a day
_WRONG = (
    *(Code.ILLEGAL_MOVE, Code.NO_MOVE_FOUND, Code.AMBIGUOUS_MOVE, Code.IMPOSSIBLE_LINE),
    *(Code.AGAINST_YOURSELF, Code.BAD_SETUP, Code.BAD_CLOCK),
)
# Other refusals: the state of the match or of the player does not allow it (409).
STATUS: Mapping[str, int] = {
    code: status
    for status, codes in ((404, _UNKNOWN), (403, _FORBIDDEN), (429, _TODAY), (422, _WRONG))
    for code in codes
}


class Unchanged(Exception):
    """The reader has what is asked for."""


def problem(
    status: int, detail: str = "", *, code: str = "", headers: Headers | None = None, **members: Any
) -> HttpResponse:
    """Returns the response; `type` leads to where the problem is explained."""
    facts = {
        "type": f"{settings.SITE_URL}/en/api/#{code or status}",
        "title": REFUSALS[code].name if code else HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or HTTPStatus(status).description or HTTPStatus(status).phrase,
        "code": code,
        **members,
    }
    kept = {name: value for name, value in facts.items() if value not in ("", (), [], None)}
    content = json.dumps(kept, ensure_ascii=False)
    return HttpResponse(content, status=status, content_type=MEDIA_TYPE, headers=headers)


def of_refusal(refused: Refused) -> HttpResponse:
    """Returns a refusal of a service, in the language that the request accepts."""
    facts, code = refused.facts, refused.code
    match: Match | None = facts.get("match")
    objection: Objection | None = facts.get("objection")
    limit = {"limit": str(facts["limit"])} if "limit" in facts else {}
    said = [sentence(code, play_address=play_address(), name=str(facts.get("name", "")), **limit)]
    members: dict[str, Any] = {}
    if objection:
        members = {"objection": objection.code, "cells": objection.cells}
        if match:
            words = speech(match.game, match.rules, Notation(get_language() or "en"))
            said.append(words.remark("objections", objection))
    members |= {name: list(map(str, facts.get(name, ()))) for name in ("nearest", "readings")}
    status = STATUS.get(code, 409)
    later = {"Retry-After": _until_tomorrow(timezone.now())} if status == 429 else None
    return problem(status, " ".join(said), code=code, headers=later, limit=facts.get("limit"), **members)


def _until_tomorrow(now: datetime) -> str:
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return str(max(1, round((midnight - now).total_seconds())))


def answered(request: HttpRequest, error: Any) -> HttpResponse:
    """Returns the response to an exception."""
    match error:
        case Unchanged():
            return HttpResponse(status=304)
        case Refused():
            return of_refusal(error)
        case ValidationError() if any(each["loc"][0] == "path" for each in error.errors):
            return problem(404)
        case ValidationError():
            said = gettext("The API cannot read this request.")
            wrong = [{"where": ".".join(map(str, each["loc"])), "what": each["msg"]} for each in error.errors]
            return problem(422, said, errors=wrong)
        case AuthenticationError():
            said = gettext("This needs a valid token: Authorization: Bearer pbem_…")
            return problem(401, said, headers={"WWW-Authenticate": "Bearer"})
        case HttpError():
            return problem(error.status_code, str(error))
        case OperationalError():  # a lock was not free in time
            return problem(503, headers={"Retry-After": "1"})
    log.error("api %s %s", request.method, request.path, exc_info=error)
    return problem(500, gettext("Our program failed; the fault is ours. Try again later."))


def add_handlers(api: NinjaAPI) -> None:
    """Has the API answer every exception by a problem."""
    for kind in (Unchanged, Refused, ValidationError, AuthenticationError, HttpError, Exception):
        api.add_exception_handler(kind, answered)
