"""What a board's forms do: a table of names and services. The consent that each needs is that of a letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from pbem.inbox import consent
from pbem.inbox.commands.command import Command, Say
from pbem.inbox.commands.match_commands import Accept, ClearIfs, Decline, Draw, If, Move, Resign, Undo
from pbem.inbox.handling.talk import with_answer
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.mail.parsing.redact_addresses import relayed
from pbem.matches import automatic_moves, conditional, services, takeback
from pbem.matches.models import Seat
from pbem.players.blocks import may_write_to
from pbem.refusals import Code, Refused

MOST_TYPED = 4000  # characters of a message; more are cut when it is sent


@dataclass(frozen=True)
class Form:
    """A form of the board as it was posted. `move` and `plan`, a reply and an answer on each two lines, are written as
    the player writes. `planned`: the plan is meant, too.
    """

    deed: str
    move: str = ""
    plan: str = ""
    planned: bool = False
    message: str = ""
    number: str = ""
    agreed: str = ""  # the word of a deed that cannot be taken back

    @classmethod
    def of(cls, posted: Mapping[str, Any]) -> Form:
        """Reads what was posted, or what a sign-in has kept of it."""
        named = ("move", "plan", "message", "number", "agreed")
        said = {name: str(posted.get(name, ""))[:MOST_TYPED] for name in named}
        return cls(str(posted.get("deed", "")), planned=bool(posted.get("planned")), **said)

    def kept(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Done:
    """The moment of a deed: `now`, and the arrival of what was posted."""

    now: datetime
    arrived: datetime


def _play(seat: Seat, form: Form, at: Done) -> None:
    said = _along(seat, form.message, at.now)

    def keep_plan() -> None:
        if form.planned and form.plan:
            conditional.say(seat, _planned(seat, form), now=at.now)

    services.play(
        seat,
        form.move,
        now=at.now,
        arrived=at.arrived,
        message=said,
        facts={"by": "web"},
        then=keep_plan,
    )


def _plan(seat: Seat, form: Form, at: Done) -> None:
    automatic_moves.promise(seat, _planned(seat, form), now=at.now, arrived=at.arrived)


def _clear(seat: Seat, form: Form, at: Done) -> None:
    conditional.clear(seat, int(form.number) if form.number.isdecimal() and len(form.number) < 9 else 0)


def _draw(seat: Seat, form: Form, at: Done) -> None:
    services.offer_draw(seat, now=at.now, arrived=at.arrived)


def _accept(seat: Seat, form: Form, at: Done) -> None:
    services.accept(seat, now=at.now, arrived=at.arrived)


def _decline(seat: Seat, form: Form, at: Done) -> None:
    services.decline(seat, now=at.now)


def _resign(seat: Seat, form: Form, at: Done) -> None:
    services.resign(seat, now=at.now)


def _undo(seat: Seat, form: Form, at: Done) -> None:
    if take_place("asks", f"seat:{seat.pk}", at.now) is None:
        raise Refused(Code.TOO_MUCH_ASKED, match=seat.match, limit=CAPS["asks"].most)
    takeback.undo(seat, now=at.now, arrived=at.arrived)


def _say(seat: Seat, form: Form, at: Done) -> None:
    opponent = seat.opponent.player
    if opponent.robot is not None or not may_write_to(seat.player, opponent):
        raise Refused(Code.NO_SUCH_READER, match=seat.match, name=opponent.name)
    if form.message.strip():
        _count_talk(seat, at.now)
        services.say(seat, relayed(form.message), now=at.now)


@dataclass(frozen=True)
class Deed:
    """`command` is the one of a letter that does the same."""

    do: Callable[[Seat, Form, Done], None]
    command: Callable[[int], Command]


DEEDS: Mapping[str, Deed] = {
    "play": Deed(_play, lambda match: Move("", match)),
    "plan": Deed(_plan, lambda match: If((), match)),
    "clear": Deed(_clear, lambda match: ClearIfs(match)),
    "draw": Deed(_draw, lambda match: Draw(match)),
    "accept": Deed(_accept, lambda match: Accept(match)),
    "decline": Deed(_decline, lambda match: Decline(match=match)),
    "resign": Deed(_resign, lambda match: Resign(match)),
    "undo": Deed(_undo, lambda match: Undo(match)),
    "say": Deed(_say, lambda match: Say("", match)),
}


def word_needed(deed: str, seat: Seat) -> str:
    """Returns the word that has to stand beside YES for this deed, as in a letter of the player; "" for none."""
    command = DEEDS[deed].command(seat.match_id)
    asked = consent.of_commands([command], seat.player, seat.match_id, vouched=True)
    return "".join(asked.deeds[:1]) if asked.rule.named else ""


def do(seat: Seat, form: Form, at: Done) -> None:
    """Does what was posted, in the caller's transaction and with its match locked. Refuses as the services do, and
    A09 without the word that is needed.
    """
    if form.agreed != word_needed(form.deed, seat):
        raise Refused(Code.CONFIRM_NEEDED, match=seat.match)
    DEEDS[form.deed].do(seat, form, at)


def _planned(seat: Seat, form: Form) -> list[str]:
    """Returns the replies and answers. Refuses P06 when one lacks its answer."""
    moves = form.plan.splitlines()
    if not moves or len(moves) % 2:
        raise Refused(Code.NO_MOVE_FOUND, match=seat.match)
    return moves


def _along(seat: Seat, text: str, now: datetime) -> str:
    """Returns the words that the move carries; robots read none. Refuses V09."""
    if seat.opponent.player.robot is not None:
        return ""
    said = with_answer(seat, text.strip())
    if said:
        _count_talk(seat, now)
    return said


def _count_talk(seat: Seat, now: datetime) -> None:
    if take_place("chat", f"seat:{seat.pk}", now) is None:
        raise Refused(Code.TOO_MUCH_TALK, match=seat.match, limit=CAPS["chat"].most)
