"""Filters commands that are not asked about: in doubt, with free text, or said to the opponent."""

from __future__ import annotations

import re

from pbem.inbox.commands.absence.grammar import Away, Give, Pause
from pbem.inbox.commands.analysis.grammar import Hint
from pbem.inbox.commands.cells import names_cell
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.moves_in_talk import words_in
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.notes.grammar import Note
from pbem.inbox.commands.paraphrases import asked_how
from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.reports.grammar import Report
from pbem.inbox.commands.takeback.grammar import Undo
from pbem.inbox.commands.talking.grammar import COURTESIES, Message, Say
from pbem.wording import fold, wording

_WORDS = wording(__package__)
LETTERS = re.compile(r"[^\W\d_]+")
_DAYS = _WORDS.words("time_in_talk", "days")
_SUPPOSING = _WORDS.words("supposing_loss")
_OF_ZONES = _WORDS.words("of_zones")
_REASONED = (Draw, Undo, Pause, Give, Hint)  # commands that come with a reason in a reply


def is_never_asked(command: Command, text: str) -> bool:
    """Whether the command is in doubt, has free text, or only makes sense as an answer."""
    if isinstance(command, Set):
        return not command.wishes
    if isinstance(command, (Move, Say)) and "?" in text:
        return True
    if isinstance(command, Away) and command.is_now:
        return True
    if isinstance(command, Resign) and names_cell(text):
        return True  # `You got me there. I take back with h5xf5.`
    if isinstance(command, Resign) and "?" in text and not _SUPPOSING.isdisjoint(words_in([text])):
        return True  # `if I cannot answer for a week, do I lose?`
    if isinstance(command, Message) and game_pattern().search(bare(text)):
        return True  # `tell Bruno that I'd like to play zertz` is a challenge
    return isinstance(command, (Accept, Decline)) or _says_more(command)


def tells_where(command: Command, text: str) -> bool:
    """Whether it tells the opponent a place, and sets no zone: `I'm in Bristol, and you?`."""
    zone = isinstance(command, Set) and "zone" in dict(command.wishes)
    return zone and _OF_ZONES.isdisjoint(words_in([text]))


def _says_more(command: Command) -> bool:
    """Whether the command has free text, so that a sentence may match by chance; `say thanks` is meant."""
    if isinstance(command, Say):
        return not set(map(fold, LETTERS.findall(command.text))) <= COURTESIES
    return not isinstance(command, (Message, Move, Note, Report)) and bool(
        getattr(command, "text", "") or getattr(command, "reason", "")
    )


def is_offered(command: Command, *, doubted: bool, asked: bool) -> bool:
    """Whether the command stands: `I give up, no time` does, `a draw? Not yet` does not."""
    if isinstance(command, Resign):
        return not (doubted and asked)
    return isinstance(command, _REASONED) and not doubted


def is_wish_for_time(command: Command, text: str) -> bool:
    """Whether a reply speaks of an absence or a pause: the opponent reads it, the writer gets HELP."""
    if _is_about(command, "AWAY", "ASSENTE"):
        return not asks_how(text)
    days = not _DAYS.isdisjoint(words_in([text])) and "paus" not in bare(text)
    return _is_about(command, "PAUSE", "PAUSA") and days and not any(asked_how(text))


def _is_about(command: Command, *verbs: str) -> bool:
    return isinstance(command, Help) and bool({*command.line.split()[1:]} & {*verbs})


def asks_how(text: str) -> bool:
    return "?" in text or any(asked_how(text))
