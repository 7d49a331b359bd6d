"""The section with what a robot has found of a match that is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.analysis.models import Study
from pbem.analysis.service import found_in
from pbem.outbox.rendering.hints import hint_of
from pbem.outbox.rendering.insights import Insights
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.match import match_context


def _analysis(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    about: Context = {
        "match": match,
        "title": match.game.phrases(reader.language)["name"],
        "players": match.players,
        "board": None,
    }
    seat = reader.seat_in(match)
    about["opponent"] = seat.opponent.player.name if seat else ""
    study = Study.objects.filter(pk=section["study"], ply=match.ply, position=match.position).first()
    analysis = found_in(study) if study else None
    if analysis is None:
        return about
    insights = Insights(match, analysis, reader)
    outcome = match.outcome()
    return about | {
        "insights": insights,
        "marks": insights.marks,
        "decided": insights.decided,
        "drawn": outcome is not None and outcome.winner is None,
        "page": insights.figures,
        "chances": insights.figures_in_words,
        "first_name": match.players[0],
    }


def _hint(section: Mapping[str, Any], reader: Reader) -> Context:
    """The board that the hint is about, and what it says; `hint` None if there is none."""
    match = reader.match(section["match"])
    study = Study.objects.filter(pk=section["study"]).first()
    context = match_context(match, reader, study.ply if study else None)
    move = study.found.get("move") if study and study.position == str(context["board"].after) else None
    context["examples"] = ()
    return context | {"hint": hint_of(context["board"], str(move), section["stage"]) if move else None}


def _waits(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    title = match.game.phrases(reader.language)["name"]
    asked = {key: section.get(key, False) for key in ("hint", "late")}
    return asked | {"match": match, "title": title, "board": None}


BUILDERS: Mapping[str, Builder] = {"analysis": _analysis, "analysed": _waits, "hint": _hint}
