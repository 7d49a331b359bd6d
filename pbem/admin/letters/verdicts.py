"""Verdicts as organisers read them: the code with its name, the sentence, and a filter by code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.lists import newest
from pbem.inbox.models import OK
from pbem.outbox.models import BouncedMail
from pbem.outbox.signed_addresses import play_address
from pbem.refusals import REFUSALS, Code, Told, name_of, sentence

NONE_YET = "none"
SHUNTED = "shunted"


def named(code: str) -> str:
    """Returns the code with its name: "P06 no move found"."""
    if code in REFUSALS:
        return f"{code} {name_of(Code(code))}"
    return gettext("carried out") if code == OK else code or "-"


def explained(code: str) -> str:
    return sentence(code, play_address=play_address()) if code in REFUSALS else ""


class VerdictFilter(admin.SimpleListFilter):
    """A filter by the codes of one direction, which are listed without a query."""

    title = _("verdict")
    parameter_name = "verdict"

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        if self.value() is None:
            return queryset
        if self.value() == SHUNTED:
            rows: Any = queryset
            return cast("models.QuerySet[Any]", rows.shunted())
        if self.value() == NONE_YET:
            return queryset.filter(verdict="")
        return queryset.filter(newest(queryset.model), verdict=self.value())


class InboundVerdicts(VerdictFilter):
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        kept = (r.code for r in REFUSALS.values() if r.told is not Told.RELAY and not r.code.startswith("O"))
        first = [(NONE_YET, gettext("not opened yet")), (SHUNTED, gettext("set aside"))]
        return [*first, *_choices([OK, *kept])]


class OutboundVerdicts(VerdictFilter):
    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        codes = (code for code in REFUSALS if code[0] in "OS")
        return [(SHUNTED, gettext("set aside")), *_choices(codes)]


class BounceVerdicts(VerdictFilter):
    parameter_name = "fate"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return _choices(code for code in REFUSALS if code.startswith("O") or code == Code.COMPLAINT)

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        asked = self.value()
        return queryset.filter(newest(BouncedMail), fate=asked) if asked else queryset


def _choices(codes: Iterable[str]) -> list[tuple[str, str]]:
    return [(code, named(code)) for code in codes]
