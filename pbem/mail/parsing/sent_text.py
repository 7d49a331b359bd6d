"""Finds quotations of our letters in a reply, with or without quote marks, re-wrapped or not."""

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

# Lines added by mail programs

LINE = 400  # characters of a line that are examined
WRAPPED = 4  # maximum lines of "On ... wrote:"
TORN = 7  # the same, when the address is broken off
FOOTER = 110  # maximum characters of an advert
NAMES = 3  # minimum different header names of a block
BLOCK = 12  # lines that are searched for them
NOTICE = 30  # maximum lines of a legal notice
LEGALESE = 50  # minimum characters of one

_QUOTED_QUOTES = re.compile(
    r"\s{0,8}(>|\|(\s|$)|&gt;|([A-Z]{1,3}|PBeM)>(\s|$))"
)  # some programs put the writer's initials: "AB> "
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
_RUNS_ON = re.compile(r"[:：]\s{2,8}(?=\S)")  # Yahoo: the text begins on the same line
_ADDRESSED = re.compile(r"[<(\[][^<>\s@]{1,100}@")
_DATE_FIRST = re.compile(r"\d{4}[/-]\d{1,2}[/-]\d{1,2}\b")
_STAMPED = re.compile(
    r"\d{4}[/-]\d{1,2}[/-]\d{1,2} \d{1,2}:\d{2} GMT[+-]\d{1,2}(:\d{2})? \S"
)  # never typed by hand
_BY = any_of(BY, before=r"\b(?:", after=r") <?[^<>\s@]{1,100}@[^<>\s]{1,200}>?:$").search
_NAMED = any_of(NAMED, before=r"[\"']?PBeM[\"']?( <[^<>]{1,200}>)? (?:", after=r")\s?:$")
_HEADER_NAME = any_of(HEADER_NAMES, before=r"\s{0,4}[*_]{0,2}(?P<name>", after=r")\s?[*_]{0,2}\s?[:：]")
_ANNOUNCED = any_of(ANNOUNCED)
_FOOTER = any_of(FOOTERS, before=r"\s{0,4}\W{0,3}")
_LEGAL = any_of(LEGAL, before=r"\W{0,5}")


def is_quoted(line: str) -> bool:
    return _QUOTED_QUOTES.match(line) is not None


def is_signature(line: str) -> bool:
    """Tells whether the line is a signature mark: `-- ` (RFC 3676, 4.3), or a variant."""
    return _SIGNATURE.match(line) is not None


def is_rule(line: str) -> bool:
    """Tells whether the line is a rule, as some programs put below a reply."""
    return _RULE.match(line) is not None


def is_end(line: str) -> bool:
    return _END.match(line.strip()) is not None


def is_footer(line: str) -> bool:
    """Tells whether the line is an advert of the mail program: `Sent from my iPhone`."""
    return len(line) <= FOOTER and _FOOTER.match(line) is not None


def legal_notice(lines: Sequence[str], at: int) -> int:
    """Counts the lines of a legal notice that begins here, to the end of its paragraph. 0 when none does."""
    paragraph = list(takewhile(str.strip, lines[at : at + NOTICE]))
    said = " ".join(line.strip(" *_>") for line in paragraph)[:LINE]
    return len(paragraph) if len(said) >= LEGALESE and _LEGAL.match(said) else 0


def attribution(lines: Sequence[str], at: int) -> int:
    """Counts the lines of an attribution that begins here: `On ... wrote:`. 0 when there is none.

    Text right above an attribution does not belong to it, even if it begins alike: "A domani!", "On we go."
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
    """Counts the lines of an attribution with a broken address. 0 when there is none."""
    # `On 31 Mar ... Some One`, a blank line, `<`, `mailto:a@b.example`, `> wrote:`
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
    """Counts the lines (marker, separator or headers) that announce a quotation without marks. May be 0."""
    line = lines[at][: LINE + 1]
    if len(line) > LINE:
        return 0
    if is_marker(line) or _ANNOUNCED.match(line):
        return 1
    return _ruled(lines, at) if _SHORT_RULE.match(line) else _header_block(lines[at : at + BLOCK])


def _ruled(lines: Sequence[str], at: int) -> int:
    """Counts the lines of a rule with a header block below it. 0 when there is none."""
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
    """Counts the lines of a header block (From, Sent, To, in any language), with wrapped ones. May be 0."""
    names: set[str] = set()
    length = 0
    for count, line in enumerate(lines, 1):
        if name := _HEADER_NAME.match(line[:LINE]):
            names.add(name["name"].lower())
            length = count
        elif not names or count - length > 2:
            break
    return length if len(names) >= NAMES else 0


SENT = 32 * 1024  # characters of our letter
SURE = 24  # minimum letters and digits of a quotation of one line
_PLACES = 20  # maximum places of one line in our letter: rows of an empty board repeat
_SEARCHED = 6  # minimum letters and digits to find a line within ours, re-wrapped
_QUOTED = 40  # lines of a player's message that a letter of ours may quote
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = 2  # minimum words of a sentence
_OFFERED = "    "  # indentation of commands that our letter suggests


def ours(lines: Sequence[str], sent: str) -> list[bool]:
    """Marks the lines that quote `sent`.

    A line counts when it continues the previous one in our letter, or is long. A short line alone is new
    text, even if our letter suggests it; so is a long suggested line with no quoted line beside it. A
    player's message in our letter counts as quoted only between our own lines: elsewhere it is new text.
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
    """Returns the lines of text that our letter asked to have sent again, without its mark, by line number."""
    asked = {squeeze(words) for words in asked_again(sent[:SENT])} - {""}
    found = ((index, without_mark(line)) for index, line in enumerate(lines)) if asked else ()
    return {index: words for index, words in found if words and squeeze(words) in asked}


