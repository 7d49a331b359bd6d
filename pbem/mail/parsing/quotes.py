"""Knows the lines that mail programs add to a reply: quote marks, who wrote when, signatures, adverts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

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
from pbem.reply_marker import is_marker

LINE = 400  # characters of a line that are looked at; what programs add is shorter
WRAPPED = 4  # lines over which "On ... wrote:" may be spread
TORN = 7  # the same, where the address is torn off
FOOTER = 110  # characters of an advert
NAMES = 3  # different header names that make a block
BLOCK = 12  # lines among which they are found
NOTICE = 30  # lines of a paragraph about confidence
LEGALESE = 50  # characters that it has at least

_QUOTED = re.compile(
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
    return _QUOTED.match(line) is not None


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
