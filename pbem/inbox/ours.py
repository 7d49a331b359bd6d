"""Finds in a reply the lines that we ourselves sent, quote marks or none, wrapped anew or not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

SENT = 32 * 1024  # characters of the letter answered
SURE = 24  # letters and digits: nobody types that many of ours in a row by chance
_PLACES = 20  # of one line in our letter: rows of an empty board repeat
_SEARCHED = 6  # letters and digits from which a line is looked for within our lines, wrapped anew


def ours(lines: Sequence[str], sent: str) -> list[bool]:
    """Which lines are a quotation of `sent`.

    A quotation repeats our lines in our order. So a line counts when it goes on where the line before
    left off, or is long; a short one alone is what the player typed, though our letter gave it as an example.
    """
    source = _Source(sent)
    keys = [squeeze(line) for line in lines]
    marks = [False] * len(lines)
    run: list[int] = []
    ends: set[int] = set()
    for index, key in enumerate(keys):
        if not key:
            continue
        further = source.continued(key, ends)
        if not further:
            _settle(run, keys, marks)
            run, further = [], source.ends(key)
        if further:
            run.append(index)
        ends = further
    _settle(run, keys, marks)
    return marks


def squeeze(text: str) -> str:
    """Letters and digits only: mail programs change the blanks, marks and dashes of what they quote."""
    return "".join(filter(str.isalnum, text.casefold()))


class _Source:
    def __init__(self, sent: str) -> None:
        self._whole = ""
        self._line_ends: dict[str, set[int]] = defaultdict(set)
        for line in sent[:SENT].split("\n"):
            key = squeeze(line)
            self._whole += key
            if key and len(self._line_ends[key]) < _PLACES:
                self._line_ends[key].add(len(self._whole))

    def continued(self, key: str, ends: set[int]) -> set[int]:
        return {end + len(key) for end in ends if self._whole.startswith(key, end)}

    def ends(self, key: str) -> set[int]:
        """Where our text stands after this line, wherever it says the same."""
        if key in self._line_ends:
            return self._line_ends[key]
        at = self._whole.find(key) if len(key) >= _SEARCHED else -1
        return {at + len(key)} if at >= 0 else set()


def _settle(run: list[int], keys: list[str], marks: list[bool]) -> None:
    if len(run) > 1 or sum(len(keys[index]) for index in run) >= SURE:
        for index in range(run[0], run[-1] + 1):  # with the blank and drawn lines between
            marks[index] = True
