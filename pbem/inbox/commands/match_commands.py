"""Commands about matches, puzzles and contests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from games.move_numbers import MoveNumber
from pbem.analysis.service import IDEA
from pbem.inbox.commands.command import Command
from pbem.inbox.understanding.slots.dates import Day


@dataclass(frozen=True)
class Move(Command):
    """Plays a move; with a `number`, only if it is still the move of that number."""

    text: str
    match: int | None = None
    number: MoveNumber | None = None


@dataclass(frozen=True)
class Draw(Command):
    """Offers a draw."""

    match: int | None = None


@dataclass(frozen=True)
class Resign(Command):
    """Resigns the match."""

    match: int | None = None
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class Undo(Command):
    """Takes back the player's last move, or so many turns of both."""

    match: int | None = None
    plies: int | None = None


@dataclass(frozen=True)
class If(Command):
    """Plays answers if the opponent replies as stated: a line for each case."""

    moves: tuple[str | None, ...]  # reply, answer, reply, answer; None is any reply
    match: int | None = None
    ply: int | None = None  # ply of the board in the digest that it answers


@dataclass(frozen=True)
class Next(Command):
    """Plays the next move after any reply of the opponent."""

    text: str
    match: int | None = None
    ply: int | None = None  # as in If

    @property
    def moves(self) -> tuple[str | None, ...]:
        return (None, self.text)


@dataclass(frozen=True)
class Ifs(Command):
    """Lists the conditional moves of a match."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class ClearIfs(Command):
    """Removes the conditional moves of a match: all, or the line with this number."""

    match: int | None = None
    number: int | None = None


@dataclass(frozen=True)
class Try(Command):
    """Shows where moves would lead; nothing is played."""

    moves: tuple[str, ...]
    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Show(Command):
    """Shows the board of a match, now or after some move, or the last boards."""

    match: int | None = None
    number: MoveNumber | None = None
    last: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Describe(Command):
    """Describes the board in words alone."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class History(Command):
    """Lists the moves of a match."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class RecordOf(Command):
    """Sends the record of a match as files."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Status(Command):
    """Shows which player is to move, in each match or in one."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Clock(Command):
    """Shows the time of both players, in one match or in all."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Claim(Command):
    """Claims the win on time, where it has to be claimed."""

    match: int | None = None


@dataclass(frozen=True)
class Absences(Command):
    """Lists the absences that the player has announced."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Away(Command):
    """Announces an absence from `first` to `last`, or of so many `days`; opponents read the `text`."""

    first: Day
    last: Day | None = None
    days: int | None = None
    text: str = ""
    all_matches: ClassVar[bool] = True

    @property
    def is_now(self) -> bool:
        """Whether the absence is of today alone, as in `I go to bed now`."""
        return self.first.ahead == 0 and self.last is None and self.days is None

    def between(self, today: date) -> tuple[date, date] | None:
        """Returns the first and the last day, given the player's `today`. None when there is no such day."""
        first = self.first.on(today)
        last = self.last.on(first) if self.last and first else None
        if first is None or (self.last and last is None):
            return None
        return first, last or first + timedelta(days=(self.days or 1) - 1)


@dataclass(frozen=True)
class Back(Command):
    """Ends the current absence, or takes back the one that begins on `day`."""

    day: Day | None = None
    all_matches: ClassVar[bool] = True


@dataclass(frozen=True)
class Pause(Command):
    """Asks the opponent for a pause of so many days, or `until` the day on which the clock runs again."""

    days: int | None = None
    match: int | None = None
    until: Day | None = None

    def lasting(self, today: date) -> int | None:
        """Returns the length in days, given the player's `today`. None when there is no such day."""
        # `Until Monday` said on a Monday is the next.
        if self.until is None:
            return self.days
        day = self.until.on(today)
        if day == today and self.until.weekday is not None:
            return 7
        return (day - today).days if day else None


@dataclass(frozen=True)
class Give(Command):
    """Gives the opponent more time, in `hours`."""

    hours: int
    match: int | None = None

    @property
    def lasting(self) -> timedelta:
        return timedelta(hours=self.hours)


@dataclass(frozen=True)
class Challenge(Command):
    """Challenges a player, or any player, or invites the reader of an e-mail address."""

    who: str
    game: str
    options: tuple[str, ...] = ()
    setup: str | None = None


@dataclass(frozen=True)
class Accept(Command):
    """Accepts a challenge or an offer."""

    match: int | None = None


@dataclass(frozen=True)
class Decline(Command):
    """Declines a challenge or an offer, with a reason or without."""

    match: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Rematch(Command):
    """Asks for a rematch with the sides changed."""

    match: int | None = None


@dataclass(frozen=True)
class Swap(Command):
    """Changes sides instead of moving, and so takes over the first move."""

    match: int | None = None


@dataclass(frozen=True)
class Offer(Command):
    """Offers a match to all players; `keep` renews it until so many of its matches run."""

    game: str
    options: tuple[str, ...] = ()
    keep: int | None = None
    setup: str | None = None


@dataclass(frozen=True)
class Open(Command):
    """Lists the open offers, or those of a game."""

    game: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Join(Command):
    """Takes an open offer."""

    number: int


@dataclass(frozen=True)
class Close(Command):
    """Withdraws an offer of the player."""

    number: int


@dataclass(frozen=True)
class Watch(Command):
    """Sends the board of a match of other players after each move."""

    number: int
    delay: int = 0


@dataclass(frozen=True)
class Unwatch(Command):
    """Stops the letters about a watched match."""

    number: int


@dataclass(frozen=True)
class Note(Command):
    """Keeps a private note about a match; `clear` deletes all of them."""

    text: str
    match: int | None = None
    clear: bool = False


@dataclass(frozen=True)
class Notes(Command):
    """Sends the player's notes about a match."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Analyse(Command):
    """Asks for the analysis of a match that is over."""

    match: int | None = None


@dataclass(frozen=True)
class Hint(Command):
    """Asks a robot for a hint: an idea first, then the move."""

    match: int | None = None
    stage: int = IDEA


@dataclass(frozen=True)
class GetPuzzle(Command):
    """Asks for a puzzle, of a game or of any."""

    game: str = ""


@dataclass(frozen=True)
class Solve(Command):
    """Answers the open puzzle with a move."""

    text: str = ""


@dataclass(frozen=True)
class Puzzles(Command):
    """Sets whether puzzles may be made of the player's matches; None only asks."""

    gives: bool | None = None


@dataclass(frozen=True)
class Contests(Command):
    """Lists all contests that are open or being played."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Enter(Command):
    """Enters a contest.

    `contest` None: the only one that takes entries. `always`: every edition; None: the contest's default.
    """

    contest: int | None = None
    always: bool | None = None


@dataclass(frozen=True)
class Leave(Command):
    """Leaves a contest: the entry is removed before it begins, a withdrawal after that."""

    contest: int | None = None
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class Table(Command):
    """Shows the table of a contest."""

    contest: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Ladder(Command):
    """Shows the ladder, and the players that can be challenged there."""

    contest: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Climb(Command):
    """Challenges a player for a higher place on the ladder."""

    who: str
    contest: int | None = None
