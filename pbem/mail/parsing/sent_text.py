"""Finds in a reply the lines that we ourselves sent, quote marks or none, wrapped anew or not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise, takewhile

from pbem.mail.parsing.vocabulary import (
    ANNOUNCED,
    BY,
    FOOTERS,
    HEADER_NAMES,
    LEGAL,
    NAMED,
    WROTE,
    WROTE_BEGINS,
    any_of,
)
from pbem.reply_marker import SAID, asked_again, is_marker, is_said, without_mark

# Knows the lines that mail programs add to a reply: quote marks, who wrote when, signatures,
# adverts.

LINE = 400  # characters of a line that are looked at; what programs add is shorter
WRAPPED = 4  # lines over which "On ... wrote:" may be spread
TORN = 7  # the same, where the address is torn off
FOOTER = 110  # characters of an advert
NAMES = 3  # different header names that make a block
BLOCK = 12  # lines among which they are found
NOTICE = 30  # lines of a paragraph about confidence
LEGALESE = 50  # characters that it has at least

_QUOTED_QUOTES = re.compile(
    r"\s{0,8}(>|\|(\s|$)|&gt;|([A-Z]{1,3}|PBeM)>(\s|$))"
)  # some put the writer's initials: "AB> "
_SIGNATURE = re.compile(r"\s?(--|__|—) ?$")
_RULE = re.compile(r"\s{0,8}[-_=*~–—]{8,}\s*$")
_SHORT_RULE = re.compile(r"\s{0,8}[-_=*~–—─━]{3,}\s*$")
_END = re.compile(r"(end|fine)\.?$", re.IGNORECASE)

_WROTE = any_of(WROTE)
_WROTE_BEGINS = any_of(WROTE_BEGINS)
_DATED = re.compile(
    r"\d{4}[-/年.]\d{1,2}[-/月.]\d{1,2}|\d{1,2}[:.]\d{2}|\b(19|20)\d\d\b|"
    r"[<(\[][^<>\s]{1,100}@|@[\w-]{1,60}\.\w"
)
_RUNS_ON = re.compile(r"[:：]\s{2,8}(?=\S)")  # Yahoo: the letter begins on the same line
_ADDRESSED = re.compile(r"[<(\[][^<>\s@]{1,100}@")
_DATE_FIRST = re.compile(r"\d{4}[/-]\d{1,2}[/-]\d{1,2}\b")
_STAMPED = re.compile(
    r"\d{4}[/-]\d{1,2}[/-]\d{1,2} \d{1,2}:\d{2} GMT[+-]\d{1,2}(:\d{2})? \S"
)  # nobody types that
_BY = any_of(BY, before=r"\b(?:", after=r") <?[^<>\s@]{1,100}@[^<>\s]{1,200}>?:$").search
_NAMED = any_of(NAMED, before=r"[\"']?PBeM[\"']?( <[^<>]{1,200}>)? (?:", after=r")\s?:$")
_HEADER_NAME = any_of(HEADER_NAMES, before=r"\s{0,4}[*_]{0,2}(?P<name>", after=r")\s?[*_]{0,2}\s?[:：]")
_ANNOUNCED = any_of(ANNOUNCED)
_FOOTER = any_of(FOOTERS, before=r"\s{0,4}\W{0,3}")
_LEGAL = any_of(LEGAL, before=r"\W{0,5}")


def is_quoted(line: str) -> bool:
    return _QUOTED_QUOTES.match(line) is not None


def is_signature(line: str) -> bool:
    """The line above a signature: `-- ` (RFC 3676, 4.3), and what is left of it."""
    return _SIGNATURE.match(line) is not None


def is_rule(line: str) -> bool:
    """A drawn line, as some programs put under a reply."""
    return _RULE.match(line) is not None


def is_end(line: str) -> bool:
    return _END.match(line.strip()) is not None


def is_footer(line: str) -> bool:
    """An advert of the mail program: `Sent from my iPhone`, `Inviato da Outlook per Android`."""
    return len(line) <= FOOTER and _FOOTER.match(line) is not None


def legal_notice(lines: Sequence[str], at: int) -> int:
    """How many lines from here, to the end of a paragraph, are a notice about confidence; 0 for none."""
    paragraph = list(takewhile(str.strip, lines[at : at + NOTICE]))
    said = " ".join(line.strip(" *_>") for line in paragraph)[:LINE]
    return len(paragraph) if len(said) >= LEGALESE and _LEGAL.match(said) else 0


def attribution(lines: Sequence[str], at: int) -> int:
    """How many lines from here say who wrote what follows: `On ... wrote:`; 0 for none.

    A line of talk right above it is none of them, though it begins like it: "A domani!", "On we go."
    """
    said = _attribution(lines, at)
    for apart in range(1, said):
        talk = " ".join(lines[at : at + apart])
        begins = _WROTE_BEGINS.match(lines[at + apart].lstrip(" *_"))
        if begins and not _DATED.search(talk) and _attribution(lines, at + apart) == said - apart:
            return 0
    return said or _torn_attribution(lines, at)


def _attribution(lines: Sequence[str], at: int) -> int:
    joined = ""
    for count, line in enumerate(lines[at : at + WRAPPED], 1):
        if not line.strip() or is_quoted(line) or len(joined) + len(line) > LINE:
            return 0
        begins = _WROTE_BEGINS.match(joined) or joined.startswith("---")
        if count > 1 and not (begins or _ADDRESSED.search(joined)):
            return 0
        joined = f"{joined} {line.strip(' *_')}".strip()
        if count == 1 and (cut := _RUNS_ON.search(joined)):
            joined = joined[: cut.end()].rstrip()
        above_quote = any(map(is_quoted, lines[at + count : at + count + 1])) or (
            not any(map(str.strip, lines[at + count : at + count + 1]))
            and any(map(is_quoted, lines[at + count + 1 : at + count + 2]))
            and _NAMED.match(joined) is not None
        )
        if _says_who_wrote(joined, above_quote):
            return count
    return 0


def _torn_attribution(lines: Sequence[str], at: int) -> int:
    """One whose address was torn off: `On 31 Mar ... Some One`, a blank line, `<`, `mailto:a@b.example`, `> wrote:`."""
    if not (_WROTE_BEGINS.match(lines[at]) and _DATED.search(lines[at][:LINE])):
        return 0
    joined = ""
    for count, line in enumerate(lines[at + 1 : at + TORN], 2):
        joined += line.strip()
        if len(joined) > LINE or (joined and not joined.startswith("<")):
            return 0
        if line.startswith(">"):
            return count if joined.endswith(":") and _WROTE.search(line) else 0
    return 0


def unmarked_quote(lines: Sequence[str], at: int) -> int:
    """How many lines from here announce a whole letter without quote marks; 0 for none.

    Our marker, a separator, or a block of headers.
    """
    line = lines[at][: LINE + 1]
    if len(line) > LINE:
        return 0
    if is_marker(line) or _ANNOUNCED.match(line):
        return 1
    return _ruled(lines, at) if _SHORT_RULE.match(line) else _header_block(lines[at : at + BLOCK])


def _ruled(lines: Sequence[str], at: int) -> int:
    """A drawn line, and the headers below it."""
    below = next((below for below in range(at + 1, min(at + 4, len(lines))) if lines[below].strip()), at)
    block = _header_block(lines[below : below + BLOCK]) if below > at else 0
    return block and below - at + block


def _says_who_wrote(joined: str, above_quote: bool) -> bool:
    if _STAMPED.match(joined) or (above_quote and _NAMED.match(joined)):
        return True
    if joined.startswith("---") and (inside := joined.strip("- ")) != joined and joined.endswith("---"):
        return bool(_DATED.search(inside) and _WROTE.search(inside))
    colon = joined.endswith((":", "："))
    if not (colon or above_quote or joined.endswith(">")) or not _DATED.search(joined):
        return False
    if colon:
        named = joined.endswith("]:") and _ADDRESSED.search(joined)  # * PBeM <m@...> [21-11-2026 09:14]:
        return bool(joined.endswith(">:") or named or _BY(joined) or _WROTE.search(joined))
    if above_quote and _WROTE_BEGINS.match(joined) and _WROTE.search(joined):
        return True
    return joined.endswith(">") and _DATE_FIRST.match(joined) is not None


def _header_block(lines: Sequence[str]) -> int:
    """From, Sent, To, in any language: several different ones, long ones wrapped."""
    names: set[str] = set()
    length = 0
    for count, line in enumerate(lines, 1):
        if name := _HEADER_NAME.match(line[:LINE]):
            names.add(name["name"].lower())
            length = count
        elif not names or count - length > 2:
            break
    return length if len(names) >= NAMES else 0


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
