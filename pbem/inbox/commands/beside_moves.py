"""Reads requests beside a move: they are answered or asked about, and the move is played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.inbox.commands.absence.grammar import Away, Give, Pause
from pbem.inbox.commands.account.grammar import SetName
from pbem.inbox.commands.bars import Bar
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.conditional.grammar import If, Next
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.harmless import HARMLESS
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.near_misses import NearMisses, near_misses
from pbem.inbox.commands.near_moves import unplayable
from pbem.inbox.commands.normalization import wishes
from pbem.inbox.commands.notes.grammar import Note
from pbem.inbox.commands.playing.grammar import Draw, Move
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.reports.grammar import Report
from pbem.inbox.commands.variations.grammar import Try

_OF_OPPONENT = (Draw, Give, Away, Pause)
_OWN = (Set, Note, If, Next, Try)  # which the opponent does not read
_ASKED = (*_OF_OPPONENT, SetName, Note, If, Next, Try)  # what a sentence below a move may ask for
_SENTENCE = re.compile(r"(?<=[.!?;:…])\s+")


@dataclass(frozen=True)
class Beside:
    """Commands to execute and to ask about, words the opponent reads now, words that wait for the YES."""

    done: tuple[Command, ...] = ()
    asks: tuple[Command, ...] = ()
    heard: Sequence[str] = ()
    waits: Sequence[str] = ()


def below(talk: Sequence[str], *, is_move: IsMove, match: int) -> Beside:
    """Reads the lines below a move. Words to the organiser wait until the YES."""
    near = near_misses(talk, is_move=is_move, own=match, legal=None, guess=Bar.SURE)
    if _is_put_to_organiser(near):
        return Beside(asks=near.asks, waits=near.beside)
    if near.asks and all(isinstance(ask, _ASKED) for ask in near.asks):
        return Beside(asks=near.asks, heard=near.beside)
    if _only_reads(near) and any(
        "?" in line or any(wishes(line)) for line in talk
    ):  # not `look at the rules, dummy`
        return Beside(done=near.asks, heard=talk)
    if near.asks and all(isinstance(ask, Set) for ask in near.asks):
        return Beside(asks=near.asks, heard=talk)
    return Beside(heard=talk)


def with_what_is_asked(near: NearMisses, *, is_move: IsMove, match: int | None) -> NearMisses:
    """Adds the request beside an uncertain move: `b8-b6. How much time do I have left?`."""
    if match is None or near.refused or [type(ask) for ask in near.asks] != [Move]:
        return near
    more = near_misses(near.beside, is_move=is_move, own=match, legal=None, guess=Bar.SURE)
    if _is_put_to_organiser(more) or (more.asks and all(isinstance(ask, _OWN) for ask in more.asks)):
        return replace(near, asks=(*near.asks, *more.asks), beside=more.beside)
    if more.asks and all(
        isinstance(ask, _OF_OPPONENT) for ask in more.asks
    ):  # the opponent reads the wording
        return replace(near, asks=(*near.asks, *more.asks))
    helps = any(isinstance(ask, Help) for ask in more.asks) and not any("?" in line for line in near.beside)
    return replace(near, asks=(*near.asks, *more.asks)) if _only_reads(more) and not helps else near


def with_unplayable(near: NearMisses, *, is_move: IsMove, legal: LegalMoves | None) -> Beside | None:
    """Pairs an unplayable move with read-only requests: `b8-b7? And the rules?`. None when there is none."""
    if legal is None or near.refused or not _only_reads(near):
        return None
    found = [each for line in near.beside if (each := _unplayable_in(line, is_move, legal))]
    if len(found) != 1:
        return None
    [(sentence, text)] = found
    rest = [line.replace(sentence, "", 1).strip() for line in near.beside]
    move = Move(text, line=text)
    return (
        Beside(done=(move, *near.asks), heard=rest) if near.sure else Beside((move,), near.asks, waits=rest)
    )


def _unplayable_in(line: str, is_move: IsMove, legal: LegalMoves) -> tuple[str, str] | None:
    """Returns the first sentence that only states an unplayable move, and the move; else None."""
    for sentence in _SENTENCE.split(line.strip()):
        move = unplayable(sentence.rstrip(" ?!.;:…"), is_move)
        if move and not legal.meant(move):
            return sentence, move
    return None


def _only_reads(near: NearMisses) -> bool:
    reads = bool(near.asks) and all(isinstance(ask, HARMLESS) for ask in near.asks)
    return reads and not any(isinstance(ask, Letters) for ask in near.asks)


def _is_put_to_organiser(near: NearMisses) -> bool:
    return any(isinstance(ask, Report) for ask in near.asks)
