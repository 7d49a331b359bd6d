"""What all commands have in common: what is asked, as a value, not yet whether it can be done."""

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class Command:
    """`line` is what the player wrote. A `reading` command changes nothing; one that `confirms` waits for a YES
    no matter who sent it, and one that is `private` unless a mail provider stands by the message. One that
    `takes_talk` has the lines below it for its text. One about `all_matches` of the player sets their clocks anew.

    Most have a `match`, None where the player named none: then it is the match of the letter answered.
    """

    line: str = field(default="", kw_only=True, compare=False)
    reading: ClassVar[bool] = False
    confirms: ClassVar[bool] = False
    private: ClassVar[bool] = False
    takes_talk: ClassVar[bool] = False
    all_matches: ClassVar[bool] = False
