"""The section with what a robot has found of a match that is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.analysis.models import Study
from pbem.analysis.service import found_in
from pbem.outbox.rendering.insights import Insights
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context


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


def _waits(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    return {"match": match, "title": match.game.phrases(reader.language)["name"], "board": None}


BUILDERS: Mapping[str, Builder] = {"analysis": _analysis, "analysed": _waits}
