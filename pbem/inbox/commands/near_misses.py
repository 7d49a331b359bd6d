"""What a letter without any command may mean all the same: its player is asked, and nothing is done before their YES.

A line is near to a command if it says the same as one in other words, has its words and beside them only such as say
little, or mistypes its verb; near to a move if it has one legal move among words that go with moving.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice

from games import spoken
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.line import IsMove, plain
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.normalization import bare, of_match, unquoted, without_courtesy
from pbem.inbox.commands.paraphrases import called, nearly
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 12  # that are looked at; in a longer letter much is said
_LONGEST_LINE = 160  # characters
_MOST_WORDS = 14  # of a line that is about a move
_FEW_WORDS = 8  # of one about anything else
_LONGEST_MOVE = 6  # words
_MOST_ASKED = 3
_FEW_CLAUSES = 3
_LITTLE = _WORDS.words("little", "words")
_BEFORE, _AFTER = _WORDS.words("little", "before"), _WORDS.words("little", "after")
_BESIDE = re.compile(r"\([^()]*\)|[:;]-?[)(DP]")  # what is said in passing
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?['’]?")
_NAMES_A_CELL = re.compile(r"[^\W\d_][0-9]")
# What only an answer to a question can mean, and what nobody is to be asked about.
_NEVER_ASKED = (Accept, Decline, Letters)


@dataclass(frozen=True)
class _About:
    """Words of a command, and its line in the grammar."""

    words: frozenset[str]
    line: str


def _said(words: Iterable[str]) -> set[str]:
    return {fold(word) for each in words for word in _WORD.findall(each)}


def _abouts() -> tuple[_About, ...]:
    return tuple(
        _About(frozenset(_said([phrase])), " ".join(filter(None, (called(verb, language), rest))))
        for language, lines in _WORDS.each("about").items()
        for verb, rest, phrases in ((*line.partition(" ")[::2], phrases) for line, phrases in lines.items())
        for phrase in phrases
    )


_ABOUT = sorted(_abouts(), key=lambda about: -len(about.words))


@dataclass(frozen=True)
class NearMisses:
    """The commands that may be meant, and what else the letter says."""

    asks: tuple[Command, ...] = ()
    beside: tuple[str, ...] = ()


def near_misses(
    lines: Sequence[str], *, is_move: IsMove, own: int | None, legal: LegalMoves | None
) -> NearMisses:
    """`legal` is None where the writer is not to move: then no move is asked about."""
    asks: list[Command] = []
    beside: list[str] = []
    short = sum(1 for line in lines if line.strip()) <= _MOST_LINES
    for line in lines:
        near = _near(line, is_move, own, legal) if short and 0 < len(line.strip()) <= _LONGEST_LINE else None
        if near is None:
            beside.append(line)
        elif near not in asks:
            asks.append(near)
    moves = [ask for ask in asks if isinstance(ask, Move)]
    if len(moves) > 1 or len(asks) > _MOST_ASKED:
        return NearMisses()
    return NearMisses(tuple(moves or asks), tuple(beside)) if asks else NearMisses()


def _near(line: str, is_move: IsMove, own: int | None, legal: LegalMoves | None) -> Command | None:
    text = plain(line)
    if move := _near_move(text, legal):
        return Move(move, line=move)
    if len(text.split()) > _FEW_WORDS + _LONGEST_MOVE:
        return None
    for meant in (*nearly(text), *_without_doubts(text), *_about(text), *_mistyped(text)):
        command = read_line(meant, is_move, own)
        questioned = isinstance(command, Move) and "?" in text
        if command and not isinstance(command, _NEVER_ASKED) and not questioned and not _says_more(command):
            return replace(command, line=meant.upper() if meant.isalpha() else meant)
    return None


def _says_more(command: Command) -> bool:
    """Whether free text goes with it: then a sentence may be one by chance."""
    return not isinstance(command, Move) and bool(
        getattr(command, "text", "") or getattr(command, "reason", "")
    )


def _near_move(text: str, legal: LegalMoves | None) -> str:
    """The one legal move that the line has, among words that go with moving; "" where there is none or it is asked."""
    if legal is None or "?" in text:
        return ""
    words = _BESIDE.sub(" ", text).split()
    if not 1 <= len(words) <= _MOST_WORDS or not _NAMES_A_CELL.search(text):
        return ""
    return (
        _among(words, legal)
        or _without_the_rest(words, legal)
        or _clause(text, legal)
        or (legal.nearest(text) if len(words) < 3 else "")
    )


def _clause(text: str, legal: LegalMoves) -> str:
    """A move that is all there is between two commas, in a short line that names no other cell."""
    clauses = [clause for clause in re.split(r"[,.;:!]", text) if clause.strip()]
    with_cells = [clause.strip() for clause in clauses if _NAMES_A_CELL.search(clause)]
    if not 1 < len(clauses) <= _FEW_CLAUSES or len(with_cells) != 1 or len(text.split()) > _FEW_WORDS:
        return ""
    return legal.meant(with_cells[0])


def _among(words: Sequence[str], legal: LegalMoves) -> str:
    """A move that stands together."""
    found = {
        (start, end): move
        for start, end in _spans(words)
        if (move := legal.meant(" ".join(words[start:end]).strip(".,;:!'\"«»“”()[]")))
    }
    longest = {move for (start, end), move in found.items() if not _is_part((start, end), found)}
    if len(longest) != 1:
        return ""
    (start, end), move = max(found.items(), key=lambda one: one[0][1] - one[0][0])
    return move if _said(words[:start]) <= _BEFORE and _said(words[end:]) <= _AFTER else ""


def _without_the_rest(words: Sequence[str], legal: LegalMoves) -> str:
    """A move with a piece, whose parts stand apart: white on d4, and I remove a1."""
    said = [" ".join(_said([word])) for word in words]
    pieces = spoken.piece_words()
    kept = [
        word for word, name in zip(words, said, strict=True) if name in pieces or _NAMES_A_CELL.search(word)
    ]
    rest = [word for word in words if word not in kept]
    if not pieces.intersection(said) or not _said(rest) <= _BEFORE | _AFTER:
        return ""
    return legal.meant(" ".join(kept))


def _spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From a word to another one that names a cell, or has a piece before it."""
    cells = [at for at, word in enumerate(words) if _NAMES_A_CELL.search(word)]
    if not cells or len(cells) > _LONGEST_MOVE:
        return
    for start in range(max(0, cells[0] - 3), cells[-1] + 1):
        for end in (cell + 1 for cell in cells if start < cell + 1 <= start + _LONGEST_MOVE):
            yield start, end


