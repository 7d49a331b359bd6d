"""Whose turn it is to leave, of all letters that are due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from pbem.outbox.delivery import throttling
from pbem.outbox.models import OutboundMail, OutboundMailQuerySet
from pbem.queue.compiled_query import compiled_query


def newest(now: datetime) -> int | None:
    """The answer to what came last, before what is written meanwhile to those who have waited."""
    return next(iter(_first_of_all(settings.LETTERS_AT_ONCE, newest=True)(now)), None)


def oldest(now: datetime) -> int | None:
    """Of a domain to which nothing is on its way, if there is one."""
    found = (_first_of_all(most, newest=False)(now) for most in (1, settings.LETTERS_AT_ONCE))
    return next((pk for pks in found for pk in pks), None)


@cache
def _first_of_all(most: int, *, newest: bool) -> Callable[[datetime], list[int]]:
    order = ("-arrived_at", "-pk") if newest else ("next_try_at", "pk")

    @compiled_query
    def find(now: datetime) -> QuerySet[OutboundMail, int]:
        return _free_to_go(now, most).order_by(*order).values_list("pk", flat=True)[:1]

    return find


def _free_to_go(now: datetime, most: int) -> OutboundMailQuerySet:
    """Due; fewer than `most` letters are on their way to its domain, and no other about its match to its reader."""
    on_their_way = OutboundMail.objects.leased(now)
    full = on_their_way.values("domain").annotate(abreast=Count("pk")).filter(abreast__gte=most)
    before = on_their_way.filter(match=OuterRef("match"), address=OuterRef("address"))
    tried = throttling.slow_lately() & Q(domain__in=on_their_way.values("domain"))
    return (
        OutboundMail.objects.due(now)
        .exclude(domain__in=full.values("domain"))
        .exclude(Exists(before) | tried)
    )
