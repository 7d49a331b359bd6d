"""Commands and line readers for conditional moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.cells import names_cell
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, match_of, number_of, plain, unnumbered
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_ANY = _WORDS.words("any") | {"*"}
_CLEAR = _WORDS.words("clear")
_IF, _THEN = _WORDS.either("if"), _WORDS.either("then")
_OPENS = re.compile(rf"(?:^|\s)(?:{_IF})\s+", re.IGNORECASE)
_ANSWERS = re.compile(rf"\s+(?:{_THEN})\s+", re.IGNORECASE)
_BEGINS = re.compile(rf"\W*(?:[\[#]?[0-9]+\]?:?\s+)?(?:{_IF})\b", re.IGNORECASE)
_KEYWORD = re.compile(rf"\b(?:{_IF}|{_THEN})\b", re.IGNORECASE)
_WORD_WITH_DIGITS = re.compile(r"(?=.*[0-9])(?=.*[^\W\d_])\S+")
_LONGEST_MOVE = 200


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


def begins_line(text: str) -> bool:
    """Whether a broken line may be the beginning of a line of IF."""
    return _BEGINS.match(text) is not None


def _if(line: CommandLine) -> If | None:
    # A number at the beginning may be the match, or a move, as in Nim. A question is talk.
    if line.rest.rstrip().endswith("?"):
        return None
    numbered = match_of(line, marked=line.own is not None)
    for match, text in dict.fromkeys((numbered, (line.match, line.rest))):
        if moves := _moves(text, match, line):
            return If(moves, match)
    return None


def _moves(text: str, match: int | None, line: CommandLine) -> tuple[str | None, ...]:
    """Returns the moves of the line. Empty when it is talk."""
    # IF in capitals is meant as a command, even with a mistyped move.
    moves: list[str | None] = []
    for pair in _OPENS.split(text):
        reply, *answers = (unnumbered(plain(move).strip(" ,;:")) for move in _ANSWERS.split(pair))
        if len(answers) != 1:
            return ()
        moves += [None if fold(reply) in _ANY else reply, *answers]
    named = [move for move in moves if move is not None]
    if not all(move and len(move) < _LONGEST_MOVE and not _KEYWORD.search(move) for move in named):
        return ()
    shaped = {move: _is_move(move, match, line) for move in set(named)}
    fit = [shaped[move] for move in named]
    if all(fit) or ((any(fit) or line.clear) and all(map(_Tried(line.clear), named))):
        return tuple(moves)
    return ()


@dataclass(frozen=True)
class _Tried:
    """Whether a text resembles a move: a word of letters and digits, or in a `clear` line any cell."""

    clear: bool

    def __call__(self, text: str) -> bool:
        word = re.sub(r"\s*,\s*", ",", text)
        if _WORD_WITH_DIGITS.fullmatch(word):
            return True
        return self.clear and len(word) < 60 and names_cell(word)


def _is_move(text: str, match: int | None, line: CommandLine) -> bool:
    return line.is_move(text, match)


def _next(line: CommandLine) -> Next | None:
    if line.rest.rstrip().endswith("?"):
        return None
    numbered = match_of(line, marked=line.own is not None)
    for match, text in dict.fromkeys((numbered, (line.match, line.rest))):
        move = unnumbered(plain(text))
        tried = line.clear and names_cell(move[:2]) and " " not in move
        if move and len(move) < _LONGEST_MOVE and (tried or line.is_move(move, match)):
            return Next(move, match)
    return None


def _ifs(line: CommandLine) -> Ifs | None:
    match, rest = match_of(line)
    return None if rest else Ifs(match)


def _clear(line: CommandLine) -> ClearIfs | None:
    match, rest = match_of(line)
    word, _, number = plain(rest).partition(" ")
    if fold(word) not in _CLEAR:
        return None
    chosen, more = number_of(number)
    return None if more else ClearIfs(match, chosen)


FAMILY = Family(
    __package__, Chapter.PLAYING, rank=3, readers={If: _if, Next: _next, Ifs: _ifs, ClearIfs: _clear}
)
