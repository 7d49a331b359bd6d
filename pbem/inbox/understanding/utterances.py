"""The utterances of a line: the whole of it, its sentences and their clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from pbem.wording import wording

_JOINING = wording("pbem.inbox.commands").either("joining")
_CONTRASTING = wording("pbem.inbox.commands").either("contrasting")
_SENTENCE = re.compile(r"(?<=[.!?;…])\s+|(?<=[:;=][)DP])\s+|\s+[-–—/]+\s+|:\s+")
_CLAUSE = re.compile(rf",?\s+(?:{_JOINING}|{_CONTRASTING})\s+|,\s*(?=[^\W\d_])", re.IGNORECASE)
_LEADS_ON = re.compile(rf"(?:^|[\s,]+)(?:{_JOINING}|{_CONTRASTING})\s+$", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,})[\"”“»]")
_SIGNS = " ,;"
_MOST = 12


class Part(Enum):
    WHOLE, SENTENCE, CLAUSE, QUOTED = "whole", "sentence", "clause", "quoted"


@dataclass(frozen=True)
class Utterance:
    """A part of a line: its text, where it begins and ends, and which part it is."""

    text: str
    start: int
    end: int
    part: Part = field(default=Part.WHOLE, compare=False)

    def overlaps(self, other: Utterance) -> bool:
        return self.start < other.end and other.start < self.end

    def is_within(self, other: Utterance) -> bool:
        """Whether it is a proper part of the other."""
        return other.start <= self.start and self.end <= other.end and self != other

    def rest(self, line: str) -> str:
        """Returns the other words of the line."""
        before, behind = (
            _LEADS_ON.sub("", line[: self.start]).strip(_SIGNS),
            line[self.end :].strip(_SIGNS + "."),
        )
        return " ".join(part for part in (before, behind) if any(map(str.isalnum, part)))


def utterances(line: str) -> Sequence[Utterance]:
    """Returns the whole line first, then its sentences, their clauses, and what is quoted, each once."""
    whole = Utterance(line, 0, len(line))
    sentences = _parts(whole, _SENTENCE, Part.SENTENCE)
    clauses = [clause for sentence in sentences for clause in _parts(sentence, _CLAUSE, Part.CLAUSE)]
    quoted = [Utterance(said[1], *said.span(1), Part.QUOTED) for said in _QUOTED.finditer(line)]
    return list(dict.fromkeys((whole, *sentences, *clauses, *quoted)))[:_MOST]


def _parts(said: Utterance, ends: re.Pattern[str], part: Part) -> list[Utterance]:
    found, start = [], 0
    for stop, after in (*(end.span() for end in ends.finditer(said.text)), (len(said.text), len(said.text))):
        text = said.text[start:stop]
        if stripped := text.strip(_SIGNS):
            begins = said.start + start + text.index(stripped)
            found.append(Utterance(stripped, begins, begins + len(stripped), part))
        start = after
    return found
