"""The state of one letter that its command handlers share, and the daily caps on their actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.commands.verbs import Reader
from pbem.inbox.digests import NO_TURN
from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.inbox.recipient import MessageRecipient, Recipient, ply_of, seat_of
from pbem.inbox.responder import Responder
from pbem.inbox.unnumbered import only_match
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.refusals import Code, Refused


@dataclass
class CommandContext:
    """One letter of one player, as its command handlers see it."""

    responder: Responder
    player: Player
    recipient: Recipient | None
    arrived: datetime | None = None  # of a confirmed letter; None means the arrival of the letter itself
    asked_at: datetime | None = None  # when a confirmation was asked for
    chat: str = ""  # the free text of the letter, until a command takes it along
    met: list[Seat] = field(default_factory=list)  # own seats in matches that the letter proposed or began
    invited: list[Invitation] = field(default_factory=list)  # invitations that carry the free text
    locked: dict[int, Match] = field(default_factory=dict)
    commands: Sequence[Command] = ()
    attached: dict[Command, Refused | None] = field(default_factory=dict)  # sent with a move, or why not
    waiting: list[Command] = field(default_factory=list)  # for a move further down in the letter
    moved: set[int] = field(default_factory=set)  # matches with a tried move
    unplayed: dict[int | None, str] = field(default_factory=dict)  # matches with a refused move, and the code

    def waits_for_move(self, command: Command, seat: Seat) -> bool:
        """Whether a move below in the letter has to be tried first; if so, queues the command behind it."""
        if not seat.is_to_move or seat.match_id in self.moved or command in self.waiting:
            return False
        moves = (other for other in self.commands if isinstance(other, Move))
        if not any(other.match in (seat.match_id, None) for other in moves):
            return False
        self.waiting.append(command)
        return True

    def meets(self, match: Match) -> None:
        """Records a match that was begun or proposed, so that its opponent gets the free text by default."""
        self.met += [seat for seat in match.seated if seat.player_id == self.player.pk]

    @property
    def row(self) -> InboundMail:
        return self.responder.letter

    @property
    def now(self) -> datetime:
        return self.responder.now

    @property
    def arrival(self) -> datetime:
        """The moment from which the letter's actions count."""
        return self.arrived or self.row.received_at

    def arrival_in(self, seat: Seat) -> datetime:
        """The same for one match. Confirmed commands for another match count from the arrival of the YES."""
        # The time of a question is only credited in the match that it was about.
        asked = self.asked_at is not None
        return self.row.received_at if asked and seat.match_id != self.own else self.arrival

    def says(self, chat: str) -> bool:
        """Whether the free text has a reader."""
        return bool(chat) and (self.token_seat is not None or isinstance(self.recipient, MessageRecipient))

    def says_enough(self, chat: str) -> bool:
        """Whether the letter needs no command because it answers a player's message."""
        return bool(chat) and isinstance(self.recipient, MessageRecipient)

    def refuse(self, refused: Refused) -> str:
        """Replies with the refusal and the current board; returns the code as the verdict."""
        facts = dict(refused.facts)
        match: Match | None = facts.pop("match", None)
        if match is None and self.token_seat:
            match = self.token_seat.match
        section = refusal(refused.code, facts)
        if objection := facts.get("objection"):
            section["objection"] = [objection.code, objection.cells, objection.pieces, objection.numbers]
        if match:
            section["match"] = match.pk
        self.reply(section, match=match)
        return refused.code

    def may_reply(self, section: Section, *, match: Match | None = None) -> bool:
        """Whether the caps allow this reply."""
        return self.responder.may_reply(self.player.email, section, player=self.player, match=match)

    def reply(self, section: Section, *, match: Match | None = None, cause: str = "") -> None:
        """Adds a section to the answer. One about no match is answered in the match of the letter."""
        seat, ply = self.token_seat, ply_of(self.recipient)
        of_a_turn = self.recipient and self.recipient.state != "revoked" and ply not in (None, NO_TURN)
        if match is None and seat and of_a_turn and "reply_to" not in section:
            section = section | {"seat": [seat.pk, ply]}
        self.responder.tell_player(self.player, section, match=match, cause=cause)

    @property
    def token_seat(self) -> Seat | None:
        """The seat that the letter's reply address belongs to. None when there is none."""
        return seat_of(self.recipient)

    @property
    def own(self) -> int | None:
        """The match of the seat that the letter answers. None when there is none."""
        return self.token_seat.match_id if self.token_seat else None

    def seat(self, number: int | None) -> Seat:
        """Returns the player's seat in this match, or in the one that the letter is about. Refuses G01."""
        if number is None and self.token_seat:
            number = self.token_seat.match_id
        if number is None and (only := only_match(self.player)):
            number = only.pk
        match = self._locked_match(number) if number is not None else None
        seat = next((s for s in match.seated if s.player_id == self.player.pk), None) if match else None
        if seat is None:
            raise Refused(Code.NO_SUCH_MATCH, number=number)
        return seat

    def ply_of(self, seat: Seat) -> int | None:
        """The turn shown in the letter that is answered. None for another seat."""
        own = self.token_seat
        return ply_of(self.recipient) if own and own.pk == seat.pk else None

    def _locked_match(self, number: int) -> Match | None:
        if number not in self.locked:
            found = Match.objects.filter(pk=number, seats__player=self.player).locked().first()
            if found is None:
                return None
            self.locked[number] = found
        return self.locked[number]


# Daily caps on actions that cause letters to other players


def count(
    cap: str, context: CommandContext, *, refusal: str, seat: Seat | None = None, whom: str = ""
) -> None:
    """Counts one action of today for the player, their `seat`, or `whom`; raises `refusal` above the cap.

    Call it in the transaction of the action, so that a refused action is not counted.
    """
    whom = whom or (f"seat:{seat.pk}" if seat else f"player:{context.player.pk}")
    if take_place(cap, whom, context.now) is None:
        facts = {"match": seat.match} if seat else {}
        raise Refused(refusal, limit=CAPS[cap].most, **facts)


# Does a command, or raises Refused before anything has changed.
Handler = Callable[[CommandContext, Any], None]
Verbs = Mapping[type[Command], tuple[Reader, Handler]]  # of a family
