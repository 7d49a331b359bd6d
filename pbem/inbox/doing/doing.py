"""One letter's commands, done one after the other for one player: each one service below, in its own savepoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from pbem.inbox.answering import Answering
from pbem.inbox.commands import Command
from pbem.inbox.commands.families.letters import Start, Stop
from pbem.inbox.commands.families.playing import Move
from pbem.inbox.commands.families.watching import Unwatch, Watch
from pbem.inbox.doing import suspended, talk
from pbem.inbox.doing.table import DO
from pbem.inbox.models import OK, InboundMail
from pbem.inbox.recipient import MessageRecipient, Recipient, ply_of, seat_of
from pbem.inbox.shapes import only_match
from pbem.matches.models import Match, Seat
from pbem.outbox.telling import Section
from pbem.players.models import Player
from pbem.players.services import speak_again
from pbem.refusals import Refused


@dataclass
class Doing:
    """The work on one letter. `addressed` says which match its reply address is about, if any."""

    answering: Answering
    player: Player
    addressed: Recipient | None
    arrived: datetime | None = None  # of a letter that had to be confirmed; None: the letter's own arrival
    asked_at: datetime | None = None  # whether they mean it
    chat: str = ""  # the talk of the letter, until something has taken it along
    locked: dict[int, Match] = field(default_factory=dict)
    commands: Sequence[Command] = ()
    ridden: dict[Command, Refused | None] = field(default_factory=dict)  # what went with a move, or why not
    waiting: list[Command] = field(default_factory=list)  # for the move that stands below in the letter
    moved: set[int] = field(default_factory=set)  # the matches whose move was tried

    def all(self, commands: Sequence[Command], chat: str) -> list[str]:
        """Do every command in order; the verdict of each. `chat` rides on the first move, else goes alone."""
        self._lock(commands)
        silenced = suspended.silences(self, chat)
        self.chat, self.commands = "" if silenced else chat, commands
        done = [(command, self._do(command)) for command in commands]
        verdicts = [verdict for command, verdict in done if command not in self.waiting]
        verdicts += [self._do(command) for command in self.waiting]
        if silenced:
            verdicts.append(self.refuse(Refused("A07")))
        if self.says(self.chat):
            self._say_the_rest(done=OK in verdicts or not commands)
        if self.player.silent_since and any(map(_plays_on, commands)):
            speak_again(self.player)
        return verdicts

    def waits_for_move(self, command: Command, seat: Seat) -> bool:
        """Whether a move that the letter has below has to be tried first; then the command comes again after it."""
        if not seat.is_to_move or seat.match_id in self.moved or command in self.waiting:
            return False
        moves = (other for other in self.commands if isinstance(other, Move))
        if not any(other.match in (seat.match_id, None) for other in moves):
            return False
        self.waiting.append(command)
        return True

    @property
    def row(self) -> InboundMail:
        return self.answering.letter

    @property
    def now(self) -> datetime:
        return self.answering.now

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
        return bool(chat) and (self._token_seat is not None or isinstance(self.addressed, MessageRecipient))

    def says_enough(self, chat: str) -> bool:
        """Whether the letter needs no command: it answers what a player wrote."""
        return bool(chat) and isinstance(self.addressed, MessageRecipient)

    def refuse(self, refused: Refused) -> str:
        """The answer that says why not, with the board as it stands; the code is the verdict."""
        facts = dict(refused.facts)
        match: Match | None = facts.pop("match", None)
        if match is None and self._token_seat:
            match = self._token_seat.match
        section: Section = {"kind": "refused", "code": refused.code} | facts
        if objection := facts.get("objection"):
            section["objection"] = [objection.code, objection.cells, objection.pieces, objection.numbers]
        if match:
            section["match"] = match.pk
        self.tell(section, match=match)
        return refused.code

    def may_tell(self, section: Section, *, match: Match | None = None) -> bool:
        """Whether the caps let this be said in answer to this letter."""
        return self.answering.may_tell(self.player.email, section, player=self.player, match=match)

    def tell(self, section: Section, *, match: Match | None = None, cause: str = "") -> None:
        """Add a section to the answer that the player gets to this letter."""
        self.answering.tell_player(self.player, section, match=match, cause=cause)

    def _say_the_rest(self, *, done: bool) -> None:
        """What no command took along is said if anything else of the letter could be `done`."""
        try:
            if done:
                talk.rest(self)
            else:
                match = self._token_seat.match if self._token_seat else None
                self.tell({"kind": "unsaid", "text": self.chat}, match=match)
        except Refused as refused:
            self.refuse(refused)

    @property
    def _token_seat(self) -> Seat | None:
        return seat_of(self.addressed)

    @property
    def own(self) -> int | None:
        """The match of the letter answered."""
        return self._token_seat.match_id if self._token_seat else None

    def seat(self, number: int | None) -> Seat:
        """The player's seat in the match they name, or in the one that their letter is about. Refuses G01."""
        if number is None and self._token_seat:
            number = self._token_seat.match_id
        if number is None and (only := only_match(self.player)):
            number = only.pk
        match = self._locked_match(number) if number is not None else None
        seat = next((s for s in match.seated if s.player_id == self.player.pk), None) if match else None
        if seat is None:
            raise Refused("G01", number=number)
        return seat

    def ply_of(self, seat: Seat) -> int | None:
        """Which turn a reply means: the one that was shown in the letter answered."""
        own = self._token_seat
        return ply_of(self.addressed) if own and own.pk == seat.pk else None

    def _do(self, command: Command) -> str:
        try:
            suspended.check(self, command)
            DO[type(command)](self, command)
        except Refused as refused:
            return self.refuse(refused)
        return OK

    def _lock(self, commands: Sequence[Command]) -> None:
        """All matches that the letter may touch, in one order, before the first is changed.

        One that the player only follows is locked with them, but is not theirs.
        """
        named = [getattr(command, "match", None) for command in commands]
        numbers: set[int] = {number for number in named if number is not None}
        if self._token_seat:
            numbers.add(self._token_seat.match_id)
        touched = Q(pk__in=numbers)
        if any(command.all_matches for command in commands):
            touched |= Q(status=Match.Status.PLAYING)
        mine = Match.objects.filter(touched, seats__player=self.player)
        if followed := [command.number for command in commands if isinstance(command, (Watch, Unwatch))]:
            both = Match.objects.filter(Q(pk__in=mine.values("pk")) | Q(pk__in=followed))
            list(both.locked().values_list("pk"))
        self.locked |= {match.pk: match for match in mine.locked()}

    def _locked_match(self, number: int) -> Match | None:
        if number not in self.locked:
            found = Match.objects.filter(pk=number, seats__player=self.player).locked().first()
            if found is None:
                return None
            self.locked[number] = found
        return self.locked[number]


def _plays_on(command: Command) -> bool:
    return not command.reading and not isinstance(command, (Stop, Start))
