"""Conditional moves: IF b1-b3 THEN a2-c2, NEXT a2-c2, IFS."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.inbox.commands.line import CommandLine, match_of, names_cell, number_of, plain, unnumbered
from pbem.inbox.commands.match_commands import ClearIfs, If, Ifs, Next
from pbem.inbox.digests import NO_TURN
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.matches import conditional as keeping
from pbem.matches.automatic_moves import promise
from pbem.matches.models import Seat
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_ANY = _WORDS.words("any") | {"*"}
_CLEAR = _WORDS.words("clear")
_IF, _THEN = _WORDS.either("if"), _WORDS.either("then")
_OPENS = re.compile(rf"(?:^|\s)(?:{_IF})\s+", re.IGNORECASE)
_ANSWERS = re.compile(rf"\s+(?:{_THEN})\s+", re.IGNORECASE)
_KEYWORD = re.compile(rf"\b(?:{_IF}|{_THEN})\b", re.IGNORECASE)
_WORD_WITH_DIGITS = re.compile(r"(?=.*[0-9])(?=.*[^\W\d_])\S+")
_LONGEST_MOVE = 200


def _read_if(line: CommandLine) -> If | None:
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


def _read_next(line: CommandLine) -> Next | None:
    if line.rest.rstrip().endswith("?"):
        return None
    numbered = match_of(line, marked=line.own is not None)
    for match, text in dict.fromkeys((numbered, (line.match, line.rest))):
        move = unnumbered(plain(text))
        tried = line.clear and names_cell(move[:2]) and " " not in move
        if move and len(move) < _LONGEST_MOVE and (tried or line.is_move(move, match)):
            return Next(move, match)
    return None


def _read_ifs(line: CommandLine) -> Ifs | None:
    match, rest = match_of(line)
    return None if rest else Ifs(match)


def _read_clear(line: CommandLine) -> ClearIfs | None:
    match, rest = match_of(line)
    word, _, number = plain(rest).partition(" ")
    if fold(word) not in _CLEAR:
        return None
    chosen, more = number_of(number)
    return None if more else ClearIfs(match, chosen)


def _promise(context: CommandContext, line: If | Next) -> None:
    seat = context.seat(line.match)
    if line not in context.attached:
        if context.waits_for_move(line, seat):
            return
        arrived, ply = context.arrival_in(seat), context.ply_of(seat) if line.ply is None else line.ply
        if ply == NO_TURN:
            raise Refused(Code.STALE_TURN, match=seat.match, text=line.line)
        promise(seat, line.moves, ply=ply, now=context.now, arrived=arrived, letter=context.row.pk)
    elif refused := context.attached[line]:
        raise refused
    _list(context, seat)


def _ifs(context: CommandContext, ifs: Ifs) -> None:
    _list(context, context.seat(ifs.match))


def _clear(context: CommandContext, clear: ClearIfs) -> None:
    seat = context.seat(clear.match)
    keeping.clear(seat, clear.number)
    _list(context, seat)


def _list(context: CommandContext, seat: Seat) -> None:
    context.reply({"kind": "conditionals", "match": seat.match_id}, match=seat.match)


VERBS: Verbs = {
    If: (_read_if, _promise),
    Next: (_read_next, _promise),
    Ifs: (_read_ifs, _ifs),
    ClearIfs: (_read_clear, _clear),
}
