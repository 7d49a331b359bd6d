"""Finds in a reply the lines that we ourselves sent, quote marks or none, wrapped anew or not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

SENT = 32 * 1024  # characters of the letter answered
SURE = 24  # letters and digits: nobody types that many of ours in a row by chance
_PLACES = 20  # of one line in our letter: rows of an empty board repeat
_SEARCHED = 6  # letters and digits from which a line is looked for within our lines, wrapped anew
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = 2  # of a sentence


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
    _fill(lines, source, keys, marks)
    return marks


def squeeze(text: str) -> str:
    """Letters and digits only: mail programs change the blanks, marks and dashes of what they quote."""
    return "".join(filter(str.isalnum, text.casefold()))


class _Source:
    def __init__(self, sent: str) -> None:
        self._whole = ""
        self._line_ends: dict[str, set[int]] = defaultdict(set)
        self._drawn: set[str] = set()
        for line in sent[:SENT].split("\n"):
            key = squeeze(line)
            self._whole += key
            if not key:
                self._drawn.add(line.strip())
            if key and len(self._line_ends[key]) < _PLACES:
                self._line_ends[key].add(len(self._whole))

    def continued(self, key: str, ends: set[int]) -> set[int]:
        return {end + len(key) for end in ends if self._whole.startswith(key, end)}

    def says(self, line: str, key: str) -> bool:
        """Whether a line that stands beside ours is one of them: a sentence, or a drawn line.

        A move or a command that the player copied is neither.
        """
        if not key:
            return line.strip() in self._drawn
        sentence = line.rstrip().endswith((".", ":")) and len(_WORD.findall(line)) >= _WORDS
        return sentence and key in self._whole

    def ends(self, key: str) -> set[int]:
        """Where our text stands after this line, wherever it says the same."""
        if key in self._line_ends:
            return self._line_ends[key]
        at = self._whole.find(key) if len(key) >= _SEARCHED else -1
        return {at + len(key)} if at >= 0 else set()


def _fill(lines: Sequence[str], source: _Source, keys: list[str], marks: list[bool]) -> None:
    """What stands beside a run though our text has it elsewhere: HTML says some things in another order."""
    written = [index for index, line in enumerate(lines) if line.strip()]
    for order in (written, written[::-1]):
        for before, index in pairwise(order):
            if marks[before] and not marks[index] and source.says(lines[index], keys[index]):
                marks[index] = True


def _settle(run: list[int], keys: list[str], marks: list[bool]) -> None:
    if len(run) > 1 or sum(len(keys[index]) for index in run) >= SURE:
        for index in range(run[0], run[-1] + 1):  # with the blank and drawn lines between
            marks[index] = True
