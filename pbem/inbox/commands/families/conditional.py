"""What a player answers to what their opponent may play: IF b1-b3 THEN a2-c2, NEXT a2-c2, IFS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold, match_of, number_of, plain
from pbem.inbox.commands.verb import Verb, verb

_ANY = {"any", "anything", "qualsiasi", "qualunque", "*"}
_CLEAR = {"clear", "cancella"}
_OPENS = re.compile(r"(?:^|\s)(?:if|se)\s+", re.IGNORECASE)
_ANSWERS = re.compile(r"\s+(?:then|allora)\s+", re.IGNORECASE)
_BEGINS = re.compile(r"\W*(?:[\[#]?[0-9]+\]?:?\s+)?(?:if|se)\b", re.IGNORECASE)
_KEYWORD = re.compile(r"\b(?:if|se|then|allora)\b", re.IGNORECASE)
_WORD_WITH_DIGITS = re.compile(r"(?=.*[0-9])(?=.*[^\W\d_])\S+")
_NAMES_A_CELL = re.compile(r"[a-z][0-9]", re.IGNORECASE)
_LONGEST_MOVE = 200


@dataclass(frozen=True)
class If(Command):
    """Says what you answer if your opponent replies so, as in IF b1-b3 THEN a2-c2 IF c2-e4 THEN c1-c3. It is
    played at once when the reply comes, and costs you no time. ANY is any reply. Send a line for each
    case, alone or below your move; your opponent does not see them."""

    moves: tuple[str | None, ...]  # reply, answer, reply, answer; None is any reply
    match: int | None = None
    ply: int | None = None  # turns on the board of the digest that it answers


@dataclass(frozen=True)
class Next(Command):
    """Says your next move beforehand, whatever your opponent replies: IF ANY THEN that move."""

    text: str
    match: int | None = None
    ply: int | None = None  # as of If

    @property
    def moves(self) -> tuple[str | None, ...]:
        return (None, self.text)


@dataclass(frozen=True)
class Ifs(Command):
    """Lists what you have said beforehand in a match. IFS CLEAR takes all of it away, IFS CLEAR 2 the second line."""

    match: int | None = None
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class ClearIfs(Command):
    """Takes away what you have said beforehand in a match: all of it, or the line with this number."""

    match: int | None = None
    number: int | None = None


def begins_line(text: str) -> bool:
    """Whether what a mail program has broken off may be the beginning of a line of IF."""
    return _BEGINS.match(text) is not None


def _if(said: Spoken) -> If | None:
    """A number at the beginning may be the match, or a move where moves are numbers, as in Nim. A question is talk."""
    if said.rest.rstrip().endswith("?"):
        return None
    numbered = match_of(said, marked=said.own is not None)
    for match, text in dict.fromkeys((numbered, (said.match, said.rest))):
        if moves := _moves(text, match, said):
            return If(moves, match)
    return None


def _moves(text: str, match: int | None, said: Spoken) -> tuple[str | None, ...]:
    """Empty where it is not a line: then it is talk. Whoever writes IF in capitals means it, even if they slip."""
    moves: list[str | None] = []
    for pair in _OPENS.split(text):
        reply, *answers = (plain(move).strip(" ,;:") for move in _ANSWERS.split(pair))
        if len(answers) != 1:
            return ()
        moves += [None if fold(reply) in _ANY else reply, *answers]
    named = [move for move in moves if move is not None]
    if not all(move and len(move) < _LONGEST_MOVE and not _KEYWORD.search(move) for move in named):
        return ()
    shaped = {move: _is_move(move, match, said) for move in set(named)}
    fit = [shaped[move] for move in named]
    if all(fit) or ((any(fit) or said.clear) and all(map(_Tried(said.clear), named))):
        return tuple(moves)
    return ()


@dataclass(frozen=True)
class _Tried:
    """Whether a text tries to be a move: one word of letters and digits; in a `clear` line, anything with a cell."""

    clear: bool

    def __call__(self, text: str) -> bool:
        word = re.sub(r"\s*,\s*", ",", text)
        if _WORD_WITH_DIGITS.fullmatch(word):
            return True
        return self.clear and len(word) < 60 and _NAMES_A_CELL.search(word) is not None


def _is_move(text: str, match: int | None, said: Spoken) -> bool:
    return said.is_move(text, match)


def _next(said: Spoken) -> Next | None:
    if said.rest.rstrip().endswith("?"):
        return None
    numbered = match_of(said, marked=said.own is not None)
    for match, text in dict.fromkeys((numbered, (said.match, said.rest))):
        move = plain(text)
        tried = said.clear and _NAMES_A_CELL.match(move) is not None and " " not in move
        if move and len(move) < _LONGEST_MOVE and (tried or said.is_move(move, match)):
            return Next(move, match)
    return None


def _ifs(said: Spoken) -> Ifs | None:
    match, rest = match_of(said)
    return None if rest else Ifs(match)


def _clear(said: Spoken) -> ClearIfs | None:
    match, rest = match_of(said)
    word, _, number = plain(rest).partition(" ")
    if fold(word) not in _CLEAR:
        return None
    chosen, more = number_of(number)
    return None if more else ClearIfs(match, chosen)


VERBS: Sequence[Verb] = (
    verb(
        If,
        _if,
        en=("IF", "IF reply THEN move [IF ... THEN ...]"),
        it=(
            "SE",
            "SE risposta ALLORA mossa [SE ...]",
            "Dice che cosa giochi se il tuo avversario risponde così, come in SE b1-b3 ALLORA a2-c2 SE c2-e4"
            " ALLORA c1-c3. Viene giocato subito quando arriva la risposta, e non ti costa tempo. QUALSIASI"
            " è una risposta qualsiasi. Manda una riga per ogni caso, da sole o sotto la tua mossa; il tuo"
            " avversario non le vede.",
        ),
    ),
    verb(
        Next,
        _next,
        en=("NEXT QUEUE", "NEXT [match] move"),
        it=(
            "POI",
            "POI [partita] mossa",
            "Dice in anticipo la tua prossima mossa, qualunque cosa risponda il tuo avversario: SE QUALSIASI"
            " ALLORA quella mossa.",
        ),
    ),
    verb(
        Ifs,
        _ifs,
        en=("IFS", "IFS [match]"),
        it=("SEQUENZE", "SEQUENZE [partita]", "Elenca quello che hai detto in anticipo in una partita."),
    ),
    verb(
        ClearIfs,
        _clear,
        en=("IFS", "IFS [match] CLEAR [number]"),
        it=(
            "SEQUENZE",
            "SEQUENZE [partita] CANCELLA [numero]",
            "Toglie quello che hai detto in anticipo in una partita: tutto, o la riga con questo numero.",
        ),
    ),
)
