"""A legal move among words that go with moving: `I slide from b8 to b6`, `white on d4, and I remove a1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from games import spoken
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.wording import fold, wording

_WORDS = wording(__package__)
LONGEST_MOVE = 6  # words
_FEW_WORDS = 8  # of a line that has a move between commas
_MOST_WORDS = 14  # of a line that is about a move
_FEW_CLAUSES = 3
_BEFORE, _AFTER = _WORDS.words("little", "before"), _WORDS.words("little", "after")
_I = _WORDS.words("deeds", "i")
_I_DO = tuple(_WORDS.words("deeds", "endings"))
_NO_DEEDS = _WORDS.words("deeds", "but")
_SHORTEST_DEED = 3  # letters
_BESIDE = re.compile(r"\([^()]*\)|[:;]-?[)(DP]")  # what is said in passing
_SIGNS = ".,;:!'\"«»“”()[]"
_NAMES_A_CELL = re.compile(r"[^\W\d_][0-9]")
_PARTS = 2  # of a move that do not stand together
WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?['’]?")


def words_in(texts: Iterable[str]) -> set[str]:
    """Those that the texts have, folded."""
    return {fold(word) for text in texts for word in WORD.findall(text)}


def near_move(text: str, legal: LegalMoves | None) -> str:
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
    clauses = [clause for clause in re.split(r"[,.;:!]+", text) if clause.strip()]
    with_cells = [clause.strip() for clause in clauses if _NAMES_A_CELL.search(clause)]
    if not 1 < len(clauses) <= _FEW_CLAUSES or len(with_cells) != 1 or len(text.split()) > _FEW_WORDS:
        return ""
    return legal.meant(with_cells[0]) or _among(with_cells[0].split(), legal)


def _among(words: Sequence[str], legal: LegalMoves) -> str:
    """A move that stands together."""
    found = {
        (start, end): move
        for start, end in _spans(words)
        if (move := legal.meant(" ".join(words[start:end]).strip(_SIGNS)))
    }
    longest = {move for (start, end), move in found.items() if not _is_part((start, end), found)}
    if len(longest) != 1:
        return ""
    (start, end), move = max(found.items(), key=lambda one: one[0][1] - one[0][0])
    before = words_in(_without_deed(words[:start]))
    return move if before <= _BEFORE and words_in(words[end:]) <= _AFTER else ""


def _without_deed(words: Sequence[str]) -> Sequence[str]:
    """Without what a player says that they do, whatever word it is: `I slide from`, `scivolo da`."""
    said = [fold(word) for word in words[:2]]
    if not said or _NO_DEEDS.intersection(said):
        return words
    if len(said) > 1 and said[0] in _I:
        return words[2:]
    return words[1:] if said[0].endswith(_I_DO) and len(said[0]) > _SHORTEST_DEED else words


def _without_the_rest(words: Sequence[str], legal: LegalMoves) -> str:
    """A move whose parts stand apart: white on d4, and I remove a1; the piece on b8 goes to b6."""
    said = [" ".join(words_in([word])) for word in words]
    pieces = spoken.piece_words()
    kept = [
        word.strip(_SIGNS)
        for word, name in zip(words, said, strict=True)
        if name in pieces or _NAMES_A_CELL.search(word)
    ]
    rest = {name for word, name in zip(words, said, strict=True) if word.strip(_SIGNS) not in kept}
    if len(kept) < _PARTS or not rest - {""} <= _BEFORE | _AFTER:
        return ""
    begins = [word for word in kept if _NAMES_A_CELL.search(word)][:2]
    ways = [" ".join(kept)]
    if kept[: len(begins)] == begins:
        ways.append(" ".join(["-".join(begins), *kept[len(begins) :]]))
    return next(filter(None, map(legal.meant, ways)), "")


def _spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From a word to another one that names a cell, or has a piece before it."""
    cells = [at for at, word in enumerate(words) if _NAMES_A_CELL.search(word)]
    if not cells or len(cells) > LONGEST_MOVE:
        return
    for start in range(max(0, cells[0] - 3), cells[-1] + 1):
        for end in (cell + 1 for cell in cells if start < cell + 1 <= start + LONGEST_MOVE):
            yield start, end


def _is_part(span: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    return any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)
