"""What a YES brings: the commands that were put aside, in the match and on the board that they were written for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet

from pbem.inbox.addressing import Addressed, resolve
from pbem.inbox.answering import Answering
from pbem.inbox.commands import Command, understand
from pbem.inbox.doing import Doing
from pbem.inbox.models import MOST_CREDIT, Confirmation
from pbem.inbox.questions import OF_A_BOARD
from pbem.inbox.shapes import MoveShapes
from pbem.matches.models import Event, Match
from pbem.players.tokens import PLAY
from pbem.refusals import Refused


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
    """When what the player confirms counts: as if it had come with the message that was put aside, if that was the
    first of its turn, and as far as the credit of the player in this match goes. None: with the YES."""
    assert asked.used_at
    if asked.match is None:
        return asked.letter.received_at
    others = Confirmation.objects.filter(match=asked.match, player=asked.player).exclude(pk=asked.pk)
    if asked.has_move and others.filter(ply=asked.ply, has_move=True, pk__lt=asked.pk).exists():
        return None
    return max(asked.letter.received_at, asked.used_at - _credit(others.filter(agreed=True, has_move=True)))


def _credit(before: QuerySet[Confirmation]) -> timedelta:
    """What is left of it after those that were confirmed."""
    spent, turns = timedelta(), set()
    for asked in before.select_related("letter").order_by("pk"):
        if asked.ply not in turns and asked.used_at:  # the first of its turn
            spent += asked.used_at - asked.letter.received_at
        turns.add(asked.ply)
    return max(MOST_CREDIT - spent, timedelta())


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
