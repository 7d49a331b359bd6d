"""Separates the new text of a reply from quotations, signatures and closing formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from mailparser_reply.parser import EmailMessage

from pbem.mail.parsing.sent_text import (
    attribution,
    is_end,
    is_footer,
    is_quoted,
    is_rule,
    is_signature,
    legal_notice,
    ours,
    sent_again,
    squeeze,
    unmarked_quote,
)
from pbem.reply_marker import without_mark

LINES = 3_000  # maximum lines, with quotations
NARROWEST, WIDEST = 60, 80  # characters at which programs break lines
RAGGED = 12  # characters by which a broken line may be shorter than the widest
LONG = 40  # minimum characters of a broken line
COMPARED = 24  # characters around a line end that are looked up in the HTML

_ENDS = re.compile(r"[.!?…:)\]}»”\"'’]$|[:;=]-?[()DP]$|[^\w\s,;–—-]$")  # end of a sentence


@dataclass(frozen=True)
class NewText:
    """New `lines`, without blank ones at either end, and the `signature` below its mark.

    `wrapped`: numbers of lines that seem to continue the one above. `below`: numbers of lines right below a
    quoted message of a player, with its text.
    """

    lines: tuple[str, ...]
    signature: tuple[str, ...] = ()
    wrapped: frozenset[int] = frozenset()
    below: tuple[tuple[int, str], ...] = ()


@dataclass
class Page:
    """The HTML alternative, with each paragraph on one line. Read on demand."""

    text: Callable[[], str]

    @cached_property
    def _lines(self) -> list[str]:
        return [squeeze(line) for line in self.text().split("\n")]

    def joins(self, above: str, line: str) -> bool | None:
        """Tells whether both lines stand in one paragraph. None when they are not found."""
        end, begin = squeeze(above)[-COMPARED:], squeeze(line)[:COMPARED]
        if any(f"{end}{begin}" in each for each in self._lines):
            return True
        return False if any(each.endswith(end) for each in self._lines) else None


def new_text(text: str, sent: str | None = None) -> tuple[str, ...]:
    """Returns the new lines."""
    return split_text(text, sent).lines


def split_text(text: str, sent: str | None = None, page: Page | None = None) -> NewText:
    """Splits a reply into new text and the rest. `page` is its HTML alternative.

    Reads text above, below and between quotations. A quotation without marks ends the text, unless nothing
    precedes it and `sent` is known.
    """
    lines = _lines(text)
    known = ours(lines, sent) if sent else [False] * len(lines)
    again = sent_again(lines, sent) if sent else {}
    kept: list[str] = []
    below: list[str] = []
    quoted: dict[int, str] = {}
    words = ""
    at = 0
    while at < len(lines):
        line, written = lines[at], any(kept)
        if at in again and not known[at]:
            kept.append(again[at])
            at += 1
        elif is_quoted(line):
            words = _words_of_player(line, ours=known[at]) if line.strip("> ") else words
            at += 1
        elif said := attribution(lines, at):
            at += said
            if not _quotes(lines, at) and (written or not sent):
                break
        elif announced := unmarked_quote(lines, at):
            at += announced
            if written or not sent:
                break
        elif known[at] or is_footer(line):
            at += 1
        elif notice := legal_notice(lines, at):
            at += notice
        elif is_signature(line) or (written and is_end(line)):
            below = _signature(lines, at + 1)
            break
        else:
            if line and words:
                quoted[len(kept)], words = words, ""
            kept.append(line)
            at += 1
    first, last = _typed(kept)
    typed, wrapped = _unwrapped(kept[first:last], page)
    beside = tuple((at - first, words) for at, words in quoted.items()) if len(typed) == last - first else ()
    return NewText(tuple(typed), tuple(below[slice(*_typed(below))]), wrapped, beside)


def _words_of_player(line: str, *, ours: bool) -> str:
    """Returns a player's message in a quoted line, or a quoted question that is not ours. Empty for other
    lines."""
    text = line.lstrip(">")
    asked = text.strip(" >") if text.rstrip().endswith("?") and not ours else ""
    return without_mark(text) or asked


def _unwrapped(lines: Sequence[str], page: Page | None) -> tuple[list[str], frozenset[int]]:
    """Joins lines that form one paragraph in the HTML. Returns them and the numbers of likely continuations."""
    widest = max((len(line) for line in lines if " " in line), default=0)
    joined: list[str] = []
    wrapped: set[int] = set()
    above = ""
    for line in lines:
        if line and len(above) >= LONG and not _ENDS.search(above):
            as_page = page.joins(above, line) if page else None
            fits = len(above) + 1 + len(line.split()[0]) <= widest
            by_width = NARROWEST <= widest <= WIDEST and len(above) >= widest - RAGGED and not fits
            if as_page:
                joined[-1] = f"{joined[-1]} {line.strip()}"
                above = line
                continue
            if by_width and as_page is None:
                wrapped.add(len(joined))
        joined.append(line)
        above = line
    return joined, frozenset(wrapped)


def _signature(lines: Sequence[str], at: int) -> list[str]:
    """Returns the signature without legal notices and quotations."""
    kept: list[str] = []
    while at < len(lines) and not is_quoted(lines[at]):
        notice = legal_notice(lines, at)
        kept += [] if notice else [lines[at]]
        at += notice or 1
    return kept


def _lines(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if line or lines[-2:] != ["", ""]:
            lines.append(line)
        if len(lines) == LINES:
            break
    return lines


def _quotes(lines: Sequence[str], at: int) -> bool:
    """Tells whether the next line that is not blank is quoted."""
    return next((is_quoted(line) for line in lines[at : at + 5] if line), False)


def _typed(lines: Sequence[str]) -> tuple[int, int]:
    """Returns the range from the first to the last line with text."""
    said = [index for index, line in enumerate(lines) if line.strip() and not is_rule(line)]
    return (said[0], said[-1] + 1) if said else (0, 0)


# Messages to the opponent

# mailparser_reply takes quadratic time; within these bounds, milliseconds.
TALK = 4_000  # characters
LINE = 400  # characters

_SENTENCE = 6  # minimum words; "Best regards from a rainy Leeds" is shorter
_BLANK_RUN = re.compile(r"\n{3,}")
_LANGUAGES = ("en", "it", "de", "fr", "es", "nl")


def talk(lines: Sequence[str]) -> tuple[str, ...]:
    """Removes closing formulas, disclaimers and signatures. `lines` are those of a Letter."""
    said = _BLANK_RUN.sub("\n\n", "\n".join(line[:LINE].rstrip() for line in lines))[:TALK].strip("\n")
    if not said:
        return ()
    letter = EmailMessage(text=said, languages=list(_LANGUAGES), keep_hyphen_lists=True).read()
    lines = said.split("\n")
    body = letter.replies[0].body
    kept = tuple(_as_drawn(body.split("\n"), lines)) if body else ()
    if not kept:
        return _sentences(lines)
    ends = lines[len(lines) - lines[::-1].index(kept[-1]) :] if kept[-1] in lines else ()
    return kept + _sentences(ends)


def _sentences(ends: Sequence[str]) -> tuple[str, ...]:
    """Returns leading sentences that the library mistakes for closing formulas: `Thank you, it was a good
    game.`"""
    said = tuple(takewhile(lambda line: not line.strip() or _is_sentence(line), ends))
    return said if any(map(str.strip, said)) else ()


def _is_sentence(line: str) -> bool:
    return len(line.split()) >= _SENTENCE and line.rstrip().endswith((".", "!", "?", "…"))


def _as_drawn(kept: Sequence[str], said: Sequence[str]) -> Iterator[str]:
    """Restores the indentation, which the library removes."""
    at = 0
    for line in kept:
        found = next((n for n in range(at, len(said)) if said[n].strip() == line.strip()), None)
        yield line if found is None else said[found]
        at = at if found is None else found + 1
