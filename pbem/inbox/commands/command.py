"""The commands as values: what is asked, not yet whether it can be done.

The docstrings are the English HELP letter. `match` is None where the player named none: then it is the
match of the letter answered. A `reading` command changes nothing; one that `confirms` waits for a YES
whoever sent it. `line` is what the player wrote.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.players.subscriptions import Subscription


@dataclass(frozen=True)
class Command:
    line: str = field(default="", kw_only=True, compare=False)
    reading: ClassVar[bool] = False
    confirms: ClassVar[bool] = False


@dataclass(frozen=True)
class Help(Command):
    """Sends this list, or the rules and the notation of a game."""

    topic: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Register(Command):
    """Signs you up: we write back, you answer, and that is all. There is no password."""

    name: str = ""


@dataclass(frozen=True)
class Challenge(Command):
    """Challenges a player to a game. Say FIRST or SECOND, or the side that you want, and the rules,
    after the game, as in CHALLENGE Bruno zertz FIRST goals=short. A set-up of your own comes last,
    setup= and what the rules of the game say."""

    who: str
    game: str
    options: tuple[str, ...] = ()
    setup: str | None = None


@dataclass(frozen=True)
class Accept(Command):
    """Accepts a challenge or an offer. YES counts only alone on its line."""

    match: int | None = None


@dataclass(frozen=True)
class Decline(Command):
    """Declines a challenge or an offer. NO counts only alone on its line."""

    match: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Move(Command):
    """Plays your move; the word MOVE may be left out. With #12 after it, it is played only if it is
    still the 12th."""

    text: str
    match: int | None = None
    ply: int | None = None


@dataclass(frozen=True)
class Show(Command):
    """Shows the board of a match, now or after some move."""

    match: int | None = None
    ply: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Games(Command):
    """Lists your matches and the games that can be played here."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Resign(Command):
    """Gives the match up. We ask you to confirm."""

    match: int | None = None
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class Draw(Command):
    """Offers a draw. The offer stands until the next move."""

    match: int | None = None


@dataclass(frozen=True)
class Say(Command):
    """Sends a message to your opponent; so does any line after your move."""

    text: str
    match: int | None = None


@dataclass(frozen=True)
class Letters(Command):
    """Lists the sorts of letters, and which of them you get."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Stop(Command):
    """No more letters of a sort: TURNS, RECEIPTS, MESSAGES, CHALLENGES, NEWS. The word alone lists them.
    Answers to your own letters always come."""

    sort: Subscription | None = None


@dataclass(frozen=True)
class Start(Command):
    """Letters of a sort again, or of every sort."""

    sort: Subscription | None = None


@dataclass(frozen=True)
class Addresses(Command):
    """Lists the addresses that you write from; our letters go to the first."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class AddAddress(Command):
    """Adds an address that you write from. We ask you to confirm, and then we ask that address."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class SetAddress(Command):
    """Has our letters sent to this address from now on, and adds it where it is new. We ask you to confirm."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class RemoveAddress(Command):
    """Takes an address away. We ask you to confirm."""

    address: str
    confirms: ClassVar[bool] = True


AnyCommand = (
    Help
    | Register
    | Challenge
    | Accept
    | Decline
    | Move
    | Show
    | Games
    | Resign
    | Draw
    | Say
    | Letters
    | Stop
    | Start
    | Addresses
    | AddAddress
    | SetAddress
    | RemoveAddress
)
