"""Views of a match."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from games.move_numbers import MoveNumber
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.line import GUARD, CommandLine, match_of, plain, typed
from pbem.inbox.commands.match_commands import Describe, History, RecordOf, Show, Status
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.matches.models import Event, Match
from pbem.matches.observers import watching_of
from pbem.matches.offers import CHALLENGE, asked_in
from pbem.outbox.rendering.strip import MOST
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_AT = _WORDS.words("at")  # SHOW 105 AT 12, MOSTRA 105 ALLA 12
_LAST = _WORDS.words("last")  # SHOW 105 LAST 6, MOSTRA 105 ULTIME 6
_ARTICLES = _WORDS.words("articles")
_DOTS_APART = re.compile(r"(?<=[0-9]) +(?=\.{1,3}(?: |$))")  # AT 6 ...


def _read_show(line: CommandLine) -> Show | None:
    match, rest = match_of(replace(line, rest=re.sub(r"(?<=[0-9])\s*#", " #", typed(line.rest))))
    match [word for word in _DOTS_APART.sub("", rest).split() if fold(word) not in _ARTICLES]:
        case []:
            return Show(match)
        case [guard] if match is not None and GUARD.fullmatch(guard):
            return Show(match, MoveNumber.read(guard[1:]))
        case [at, number] if fold(at) in _AT and (after := MoveNumber.read(number)):
            return Show(match, after)
        case [last, most] if fold(last) in _LAST and (boards := _number(most)) is not None:
            return Show(match, last=boards)
        case [at, number, last, most] if (
            fold(at) in _AT
            and fold(last) in _LAST
            and (after := MoveNumber.read(number))
            and (boards := _number(most)) is not None
        ):
            return Show(match, after, boards)
    return None


def _number(word: str) -> int | None:
    said = plain(word)
    return int(said) if said.isdecimal() and len(said) < 5 else None


def _alone(kind: Callable[[int | None], Command]) -> Callable[[CommandLine], Command | None]:
    """Returns a reader of the verb with nothing but a match."""

    def read(line: CommandLine) -> Command | None:
        match, rest = match_of(line)
        return None if plain(rest) else kind(match)

    return read


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


VERBS: Verbs = {
    Show: (_read_show, _show),
    Describe: (_alone(Describe), _describe),
    History: (_alone(History), _history),
    RecordOf: (_alone(RecordOf), _record),
    Status: (_alone(Status), _status),
}
