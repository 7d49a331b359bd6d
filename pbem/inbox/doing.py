"""One letter's commands, done one after the other for one player: each one service below, in its own savepoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import SystemRandom
from typing import Any, assert_never

from games.errors import UnknownName
from games.registry import find
from pbem.inbox import mailboxes
from pbem.inbox.addressing import Addressed
from pbem.inbox.answering import Answering
from pbem.inbox.commands import (
    Accept,
    AddAddress,
    Addresses,
    AnyCommand,
    Challenge,
    Decline,
    Draw,
    Games,
    Help,
    Letters,
    Move,
    Register,
    RemoveAddress,
    Resign,
    Say,
    SetAddress,
    Show,
    Start,
    Stop,
    help_lines,
    letters_words,
)
from pbem.inbox.models import OK, InboundMail
from pbem.inbox.reading import only_match
from pbem.matches import services as matches
from pbem.matches.models import Match, Seat
from pbem.outbox.telling import Section
from pbem.players.models import Player
from pbem.players.services import restart, speak_again, stop
from pbem.refusals import Refused


@dataclass
class Doing:
    """The work on one letter. `addressed` says which match its reply address is about, if any."""

    answering: Answering
    player: Player
    addressed: Addressed | None
    arrived: datetime | None = None  # of a letter that had to be confirmed; None: the letter's own arrival
    locked: dict[int, Match] = field(default_factory=dict)

    def all(self, commands: Sequence[AnyCommand], chat: str) -> list[str]:
        """Do every command in order; the verdict of each. `chat` rides on the first move, else goes alone."""
        self._lock(commands)
        verdicts = []
        for command in commands:
            try:
                chat = self._do(command, chat)
                verdicts.append(OK)
            except Refused as refused:
                verdicts.append(self.refuse(refused))
        if self.says(chat) and (OK in verdicts or not commands):
            self._say(self.seat(None), chat)
        elif self.says(chat):
            self.tell({"kind": "unsaid", "text": chat}, match=self.seat(None).match)
        if self.player.silent_since and any(map(_plays_on, commands)):
            speak_again(self.player)
        return verdicts

    @property
    def row(self) -> InboundMail:
        return self.answering.letter

    @property
    def now(self) -> datetime:
        return self.answering.now

    def says(self, chat: str) -> bool:
        """Whether there is somebody to whom the talk in the letter goes."""
        return bool(chat) and self._token_seat is not None

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

    @property
    def _token_seat(self) -> Seat | None:
        return self.addressed.seat if self.addressed else None

    def _do(self, command: AnyCommand, chat: str) -> str:
        """One command; what is left of the chat. Raises Refused."""
        letter, now, arrived = self.row.pk, self.now, self.arrived or self.row.received_at
        match command:
            case Move():
                seat = self.seat(command.match)
                ply = command.ply - 1 if command.ply is not None else self._ply_of(seat)
                matches.play(
                    seat, command.text, ply=ply, now=now, arrived=arrived, letter=letter, message=chat
                )
                return ""
            case Accept():
                matches.accept(self.seat(command.match), now=now, arrived=arrived, letter=letter)
            case Decline():
                matches.decline(self.seat(command.match), reason=command.reason, now=now, letter=letter)
            case Draw():
                matches.offer_draw(self.seat(command.match), now=now, arrived=arrived, letter=letter)
            case Resign():
                matches.resign(self.seat(command.match), now=now, letter=letter)
            case Say():
                self._say(self.seat(command.match), command.text)
            case Challenge():
                self._challenge(command)
            case Show():
                self._show(command)
            case Games():
                self.tell({"kind": "games"})
            case Help():
                self._help(command)
            case Letters():
                self._letters()
            case Stop():
                stop(self.player, command.sort, now=now)
                self._letters()
            case Start():
                restart(self.player, command.sort)
                self._letters()
            case Addresses():
                self.tell({"kind": "addresses"})
            case AddAddress() | SetAddress() | RemoveAddress():
                self.tell(mailboxes.change(command, self.player, self.answering))
            case Register():
                raise Refused("C07", name=self.player.name)
            case _:
                assert_never(command)
        return chat

    def seat(self, number: int | None) -> Seat:
        """The player's seat in the match he names, or in the one that his letter is about. Refuses G01."""
        if number is None and self._token_seat:
            number = self._token_seat.match_id
        if number is None and (only := only_match(self.player)):
            number = only.pk
        match = self._locked_match(number) if number is not None else None
        seat = next((s for s in match.seated if s.player_id == self.player.pk), None) if match else None
        if seat is None:
            raise Refused("G01", number=number)
        return seat

    def _ply_of(self, seat: Seat) -> int | None:
        """Which turn a reply means: the one that was shown in the letter answered."""
        same = self.addressed and self.addressed.seat and self.addressed.seat.pk == seat.pk
        return self.addressed.ply if same and self.addressed else None

    def _say(self, seat: Seat, text: str) -> None:
        matches.say(seat, text, now=self.now, letter=self.row.pk)

    def _challenge(self, command: Challenge) -> None:
        opponent = Player.objects.reachable().called(command.who)
        if opponent is None:
            others = Player.objects.reachable().exclude(pk=self.player.pk)
            # Beside an address no name is suggested: vera@v.it looks like Vera.
            nearest = () if "@" in command.who else others.near(command.who)
            raise Refused("C01", name=command.who, nearest=nearest)
        matches.propose(
            challenger=self.player,
            opponent=opponent,
            game=command.game,
            options=command.options,
            setup=command.setup,
            now=self.now,
            rng=SystemRandom(),
            letter=self.row.pk,
        )

    def _show(self, command: Show) -> None:
        seat = self.seat(command.match)
        ply = seat.match.ply if command.ply is None else command.ply
        if not 0 <= ply <= seat.match.ply:
            raise Refused("G10", match=seat.match, number=command.ply)
        self.tell({"kind": "board", "match": seat.match_id, "ply": ply}, match=seat.match)

    def _help(self, command: Help) -> None:
        topic = command.topic
        if topic:
            try:
                topic = find(topic)[0].key
            except UnknownName as unknown:
                raise Refused("C02", text=command.topic, nearest=unknown.nearest) from None
        commands: list[Any] = [list(line) for line in help_lines(self.player.language)]
        self.tell({"kind": "help", "topic": topic, "commands": commands})

    def _letters(self) -> None:
        self.tell({"kind": "letters", "words": letters_words(self.player.language)})

    def _lock(self, commands: Sequence[AnyCommand]) -> None:
        """All matches that the letter may touch, in one order, before the first is changed."""
        named = [getattr(command, "match", None) for command in commands]
        numbers: set[int] = {number for number in named if number is not None}
        if self._token_seat:
            numbers.add(self._token_seat.match_id)
        mine = Match.objects.filter(pk__in=numbers, seats__player=self.player)
        self.locked |= {match.pk: match for match in mine.locked()}

    def _locked_match(self, number: int) -> Match | None:
        if number not in self.locked:
            found = Match.objects.filter(pk=number, seats__player=self.player).locked().first()
            if found is None:
                return None
            self.locked[number] = found
        return self.locked[number]


def _plays_on(command: AnyCommand) -> bool:
    return not command.reading and not isinstance(command, (Stop, Start))
