"""Finds the cells that a line names: `b1`, `D4`, `a2xb3`."""

from __future__ import annotations

import re

from pbem.wording import wording

CELL = r"[^\W\d_][0-9]{1,2}"
_BEGUN = re.compile(r"[^\W\d_][0-9]")
_ALONE = re.compile(rf"(?<![^\W_]){CELL}(?![^\W_])")
_IN_A_MOVE = re.compile(rf"{CELL}(?:(?![^\W_])|(?=[x:@]))")


def names_cell(text: str) -> bool:
    """Whether the text has a cell, or something that looks like one."""
    return _BEGUN.search(text) is not None


def named_cells(text: str) -> list[str]:
    """Returns each cell that stands alone, once."""
    return list(dict.fromkeys(_ALONE.findall(text.lower())))


def cells_in(text: str) -> list[str]:
    """Returns all cells, also those inside moves."""
    return _IN_A_MOVE.findall(text.lower())


def cells_of_move(move: str) -> list[str]:
    """Returns the cells of a move in our notation."""
    return re.findall(CELL, move.lower())


def before_cells(text: str) -> str:
    """Returns the text before the first cell."""
    found = _BEGUN.search(text)
    return text[: found.start()] if found else text


# Removes the remark that the trap of Trapdoor Chess stays: `e7-e5 and I leave the trap there`.

_WORDS = wording(__package__)
_TRAP, _STAYS = _WORDS.either("trap_stays", "trap"), _WORDS.repeated("trap_stays", "stays")
_JOINING, _KEEPS = _WORDS.either("trap_stays", "joining"), _WORDS.either("trap_stays", "keeps")
_CLAUSE = re.compile(
    rf"[\s,;.:–—-]++(?:(?:{_JOINING})\s+)?"
    rf"(?:(?:{_KEEPS})\s+(?:{_TRAP})(?:\s++(?:{_STAYS}))*+|(?:{_TRAP})(?:\s++(?:{_STAYS}))++)[\s.!]*$",
    re.IGNORECASE,
)


def without_trap_staying(text: str) -> str:
    """Returns the text without that remark; the rules say whether the trap may stay."""
    return _CLAUSE.sub("", text)
