"""The work on one letter for one player, as the handlers of its commands see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.inbox.commands import Command
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.digests import NO_TURN
from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.inbox.recipient import MessageRecipient, Recipient, ply_of, seat_of
from pbem.inbox.responder import Responder
from pbem.inbox.unnumbered import only_match
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.refusals import Code, Refused


@dataclass
class CommandContext:
    """`addressed` says which match the reply address of the letter is about, if any."""

    responder: Responder
    player: Player
    recipient: Recipient | None
    arrived: datetime | None = None  # of a letter that had to be confirmed; None: the letter's own arrival
    asked_at: datetime | None = None  # whether they mean it
    chat: str = ""  # the talk of the letter, until something has taken it along
    met: list[Seat] = field(default_factory=list)  # in the matches that the letter has asked for, or begun
    invited: list[Invitation] = field(default_factory=list)  # with the talk of the letter
    locked: dict[int, Match] = field(default_factory=dict)
    commands: Sequence[Command] = ()
    attached: dict[Command, Refused | None] = field(default_factory=dict)  # what went with a move, or why not
    waiting: list[Command] = field(default_factory=list)  # for the move that stands below in the letter
    moved: set[int] = field(default_factory=set)  # the matches whose move was tried
    unplayed: dict[int | None, str] = field(default_factory=dict)  # those whose move was refused, and why

    def waits_for_move(self, command: Command, seat: Seat) -> bool:
        """Whether a move that the letter has below has to be tried first; then the command comes again after it."""
        if not seat.is_to_move or seat.match_id in self.moved or command in self.waiting:
            return False
        moves = (other for other in self.commands if isinstance(other, Move))
        if not any(other.match in (seat.match_id, None) for other in moves):
            return False
        self.waiting.append(command)
        return True

    def meets(self, match: Match) -> None:
        """The talk of the letter goes to the opponent in this match, unless it goes elsewhere."""
        self.met += [seat for seat in match.seated if seat.player_id == self.player.pk]

    @property
    def row(self) -> InboundMail:
        return self.responder.letter

    @property
    def now(self) -> datetime:
        return self.responder.now

    @property
    def arrival(self) -> datetime:
        """From when on what is done counts."""
        return self.arrived or self.row.received_at

    def arrival_in(self, seat: Seat) -> datetime:
        """The same of one match: what had to be confirmed is as old as it looks only in the match that it was about.
        In any other that it names it comes with its YES, for nobody has counted it there."""
        asked = self.asked_at is not None
        return self.row.received_at if asked and seat.match_id != self.own else self.arrival

    def says(self, chat: str) -> bool:
        """Whether there is somebody to whom the talk in the letter goes."""
        return bool(chat) and (self.token_seat is not None or isinstance(self.recipient, MessageRecipient))

    def says_enough(self, chat: str) -> bool:
        """Whether the letter needs no command: it answers what a player wrote."""
        return bool(chat) and isinstance(self.recipient, MessageRecipient)

    def refuse(self, refused: Refused) -> str:
        """The answer that says why not, with the board as it stands; the code is the verdict."""
        facts = dict(refused.facts)
        match: Match | None = facts.pop("match", None)
        if match is None and self.token_seat:
            match = self.token_seat.match
        section: Section = {"kind": "refused", "code": refused.code} | facts
        if objection := facts.get("objection"):
            section["objection"] = [objection.code, objection.cells, objection.pieces, objection.numbers]
        if match:
            section["match"] = match.pk
        self.reply(section, match=match)
        return refused.code

    def may_reply(self, section: Section, *, match: Match | None = None) -> bool:
        """Whether the caps let this be said in answer to this letter."""
        return self.responder.may_tell(self.player.email, section, player=self.player, match=match)

    def reply(self, section: Section, *, match: Match | None = None, cause: str = "") -> None:
        """Add a section to the answer that the player gets to this letter. What is about no match, such as the rules,
        is answered as the letter about a match that asked for it."""
        seat, ply = self.token_seat, ply_of(self.recipient)
        of_a_turn = self.recipient and self.recipient.state != "revoked" and ply not in (None, NO_TURN)
        if match is None and seat and of_a_turn and "reply_to" not in section:
            section = section | {"seat": [seat.pk, ply]}
        self.responder.tell_player(self.player, section, match=match, cause=cause)

    @property
    def token_seat(self) -> Seat | None:
        """The seat whose reply address the letter came to."""
        return seat_of(self.recipient)

    @property
    def own(self) -> int | None:
        """The match of the letter answered."""
        return self.token_seat.match_id if self.token_seat else None

    def seat(self, number: int | None) -> Seat:
        """The player's seat in the match they name, or in the one that their letter is about. Refuses G01."""
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
        """Which turn a reply means: the one that was shown in the letter answered."""
        own = self.token_seat
        return ply_of(self.recipient) if own and own.pk == seat.pk else None

    def _locked_match(self, number: int) -> Match | None:
        if number not in self.locked:
            found = Match.objects.filter(pk=number, seats__player=self.player).locked().first()
            if found is None:
                return None
            self.locked[number] = found
        return self.locked[number]


# How often in a day a player may do what others get letters about.


def count(
    cap: str, context: CommandContext, *, refusal: str, seat: Seat | None = None, whom: str = ""
) -> None:
    """One more deed of this day, of the player, of their `seat`, or of `whom`; inside the transaction of the deed, so
    that a refused one is not counted."""
    whom = whom or (f"seat:{seat.pk}" if seat else f"player:{context.player.pk}")
    if take_place(cap, whom, context.now) is None:
        facts = {"match": seat.match} if seat else {}
        raise Refused(refusal, limit=CAPS[cap].most, **facts)


# What does a command: the service below that it calls, and what its player is told.

# Does the command, or raises Refused before anything was changed.
Handler = Callable[[CommandContext, Any], None]
