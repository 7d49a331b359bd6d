"""What a YES brings: the commands that were put aside, in the match and on the board that they were written for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pbem.inbox.addressing import Addressed, resolve
from pbem.inbox.answering import Answering
from pbem.inbox.commands import Command, understand
from pbem.inbox.commands.families.conditional import If, Next
from pbem.inbox.commands.families.playing import Move
from pbem.inbox.doing import Doing
from pbem.inbox.models import Confirmation
from pbem.inbox.reading import MoveShapes
from pbem.matches.models import Event, Match
from pbem.players.tokens import PLAY
from pbem.refusals import Refused

OF_A_BOARD = (Move, If, Next)


def done(asked: Confirmation, answering: Answering) -> list[str]:
    """Do them; the verdict of each."""
    assert asked.player
    addressed = _as_asked(asked)
    doing = Doing(answering, asked.player, addressed, arrived=_arrival(asked), asked_at=asked.asked_at)
    if addressed is None:  # a line without a number would be about another match of his now
        return [doing.refuse(Refused("G01", number=asked.match_id))]
    commands = _commands(asked, addressed)
    undone = _undone(asked, commands)
    late = [c for c in commands if isinstance(c, OF_A_BOARD) and (c.match or asked.match_id) in undone]
    verdicts = doing.all([c for c in commands if c not in late], chat=asked.message)
    for command in late:
        match = undone[command.match or asked.match_id]
        verdicts.append(doing.refuse(Refused("G04", match=match, text=command.line)))
    lost = set(asked.lines) - {command.line for command in commands}
    return [*verdicts, *(doing.refuse(Refused("P06", text=line)) for line in sorted(lost))]


def _as_asked(asked: Confirmation) -> Addressed | None:
    """The address that the letter put aside had come to: it still says which turn its move is for. None: somebody
    else has taken his seat."""
    if asked.match is None:
        came_to = resolve(asked.letter.recipient, asked.letter.received_at)
        return came_to if came_to and came_to.message else Addressed(PLAY)
    seat = asked.match.seats.select_related("match", "player").filter(player=asked.player).first()
    return Addressed("m", "current", asked.ply, seat=seat) if seat else None


def _arrival(asked: Confirmation) -> datetime | None:
    """When what he confirms came: with the letter that was put aside, once a turn. None: with his YES."""
    of_turn = Confirmation.objects.filter(match=asked.match, player=asked.player, ply=asked.ply)
    before = of_turn.filter(agreed=True, has_move=True).exclude(pk=asked.pk)
    return None if asked.match and before.exists() else asked.letter.received_at


def _commands(asked: Confirmation, addressed: Addressed) -> tuple[Command, ...]:
    return understand(
        asked.lines,
        subject=None,
        language=asked.language,
        is_move=MoveShapes(asked.player, addressed.seat),
        match=asked.match_id,
    ).commands


def _undone(asked: Confirmation, commands: Sequence[Command]) -> Mapping[int | None, Match]:
    """The matches in which turns were taken back since: one with the same number may be on another board."""
    numbers = {c.match or asked.match_id for c in commands if isinstance(c, OF_A_BOARD)} - {None}
    events = Event.objects.filter(match__in=numbers, happened_at__gte=asked.asked_at)
    taken_back = events.filter(kind=Event.Kind.UNDONE).select_related("match")
    return {event.match_id: event.match for event in taken_back}
