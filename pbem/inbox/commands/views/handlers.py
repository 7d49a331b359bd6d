"""Handlers for views of a match, the player's own or a watched one."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.views.grammar import Describe, History, RecordOf, Show, Status
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.matches.models import Event, Match
from pbem.matches.observers import watching_of
from pbem.matches.offers import CHALLENGE, asked_in
from pbem.outbox.rendering.strip import MOST
from pbem.refusals import Code, Refused


def seen(context: CommandContext, number: int | None) -> tuple[Match, int]:
    """Returns the match, and the number of turns after which the player may see it. Refuses G01."""
    try:
        match = context.seat(number).match
    except Refused:
        watching = None if number is None else watching_of(context.player, number)
        if watching is None:
            raise
        return watching.match, watching.shown
    return match, match.ply


def _show(context: CommandContext, show: Show) -> None:
    match, latest = seen(context, show.match)
    ply = latest if show.number is None else show.number.plies(latest)
    if ply is None:
        raise Refused(Code.NO_SUCH_TURN, match=match, number=str(show.number))
    if show.last is None:
        context.reply({"kind": "board", "match": match.pk, "ply": ply}, match=match)
    else:
        last = max(1, min(show.last, MOST))
        context.reply({"kind": "strip", "match": match.pk, "ply": ply, "last": last}, match=match)


def _describe(context: CommandContext, command: Describe) -> None:
    match, ply = seen(context, command.match)
    context.reply({"kind": "description", "match": match.pk, "ply": ply}, match=match)


def _history(context: CommandContext, command: History) -> None:
    match, ply = seen(context, command.match)
    context.reply({"kind": "history", "match": match.pk, "ply": ply}, match=match)


def _record(context: CommandContext, command: RecordOf) -> None:
    match, ply = seen(context, command.match)
    context.reply({"kind": "record", "match": match.pk, "ply": ply}, match=match)


def _status(context: CommandContext, command: Status) -> None:
    """Shows the status; for a challenge to the player, the challenge itself."""
    seat = context.seat(command.match) if command.match is not None else None
    if seat and (asked := asked_in(seat)) and asked.what == CHALLENGE:
        event = Event.objects.filter(match=seat.match_id, kind=Event.Kind.PROPOSED).latest("pk")
        context.reply({"kind": "challenge", "event": event.pk}, match=seat.match)
        return
    context.reply({"kind": "games", "only": seat.match_id if seat else None})


HANDLERS: Mapping[type[Command], Handler] = {
    Show: _show,
    Describe: _describe,
    History: _history,
    RecordOf: _record,
    Status: _status,
}
