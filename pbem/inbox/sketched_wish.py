"""Reads a wish to play in free wording: opponent and game.

This is the loosest reading, so its command is asked about before it is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, islice

from django.conf import settings

from pbem.inbox.commands import newcomers
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.line import game_of, plain
from pbem.inbox.commands.match_commands import Challenge, Join, Offer
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.verbs import VERBS_OF
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.understanding.slots.games import absent_in, with_game_spelled
from pbem.players.models import Player
from pbem.players.models.address import is_possible
from pbem.wording import fold

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;…])\s+")
_LONGEST, _LONGEST_PARAGRAPH = 200, 2000  # characters; longer text is no wish
_MOST = 12  # lines of a letter
_WORDS = 3  # words of a game's name
_MOST_CLAUSES = 20
OF_PLAYING = (Challenge, Offer, Join)
EXAMPLE = "loa"  # when no game is named


@dataclass(frozen=True)
class Wish:
    """`friend` is an address; `game` is "" when none is named, or with `absent` an unknown one.

    `near`: the name of the game was misspelt.
    """

    friend: str = ""
    robot: bool = False
    anybody: bool = False
    game: str = ""
    absent: bool = False
    near: bool = False

    def line(self, language: str) -> str:
        """The command. Empty when it names neither an opponent nor a game to offer, or an unknown game."""
        if self.absent:
            return ""
        game = self.game or EXAMPLE
        if self.friend:
            return f"{called('CHALLENGE', language)} {self.friend} {game}"
        if self.robot and (robot := Player.objects.robots().first()):
            return f"{called('CHALLENGE', language)} {robot.name} {game}"
        return f"{called('OFFER', language)} {game}" if self.anybody and self.game else ""


def wish_in(lines: Iterable[str], own: str, *, subject: str = "") -> Wish:
    """Reads the wish in the lines, completed by the Subject."""
    said = _short(lines)
    if newcomers.declines(said):
        return Wish()
    words = [_ADDRESS.sub(" ", line) for line in (*said, subject)]
    named = game_in(said) or game_in([subject])
    near = "" if named else game_in(map(with_game_spelled, words))
    return Wish(
        friend_in(said, own) or friend_in([subject], own),
        any(map(newcomers.names_machine, words)),
        any(map(newcomers.names_anybody, words)),
        named or near,
        absent=not (named or near) and absent_in([subject, *said]) is not None,
        near=bool(near),
    )


def friend_in(lines: Iterable[str], own: str) -> str:
    """The only address of another person. Empty when there is none, or several."""
    found = {each.lower() for line in _short(lines) for each in _ADDRESS.findall(line)} - {own.lower()}
    others = [
        each for each in found if is_possible(each) and not each.endswith(f"@{settings.MAIL_DOMAIN.lower()}")
    ]
    return others[0] if len(others) == 1 else ""


def game_in(lines: Iterable[str]) -> str:
    """The first game that is named, by its longest name. Empty when there is none."""
    for line in _short(lines):
        words = _WORD.findall(_ADDRESS.sub(" ", line))
        for length in range(_WORDS, 0, -1):
            spans = (words[at : at + length] for at in range(len(words) - length + 1))
            if found := next(filter(None, map(game_of, spans)), None):
                return found
    return ""


def _short(lines: Iterable[str]) -> list[str]:
    """The lines, with whole paragraphs split into sentences."""
    sentences = (
        _SENTENCE_ENDS.split(line[:_LONGEST_PARAGRAPH]) if len(line) > _LONGEST else [line]
        for line in islice(lines, _MOST)
    )
    return [each[:_LONGEST] for each in islice(chain.from_iterable(sentences), _MOST)]


def is_clear(
    command: Command,
    reading: InterpretedMessage,
    begins_otherwise: Callable[[str], bool] = lambda clause: False,
) -> bool:
    """Whether a clause names the opponent and begins like a wish."""
    if not isinstance(command, Challenge):
        return False
    lines = islice(reading.letter.lines, _MOST_CLAUSES)
    clauses = (clause for line in lines for clause in newcomers.clauses(plain(line)))
    return any(
        _names(clause, command.who) and (_begins_wish(clause) or begins_otherwise(clause))
        for clause in clauses
    )


def _names(clause: str, who: str) -> bool:
    if "@" in who:
        return who.lower() in clause.lower()
    named = newcomers.names_machine(clause) or who.casefold() in clause.casefold()
    return bool(game_in([clause])) and named


def _begins_wish(clause: str) -> bool:
    verbs = VERBS_OF.get(fold(clause.partition(" ")[0]), ())
    return newcomers.begins_wish(clause) or any(verb.command in OF_PLAYING for verb in verbs)
