"""Sections by which people find each other: challenges, and what is known of the one who makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.matches.matchmaking.decline_reasons import REASONS
from pbem.matches.matchmaking.reliability import reliability_of
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.goal import rules_in_brief
from pbem.outbox.rendering.sections.match import event_context
from pbem.ratings.lists import told_strength
from pbem.ratings.pools import pool_of


def _challenge(section: Mapping[str, Any], reader: Reader) -> Context:
    """Everything that one wants to know before one says yes."""
    context = event_context(section, reader)
    challenger = context["seat"].opponent.player
    at, match = context["event"].happened_at, context["match"]
    known = reliability_of(challenger, at)
    strength = told_strength(challenger, pool_of(match), at) if match.agreed.rated else None
    return context | {
        "terms": match.agreed,
        "known": known,
        "strength": strength,
        "name": challenger.name,
        "brief": rules_in_brief(match, reader),
    }


def _challenged(section: Mapping[str, Any], reader: Reader) -> Context:
    context = event_context(section, reader)
    return context | {"terms": context["match"].agreed}


def _declined(section: Mapping[str, Any], reader: Reader) -> Context:
    context = event_context(section, reader)
    return context | {"why": REASONS.get(context["event"].facts.get("why", ""), "")}


BUILDERS: Mapping[str, Builder] = {
    "challenge": _challenge,
    "challenged": _challenged,
    "declined": _declined,
}
