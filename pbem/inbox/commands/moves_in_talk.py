"""Finds a legal move in a line with other words: `b1-b3 ha got you`. Always asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from games import lenient_parser
from pbem.inbox.commands.cells import before_cells, cells_in, names_cell
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.playing.grammar import unlabelled
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_SUPPOSING, _NO_DEEDS = _WORDS.words("little", "supposing"), _WORDS.words("deeds", "but")
_BEFORE, _AFTER = _WORDS.words("little", "before"), _WORDS.words("little", "after")
_JUDGES = _WORDS.words("talk_of_moves", "judges")
_DEEDS = _WORDS.words("talk_of_moves", "deeds")
_GOES_ON = frozenset(fold(way.split()[0]) for way in _WORDS.words("joining"))
_JOINING = _WORDS.words("talk_of_moves", "joining")
_ASKS = _WORDS.words("talk_of_moves", "asks")
_GOING = _WORDS.words("talk_of_moves", "going")
_OF_IT = _WORDS.words("talk_of_moves", "of_it")
_I = _WORDS.words("deeds", "i")
_I_DO = tuple(_WORDS.words("deeds", "endings"))
_SHORTEST_DEED = 3  # letters
_UNREAL = re.compile(rf"\b(?:{_WORDS.either('unreal', 'said')})\b", re.IGNORECASE)
_REAL = re.compile(rf"\b(?:{_WORDS.either('unreal', 'but')})\b", re.IGNORECASE)
_CLAUSE = re.compile(
    rf"[,.;:!?()–—]|\b(?:{_WORDS.either('unreal', 'ends')}|{_WORDS.either('contrasting')})\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?['’]?")
SIGNS = ".,;:!'\"«»“”()"
_MOST_WORDS = 20
_MOST_AROUND = 40  # words of a line that has a move in it
_LONGEST_MOVE = 5  # words, as `a5 - c5`
_FEWEST_CELLS = 2  # that identify a move


@dataclass(frozen=True)
class NearMove:
    """A move, and the `rest` of its line."""

    move: str
    rest: str = ""


def words_in(texts: Iterable[str]) -> set[str]:
    """Returns the folded words of the texts."""
    return {fold(word) for text in texts for word in WORD.findall(text)}


def move_at_first(text: str, legal: LegalMoves) -> NearMove | None:
    """Finds a move at the start. None when there is none, or the rest judges it: `b1-b3 would have won`."""
    words = text.split()
    if not 1 < len(words) <= _MOST_WORDS or text.rstrip(")]").endswith(("...", "…")):
        return None
    for end in range(min(len(words) - 1, _LONGEST_MOVE), 0, -1):
        move, behind = legal.meant(" ".join(words[:end]).strip(SIGNS)), words[end:]
        if not move or not cells_in(words[0]):
            continue
        said, follows = " ".join(behind), fold(behind[0].strip(SIGNS))
        judged = follows in _JUDGES | (_SUPPOSING - _ASKS) and not words[end - 1].endswith(",")
        asked = "?" in words[end - 1] or ("?" in said and follows not in _ASKS)
        return None if judged or asked or cells_in(said) else NearMove(move, said)
    return None


def told_move(text: str, legal: LegalMoves) -> str:
    """Returns the only legal move that the cells of a sentence tell: `my man on b1 climbs to b3`; else ""."""
    named = [cells_in(word) for word in text.split()]
    cells = {cell for each in named for cell in each}
    written = any(len(each) > 1 for each in named)  # written as a move, which was read before
    if not cells or written or "?" in text or judges(text) or not _goes_there(text, cells):
        return ""
    return legal.told_by(cells, text)


def move_among_talk(text: str, legal: LegalMoves) -> NearMove | None:
    """Finds the only move of a line, in a clause that states it. None when the line judges or supposes."""
    clauses = [each for each in _CLAUSE.split(text) if names_cell(each)]
    if len(clauses) != 1 or len(text.split()) > _MOST_AROUND or is_unreal(text):
        return None
    [clause] = clauses
    named = [word.strip(SIGNS) for word in clause.split() if cells_in(word)]
    after = clause.rpartition(named[-1])[2].split() if named else []
    ends = bool(named) and (not after or fold(after[0]) in _GOES_ON)  # `b8-b6 and see what comes`
    behind = text[text.index(clause) + len(clause) :].lstrip("!")[:1]
    if (
        not ends
        or behind == "?"
        or judges(clause[: len(clause) - len(" ".join(after))] if after else clause)
        or not _tells_deed(before_cells(clause).split(), len(named))
    ):
        return None
    cells = {cell for word in named for cell in cells_in(word)}
    move = legal.meant(named[0]) if len(named) == 1 else legal.told_by(cells, clause)
    return NearMove(move, text) if move else None


def _tells_deed(before: Sequence[str], named: int) -> bool:
    """Whether the words before the first cell of a clause state a move."""
    if not before:
        return named == 1
    own = _first(before[0]) in _DEEDS or without_deed(before) != before
    return own and not (named == 1 and fold(before[-1]) in _OF_IT)


def _goes_there(text: str, cells: Set[str]) -> bool:
    moving, several = bool(_said(text) & _GOING), len(cells) >= _FEWEST_CELLS
    if several and _first(text) in _DEEDS:
        return True
    before = before_cells(text).split()
    behind_deed = without_deed(before)
    if not moving and not (several and len(behind_deed) < len(before)):
        return False
    if not words_in(behind_deed) <= _BEFORE | _GOING:
        return False
    return several or words_in([text]) - cells <= _BEFORE | _AFTER | _GOING | lenient_parser.piece_words()


def tells_move(text: str) -> bool:
    """Whether the text states a move of its writer, legal or not: `I put my man on k9`."""
    said, cells = _said(text), cells_in(text)
    named = cells or said & lenient_parser.piece_words()
    begins = _first(text) in _DEEDS or (cells and text.lower().startswith(cells[0]))
    return bool(named and begins) and "?" not in text and not judges(text)


def tells_refused_move(line: str, legal: LegalMoves) -> bool:
    """Whether the line begins with a move that the rules do not allow."""
    begins = _CLAUSE.split(line)[0].strip()
    return tells_move(begins) and legal.against_told(begins) is not None


def announces(text: str) -> bool:
    """Whether the text begins by announcing a move: `then`, `I'd like to move`, `muovo`."""
    words = text.split()
    return _first(text) in _DEEDS or without_deed(words) != words or unlabelled(text) != text


def judges(text: str) -> bool:
    """Whether the text discusses moves, and states none."""
    return bool(_said(text) & _SUPPOSING) or judges_plainly(text)


def judges_plainly(text: str) -> bool:
    """Like `judges`, without words that may say when or which: `after long consideration I move`."""
    return bool(_said(text) & (_NO_DEEDS | _JUDGES - _JOINING))


def is_unreal(text: str) -> bool:
    """Whether the words before the first cell deny or suppose it: `if I play b1`, `non vado da b1`."""
    clause = _CLAUSE.split(before_cells(text))[-1] if names_cell(text) else ""
    return bool(_UNREAL.search(_REAL.sub(" ", clause)))


def without_deed(words: Sequence[str]) -> Sequence[str]:
    """Removes the words for what the player does: `I slide from`, `scivolo da`."""
    said = [fold(word) for word in words[:2]]
    if not said or _NO_DEEDS.intersection(said):
        return words
    if len(said) > 1 and said[0] in _I:
        return words[2:]
    return words[1:] if _is_deed(words[0]) else words


def _is_deed(word: str) -> bool:
    said = fold(word)
    return bool(_I_DO) and said.endswith(_I_DO) and len(said) > _SHORTEST_DEED and said not in _NO_DEEDS


def _first(text: str) -> str:
    return fold(next(iter(_WORD.findall(text)), ""))


def _said(text: str) -> set[str]:
    return {fold(word) for word in _WORD.findall(text)}
