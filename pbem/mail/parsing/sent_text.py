"""Finds in a reply the lines that we ourselves sent, quote marks or none, wrapped anew or not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from pbem.mail.parsing.quotes import is_quoted
from pbem.reply_marker import SAID, asked_again, is_said, without_mark

SENT = 32 * 1024  # characters of the letter answered
SURE = 24  # letters and digits: nobody types that many of ours in a row by chance
_PLACES = 20  # of one line in our letter: rows of an empty board repeat
_SEARCHED = 6  # letters and digits from which a line is looked for within our lines, wrapped anew
_QUOTED = 40  # lines of a player that a letter of ours may quote
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = 2  # of a sentence
_OFFERED = "    "  # before what our letter has for its reader to send


def ours(lines: Sequence[str], sent: str) -> list[bool]:
    """Which lines are a quotation of `sent`.

    A quotation repeats our lines in our order. So a line counts when it goes on where the line before
    left off, or is long; a short one alone is what the player typed, though our letter gave it as an example, and
    so is a long one that our letter has to be sent, where nothing of ours stands beside it.
    What a player says in our letter is quoted only where our own lines stand on both sides of it: anyone who
    sends the same words again, or repeats what is being answered, has typed them.
    """
    reply = _Reply(lines, _Source(sent))
    run: list[int] = []
    ends: set[int] = set()
    for index, key in enumerate(reply.keys):
        if not key:
            continue
        further = reply.source.continued(key, ends)
        if not further:
            reply.settle(run, ends)
            run, further = [], reply.source.ends(key)
        if further:
            run.append(index)
        ends = further
    reply.settle(run, ends)
    reply.give_back()
    reply.fill()
    reply.close()
    return reply.marks


def sent_again(lines: Sequence[str], sent: str) -> dict[int, str]:
    """The words that our letter asked for again and that were copied with its mark, by line; without the mark."""
    asked = {squeeze(words) for words in asked_again(sent[:SENT])} - {""}
    found = ((index, without_mark(line)) for index, line in enumerate(lines)) if asked else ()
    return {index: words for index, words in found if words and squeeze(words) in asked}


def with_words_marked(sent: str, words: Iterable[str]) -> str:
    """Our letter with the mark of a player's words before those that it quotes in a sentence, as `We read: ...`, so
    that they are known to be theirs when they are written anew."""
    sent = sent[:SENT]
    lines = [
        line for text in words for line in text.splitlines()[:_QUOTED] if len(squeeze(line)) >= _SEARCHED
    ]
    for line in dict.fromkeys(lines):
        quoted = re.compile(r"\s+".join(map(re.escape, line.split())))
        sent = quoted.sub(_marked, sent, count=_PLACES)
    return sent


def _marked(found: re.Match[str]) -> str:
    if is_said(found.string[found.string.rfind("\n", 0, found.start()) + 1 :]):
        return found[0]
    return "\n" + "\n".join(SAID + line.strip() for line in found[0].split("\n")) + "\n"


def squeeze(text: str) -> str:
    """Letters and digits only: mail programs change the blanks, marks and dashes of what they quote."""
    return "".join(filter(str.isalnum, text.casefold()))


class _Source:
    """Our letter. `_own` is `_whole` with NUL for whatever players say in it."""

    def __init__(self, sent: str) -> None:
        self._whole = ""
        self._own = ""
        self._line_ends: dict[str, set[int]] = defaultdict(set)
        self._drawn: set[str] = set()
        self.offered: set[str] = set()
        for line in sent[:SENT].split("\n"):
            key = squeeze(line)
            if line.startswith(_OFFERED):
                self.offered.add(key)
            self._whole += key
            self._own += "\0" * len(key) if is_said(line) else key
            if not key:
                self._drawn.add(line.strip())
            if key and len(self._line_ends[key]) < _PLACES:
                self._line_ends[key].add(len(self._whole))
        self._ends = {end for ends in self._line_ends.values() for end in ends}

    def continued(self, key: str, ends: set[int]) -> set[int]:
        return {end + len(key) for end in ends if self._whole.startswith(key, end)}

    def says(self, line: str, key: str) -> bool:
        """Whether a line that stands beside ours is one of them: a sentence, or a drawn line.

        A move or a command that the player copied is neither. A page may have less in its first line than the text.
        """
        if not key:
            return line.strip() in self._drawn
        if len(key) >= _SEARCHED and self._whole.startswith(key):
            return True
        sentence = line.rstrip().endswith((".", ":")) and len(_WORD.findall(line)) >= _WORDS
        return sentence and key in self._own

    def ends(self, key: str) -> set[int]:
        """Where our text stands after this line, wherever it says the same."""
        if key in self._line_ends:
            return self._line_ends[key]
        if len(key) < _SEARCHED:
            return set()
        at = max(self._own.find(key), self._whole.find(key) if key not in self._own else -1)
        return {at + len(key)} if at >= 0 else set()

    def is_said(self, start: int, end: int) -> bool:
        """Whether all of it is said by a player."""
        return not self._own[start:end].strip("\0")

    def breaks(self, at: int) -> bool:
        """Whether a line of ours goes on there."""
        return at not in self._ends


class _Reply:
    """`marks` says which lines are ours, `said` which of the others repeat what a player says in our letter."""

    def __init__(self, lines: Sequence[str], source: _Source) -> None:
        self._lines, self.source = lines, source
        self.keys = [squeeze(line) for line in lines]
        self.marks, self._said = [False] * len(lines), [False] * len(lines)
        self._quoted = [is_quoted(line) for line in lines]
        self._alone: list[int] = []  # lines that our letter has to be sent, out of its order
        self._written = [index for index, line in enumerate(lines) if line.strip()]

    def settle(self, run: Sequence[int], ends: set[int]) -> None:
        """Marks the lines of a run that leads to `ends`, with the blank and drawn lines between."""
        if len(run) < 2 and sum(len(self.keys[index]) for index in run) < SURE:
            return
        if len(run) == 1 and self.keys[run[0]] in self.source.offered and not self._quoted[run[0]]:
            self._alone.append(run[0])
        end = min(ends)
        start = end - sum(len(self.keys[index]) for index in run)
        before: int | None = None
        for index in run:
            end = start + len(self.keys[index])
            wrapped = before is not None and self._quoted[before] and self.source.breaks(start)
            self._said[index] = self.source.is_said(start, end) and not wrapped
            if not self._said[index]:
                ours_before = before is not None and not self._said[before]
                first = before + 1 if ours_before and before is not None else index
                self.marks[first : index + 1] = [True] * (index + 1 - first)
            before, start = index, end

    def give_back(self) -> None:
        """What was to be sent, and was sent by itself: by the touch of a link there is nothing else."""
        for index in self._alone:
            at = self._written.index(index)
            if not any(
                self.marks[beside] for beside in self._written[max(0, at - 1) : at + 2] if beside != index
            ):
                self.marks[index] = False

    def fill(self) -> None:
        """What stands beside a run though our text has it elsewhere: HTML says some things in another order."""
        for order in (self._written, self._written[::-1]):
            for before, index in pairwise(order):
                beside = self.marks[before] and not self.marks[index] and not self._said[index]
                typed = self._quoted[before] and not self._quoted[index]  # below marks that it does not have
                if beside and not typed and self.source.says(self._lines[index], self.keys[index]):
                    self.marks[index] = True

    def close(self) -> None:
        """What players say between two lines of ours, where no quote mark tells them from what is typed there."""
        groups = [list(group) for _, group in groupby(self._written, key=lambda index: self._said[index])]
        for before, group, after in zip(groups, groups[1:], groups[2:], strict=False):
            around = (before[-1], after[0])
            if self._said[group[0]] and all(self.marks[at] and not self._quoted[at] for at in around):
                self.marks[before[-1] : after[0]] = [True] * (after[0] - before[-1])
