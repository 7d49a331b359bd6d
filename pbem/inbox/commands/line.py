"""Command lines, and readers of their parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.registry import heard
from pbem.inbox.understanding.normalization import unquoted
from pbem.wording import wording

IsMove = Callable[[str, int | None], bool]

LONGEST_LINE = 400  # a longer one is talk

GUARD = re.compile(r"\s*#\s*([0-9]{1,4}\.{0,3})$")  # Nd2,a3#6, Nd2,a3#6...
_NUMBER = re.compile(r"^[0-9]{1,4}\.{1,3} ?(?=\S)")
_LEADING = re.compile(r"(?:\[([0-9]{1,9})\]|#?([0-9]{1,9}))(:)?(?:\s+|\.?$)")
# Typographic variants of notation signs
_SIGNS = str.maketrans("‐‑‒–—−×’‘“”", "------x''\"\"")


@dataclass(frozen=True)
class CommandLine:
    """A line that begins with the verb `word`; `match` is a number before it, `rest` the text after it.

    `clear`: in capitals or with a colon; only then may free text follow. `capitals`: in capitals.
    `exclaimed`: with an exclamation mark. `marked`: a list item, where a YES answers something else.
    `own` is the match of the letter answered, `is_move(text, match)` tells whether a text has the shape of a
    move there, and `verbs` are the folded words of all verbs.
    """

    word: str
    match: int | None
    clear: bool
    exclaimed: bool
    marked: bool
    capitals: bool
    rest: str
    own: int | None
    is_move: IsMove
    verbs: Collection[str]

    @property
    def words(self) -> list[str]:
        return arguments(self.rest)


def is_game(word: str) -> bool:
    """Whether `word` names a game, with or without a variant: `Zèrtz`, `zertz+11`, `loa:scrambled`."""
    return heard([word]) is not None


def game_of(words: Sequence[str]) -> str | None:
    """Returns the game that all the words name: `Lines of Action` is `loa`. None when they name none."""
    found = heard(words)
    return found[0] if found and not found[1] else None


def key_of(game: str) -> str:
    """Returns the key of the game without its variant."""
    return re.split("[:+]", game)[0]


def plain(text: str) -> str:
    """Returns the text with keyboard signs and single blanks, without a final full stop."""
    return typed(text).removesuffix(".").rstrip()


def arguments(text: str) -> list[str]:
    """Returns the words, each without the quotation marks, brackets or stars around it."""
    return [unquoted(word) for word in plain(text).split()]


def unnumbered(text: str) -> str:
    """Removes the move number: `6... a7-c5` becomes `a7-c5`."""
    return _NUMBER.sub("", text)


def typed(text: str) -> str:
    """Returns the text with keyboard signs and single blanks."""
    return _line_typed(text) if len(text) <= LONGEST_LINE else _typed(text)


def _typed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).split())


_line_typed = lru_cache(maxsize=1024)(_typed)  # called repeatedly for each line


def match_of(line: CommandLine, *, marked: bool = False) -> tuple[int | None, str]:
    """Returns the match, named before or after the verb, and the rest."""
    if line.match is not None:
        return line.match, line.rest
    return number_of(line.rest, marked=marked)


def text_of(line: CommandLine) -> tuple[int | None, str]:
    """Returns the match and the free text about it."""
    # Behind a verb in small letters, and in any reply, a bare number belongs to the text: "Say 2 weeks and I
    # believe you", "SAY 2 more moves".
    return match_of(line, marked=not line.clear or line.own is not None)


def number_of(text: str, *, marked: bool = False) -> tuple[int | None, str]:
    """Splits a number from the start; if `marked`, only `#105`, `[105]` or `105:`. None without one."""
    found = _LEADING.match(text)
    if not found or (marked and found[0][0].isdecimal() and not found[3]):
        return None, text
    return int(found[1] or found[2]), text[found.end() :]


# Cells: `b1`, `D4`, `a2xb3`

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