def with_words_marked(sent: str, words: Iterable[str]) -> str:
    """Puts the mark of a player's words before those that our letter quotes in a sentence, as `We read: ...`."""
    # A new quotation of the letter then shows them as the player's.
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
    """Returns letters and digits only, in lower case."""
    # Mail programs change blanks, punctuation and dashes of quoted text.
    return "".join(filter(str.isalnum, text.casefold()))


class _Source:
    """Our letter. `_own` is `_whole` with NUL in place of players' messages."""

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
        """Tells whether a line beside a quotation is ours: a sentence or a rule. Moves and commands are not."""
        # The first line of an HTML text may be shorter than that of the plain text.
        if not key:
            return line.strip() in self._drawn
        if len(key) >= _SEARCHED and self._whole.startswith(key):
            return True
        sentence = line.rstrip().endswith((".", ":")) and len(_WORD.findall(line)) >= _WORDS
        return sentence and key in self._own

    def ends(self, key: str) -> set[int]:
        """Returns the positions after this line, for every place where our letter has it."""
        if key in self._line_ends:
            return self._line_ends[key]
        if len(key) < _SEARCHED:
            return set()
        at = max(self._own.find(key), self._whole.find(key) if key not in self._own else -1)
        return {at + len(key)} if at >= 0 else set()

    def is_said(self, start: int, end: int) -> bool:
        """Tells whether the span is all of players' messages."""
        return not self._own[start:end].strip("\0")

    def breaks(self, at: int) -> bool:
        """Tells whether the position is within a line of ours."""
        return at not in self._ends


class _Reply:
    """A reply. `marks` flags our lines, `_said` other lines that repeat a player's message in our letter."""

    def __init__(self, lines: Sequence[str], source: _Source) -> None:
        self._lines, self.source = lines, source
        self.keys = [squeeze(line) for line in lines]
        self.marks, self._said = [False] * len(lines), [False] * len(lines)
        self._quoted = [is_quoted(line) for line in lines]
        self._alone: list[int] = []  # lines that our letter suggests, out of order
        self._written = [index for index, line in enumerate(lines) if line.strip()]

    def settle(self, run: Sequence[int], ends: set[int]) -> None:
        """Marks the lines of a run that ends at `ends`, with blank lines and rules between them."""
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
        """Unmarks suggested lines that stand alone."""
        # A link that composes the reply sends nothing else.
        for index in self._alone:
            at = self._written.index(index)
            if not any(
                self.marks[beside] for beside in self._written[max(0, at - 1) : at + 2] if beside != index
            ):
                self.marks[index] = False

    def fill(self) -> None:
        """Marks our lines beside a run that are out of order: HTML has another order."""
        for order in (self._written, self._written[::-1]):
            for before, index in pairwise(order):
                beside = self.marks[before] and not self.marks[index] and not self._said[index]
                typed = self._quoted[before] and not self._quoted[index]  # below marks that it does not have
                if beside and not typed and self.source.says(self._lines[index], self.keys[index]):
                    self.marks[index] = True

    def close(self) -> None:
        """Marks players' messages between two unmarked lines of ours."""
        groups = [list(group) for _, group in groupby(self._written, key=lambda index: self._said[index])]
        for before, group, after in zip(groups, groups[1:], groups[2:], strict=False):
            around = (before[-1], after[0])
            if self._said[group[0]] and all(self.marks[at] and not self._quoted[at] for at in around):
                self.marks[before[-1] : after[0]] = [True] * (after[0] - before[-1])