def _is_part(span: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    return any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)


def _without_doubts(text: str) -> Iterator[str]:
    """HELP! and Draw?, as they would stand alone."""
    if text.endswith(("!", "?", "..")):
        said = of_match(without_courtesy(unquoted(text.rstrip("!?. "))))
        yield said.upper() if said.isalpha() else said
    elif text.isalpha():
        yield text.upper()


def _about(text: str) -> Iterator[str]:
    """The lines whose words it has, beside such as say little."""
    words = [*map(fold, _WORD.findall(text))]
    if not 0 < len(words) <= _FEW_WORDS:
        return
    for about in _ABOUT:
        rest = [word for word in words if word not in about.words]
        if len(words) - len(rest) == len(about.words) and _LITTLE.issuperset(rest):
            yield about.line


def _mistyped(text: str) -> Iterator[str]:
    """With the verb that its first word nearly is. Few mistype a first letter, and every short word is near to many."""
    first, _, rest = text.partition(" ")
    word = bare("".join(filter(str.isalpha, first)))
    if not 3 < len(word) < 20 or word in VERBS_OF:
        return
    possible = [verb for verb in VERBS_OF if verb[:1] == word[:1] and len(verb) > 3]
    for verb in islice(get_close_matches(word, possible, n=2, cutoff=0.75), 2):
        yield f"{verb} {rest}".rstrip()
