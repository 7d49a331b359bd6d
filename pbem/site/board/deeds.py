"""What a board's forms do: a table of names and services. The consent that each needs is that of a letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pbem.inbox import consent
from pbem.inbox.commands.command import Command, Say
from pbem.inbox.commands.match_commands import Accept, ClearIfs, Decline, Draw, If, Move, Resign, Swap, Undo
from pbem.inbox.handling.talk import for_opponent
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches import automatic_moves, conditional, offers, services, takeback
from pbem.matches.models import Seat
from pbem.refusals import Code, Refused

MOST_TYPED = 4000  # characters of a field


@dataclass(frozen=True)
class Form:
    """A form of the board as it was posted. `move` and `plan`, a reply and an answer on each two lines, are written as
    the player writes. `planned`: the plan is meant, too. `agreed`: the word of a deed that cannot be taken back.
    """

    deed: str
    move: str = ""
    plan: str = ""
    planned: str = ""
    message: str = ""
    number: str = ""
    agreed: str = ""

    @classmethod
    def of(cls, posted: Mapping[str, Any]) -> Form:
        """Reads what was posted, or what a sign-in has kept of it."""
        return cls(**{name: str(posted.get(name, ""))[:MOST_TYPED] for name in cls.__dataclass_fields__})

    def kept(self) -> dict[str, str]:
        return asdict(self)


Deed = Callable[[Seat, Form, datetime, datetime], None]  # with the moment, and the arrival of what was posted


def _play(seat: Seat, form: Form, now: datetime, arrived: datetime) -> None:
    robot = seat.opponent.player.robot is not None  # which reads no words
    words = "" if robot else form.message.strip()
    said = for_opponent(seat, words, now=now) if words else ""

    def plan() -> None:
        if form.planned:
            conditional.say(seat, _planned(seat, form), now=now)

    facts = {"by": "web"}
    services.play(seat, form.move, now=now, arrived=arrived, message=said, facts=facts, then=plan)


def _plan(seat: Seat, form: Form, now: datetime, arrived: datetime) -> None:
    automatic_moves.promise(seat, _planned(seat, form), now=now, arrived=arrived)


def _undo(seat: Seat, form: Form, now: datetime, arrived: datetime) -> None:
    if take_place("asks", f"seat:{seat.pk}", now) is None:
        raise Refused(Code.TOO_MUCH_ASKED, match=seat.match, limit=CAPS["asks"].most)
    takeback.undo(seat, now=now, arrived=arrived)


def _say(seat: Seat, form: Form, now: datetime, arrived: datetime) -> None:
    opponent, words = seat.opponent.player, form.message.strip()
    if opponent.robot is not None or not words:
        raise Refused(Code.NO_SUCH_READER, match=seat.match, name=opponent.name)
    services.say(seat, for_opponent(seat, words, now=now), now=now)


# By the name of the form: what is done, and the command of a letter that does the same.
DEEDS: Mapping[str, tuple[Deed, Callable[[int], Command]]] = {
    "play": (_play, lambda match: Move("", match)),
    "plan": (_plan, lambda match: If((), match)),
    "clear": (
        lambda seat, form, *_: conditional.clear(seat, int(form.number) if form.number.isdecimal() else 0),
        ClearIfs,
    ),
    "draw": (lambda seat, _, now, arrived: services.offer_draw(seat, now=now, arrived=arrived), Draw),
    "accept": (lambda seat, _, now, arrived: services.accept(seat, now=now, arrived=arrived), Accept),
    "decline": (lambda seat, _, now, arrived: services.decline(seat, now=now), Decline),
    "resign": (lambda seat, _, now, arrived: services.resign(seat, now=now), Resign),
    "undo": (_undo, Undo),
    "swap": (lambda seat, _, now, arrived: offers.swap(seat, now=now, arrived=arrived), Swap),
    "say": (_say, lambda match: Say("", match)),
}


def word_needed(deed: str, seat: Seat) -> str:
    """Returns the word that has to stand beside YES for this deed, as in a letter of the player; "" for none."""
    command = DEEDS[deed][1](seat.match_id)
    asked = consent.of_commands([command], seat.player, seat.match_id, vouched=True)
    return "".join(asked.deeds[:1]) if asked.rule.named else ""


def do(seat: Seat, form: Form, now: datetime, arrived: datetime) -> None:
    """Does what was posted, in the caller's transaction and with its match locked. Refuses as the services do, and
    A09 without the word that is needed.
    """
    if form.agreed != word_needed(form.deed, seat):
        raise Refused(Code.CONFIRM_NEEDED, match=seat.match)
    DEEDS[form.deed][0](seat, form, now, arrived)


def _planned(seat: Seat, form: Form) -> list[str]:
    """Returns the replies and answers. Refuses P06 when one lacks its answer."""
    moves = form.plan.splitlines()
    if not moves or len(moves) % 2:
        raise Refused(Code.NO_MOVE_FOUND, match=seat.match)
    return moves
