"""What a player can write, from lines of a letter to typed commands."""

from pbem.inbox.commands.command import (
    Accept,
    AnyCommand,
    Challenge,
    Command,
    Decline,
    Draw,
    Games,
    Help,
    Move,
    Register,
    Resign,
    Say,
    Show,
)
from pbem.inbox.commands.reading import Understood, read_yes, understand
from pbem.inbox.commands.words import help_lines

__all__ = [
    "Accept",
    "AnyCommand",
    "Challenge",
    "Command",
    "Decline",
    "Draw",
    "Games",
    "Help",
    "Move",
    "Register",
    "Resign",
    "Say",
    "Show",
    "Understood",
    "help_lines",
    "read_yes",
    "understand",
]
