"""Commands: what is asked, not whether it can be done. Here are those of players and their letters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from pbem.players.api_tokens import USUAL, Scope
from pbem.players.subscriptions import Subscription


@dataclass(frozen=True)
class Command:
    """A parsed command: what is asked, not whether it can be done.

    `line` is the player's text; a `match` of None is that of the letter answered. `reading`: changes nothing.
    `confirms`: always needs a YES. `private`: needs one unless a mail provider vouches for the message.
    `takes_talk`: the lines below are its text. `all_matches`: sets all the player's clocks anew.
    """

    line: str = field(default="", kw_only=True, compare=False)
    reading: ClassVar[bool] = False
    confirms: ClassVar[bool] = False
    private: ClassVar[bool] = False
    takes_talk: ClassVar[bool] = False
    all_matches: ClassVar[bool] = False


@dataclass(frozen=True)
class Help(Command):
    """Sends the help on everything, on a verb or on a game, or the player's guide."""

    topic: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Games(Command):
    """Lists the player's matches, and all games."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Register(Command):
    """Registers a player."""

    name: str = ""


@dataclass(frozen=True)
class Addresses(Command):
    """Lists the addresses that the player writes from."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class AddAddress(Command):
    """Adds an address that the player writes from."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class SetAddress(Command):
    """Sends the player's letters to this address from now on; a new one is added."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class SetName(Command):
    """Renames the player."""

    name: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class RemoveAddress(Command):
    """Removes an address."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class Players(Command):
    """Lists the players who want to be found, or those of a game."""

    game: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Rating(Command):
    """Shows the ratings of a player, by default the sender's."""

    who: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Ratings(Command):
    """Shows the best players of a game with its variant, by default of the games with the most players."""

    game: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Limit(Command):
    """Limits the number of matches, of a game or of all; `most` None removes the limit."""

    game: str = ""
    most: int | None = None


@dataclass(frozen=True)
class Limits(Command):
    """Lists limits and refusals."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Refuse(Command):
    """Refuses the challenges of a player, or those to one game."""

    who: str
    game: str = ""


@dataclass(frozen=True)
class Block(Command):
    """Refuses the challenges and the messages of a player."""

    who: str


@dataclass(frozen=True)
class Allow(Command):
    """Takes back a refusal."""

    who: str


@dataclass(frozen=True)
class Preferences(Command):
    """Lists the most common preferences, all, or one, with possible and current values."""

    topic: str = ""  # "" is several
    everything: bool = False
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Set(Command):
    """Sets a topic to a value."""

    topic: str  # "" for an unknown topic: then `word` is what was written
    word: str
    value: str = ""
    wishes: tuple[tuple[str, Any], ...] = ()  # columns of Player; empty for an invalid value
    all_matches: ClassVar[bool] = True  # the night and the zone change clocks


@dataclass(frozen=True)
class Letters(Command):
    """Lists the sorts of letters, and those that the player gets."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Stop(Command):
    """Stops the letters of a sort; None: all."""

    sort: Subscription | None = None


@dataclass(frozen=True)
class Start(Command):
    """Resumes the letters of a sort; None: all."""

    sort: Subscription | None = None


@dataclass(frozen=True)
class Say(Command):
    """Sends a message to the opponent."""

    text: str
    match: int | None = None


@dataclass(frozen=True)
class Message(Command):
    """Sends a message to a player, beside any match."""

    who: str
    text: str = ""
    takes_talk: ClassVar[bool] = True


@dataclass(frozen=True)
class Report(Command):
    """Reports abuse by the opponent in a match, or by the player named first in the text."""

    text: str = ""
    match: int | None = None
    takes_talk: ClassVar[bool] = True


@dataclass(frozen=True)
class MyData(Command):
    """Mails all data kept of the player to their registered address."""

    private: ClassVar[bool] = True


@dataclass(frozen=True)
class Tokens(Command):
    """Lists the player's tokens for the API."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class MakeToken(Command):
    """Makes a token for the API, which is sent to the player's registered address."""

    scopes: tuple[Scope, ...] = ()
    days: int = USUAL
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class StopToken(Command):
    """Ends the token with this number; None: all."""

    number: int | None = None


@dataclass(frozen=True)
class Print(Command):
    """Allows or withdraws a printed name.

    `name` "" is the one that the organiser asked for. `agreed` False withdraws it; None only asks for the
    state.
    """

    agreed: bool | None = None
    name: str = ""
