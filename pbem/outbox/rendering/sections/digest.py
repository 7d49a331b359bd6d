"""Builds the digest: an overview, and each match with news."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.matches.models import Event, Match, Seat, Turn
from pbem.outbox.notifications.kinds import Section, Trait, kinds
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.outbox.rendering.sections.conditional import aftermath
from pbem.outbox.rendering.sections.match import match_context

SPEAK = kinds(Trait.SPEAKS)


def digest_section(section: Section, reader: Reader) -> Context:
    shown = section["shown"]
    matches = Match.objects.prefetch_related("seats__player").in_bulk([row["match"] for row in shown])
    lines = [_line(row, matches[row["match"]], reader) for row in shown]
    return {"lines": lines, "waiting": [line for line in lines if line["yours"]]}


def _line(row: Mapping[str, int], match: Match, reader: Reader) -> Context:
    seat = reader.seat_in(match)
    return {
        "number": row["number"],
        "match": match,
        "title": reader.title(match.game),
        "opponent": seat.opponent.player.name if seat else "",
        "yours": seat is not None and match.status == Match.Status.PLAYING and seat.is_to_move,
        "over": match.status != Match.Status.PLAYING,
    }


def digested_section(section: Section, reader: Reader) -> Context:
    """Shows one match as in the overview, with all messages since the last digest."""
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    told = Event.objects.in_bulk([news["event"] for news in section["news"] if "event" in news])
    kinds = {news["kind"] for news in section["news"]}
    seat, board = context["seat"], context["board"]
    after = [aftermath(event, seat, board)["failures"] for event in told.values()]
    if section["brief"]:
        context |= {"board": None, "examples": ()}
    return context | {
        "numbered": section["number"],
        "messages": list(_messages(section["news"], told, context["match"], seat)),
        "failures": [failure for failures in after for failure in failures],
        "rejected": "rejected" in kinds,
        "own": kinds == {"played"},
        "examples": tuple(f"{section['number']}: {example}" for example in context["examples"]),
    }


def _messages(
    news: Sequence[Mapping[str, Any]], told: Mapping[int, Event], match: Match, seat: Seat | None
) -> Iterator[Context]:
    """Yields the opponent's messages, oldest first."""
    plies = [told[each["event"]].facts.get("first") for each in news if each["kind"] in SPEAK]
    ridden = dict(
        Turn.objects.filter(match=match, ply__in=[p for p in plies if p is not None]).values_list(
            "ply", "message"
        )
    )
    for each in news:
        event = told[each["event"]]
        text = (
            event.facts.get("text") or event.facts.get("reason") or ridden.get(event.facts.get("first"), "")
        )
        own = seat is not None and event.side == seat.side
        if each["kind"] in SPEAK and text and not own:
            yield {"text": text, "when": event.happened_at}
