"""Looking at a match, one's own or one that is watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.trying import Try
from pbem.inbox.commands.families.views import Describe, History, RecordOf, Show, Status
from pbem.inbox.doing.work import Doer
from pbem.matches.models import Match
from pbem.matches.watching import watching_of
from pbem.outbox.writing.strip import MOST
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _seen(doing: Doing, number: int | None) -> tuple[Match, int]:
    """The match, and after how many turns the player may see it. Refuses G01."""
    try:
        match = doing.seat(number).match
    except Refused:
        watching = None if number is None else watching_of(doing.player, number)
        if watching is None:
            raise
        return watching.match, watching.shown
    return match, match.ply


def _show(doing: Doing, show: Show) -> None:
    match, latest = _seen(doing, show.match)
    ply = latest if show.ply is None else show.ply
    if not 0 <= ply <= latest:
        raise Refused("G10", match=match, number=show.ply)
    if show.last is None:
        doing.tell({"kind": "board", "match": match.pk, "ply": ply}, match=match)
    else:
        last = max(1, min(show.last, MOST))
        doing.tell({"kind": "strip", "match": match.pk, "ply": ply, "last": last}, match=match)


def _try(doing: Doing, command: Try) -> None:
    match, ply = _seen(doing, command.match)
    moves, left = list(command.moves[:MOST]), len(command.moves[MOST:])
    doing.tell({"kind": "tried", "match": match.pk, "ply": ply, "moves": moves, "left": left}, match=match)


def _describe(doing: Doing, command: Describe) -> None:
    match, ply = _seen(doing, command.match)
    doing.tell({"kind": "description", "match": match.pk, "ply": ply}, match=match)


def _history(doing: Doing, command: History) -> None:
    match, ply = _seen(doing, command.match)
    doing.tell({"kind": "history", "match": match.pk, "ply": ply}, match=match)


def _record(doing: Doing, command: RecordOf) -> None:
    match, ply = _seen(doing, command.match)
    doing.tell({"kind": "record", "match": match.pk, "ply": ply}, match=match)


def _status(doing: Doing, command: Status) -> None:
    match = doing.seat(command.match).match.pk if command.match is not None else None
    doing.tell({"kind": "status", "only": match})


DO: Mapping[type[Command], Doer] = {
    Show: _show,
    Try: _try,
    Describe: _describe,
    History: _history,
    RecordOf: _record,
    Status: _status,
}
