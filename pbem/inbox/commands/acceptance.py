"""The answer to an invitation: yes or no, and the name that whoever says yes wants to have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from pbem.inbox.commands.grammar import LONGEST_LINE
from pbem.inbox.commands.spoken import fold, plain
from pbem.inbox.commands.words import CONFIRMING, REFUSING

_MOST_LINES = 40
# YES, YES Dora, "Sì, Dora.", REGISTER Dora
_ANSWER = re.compile(r"([^\W\d_]+['’]?)[\s,:.!-]*([^\W\d_][\w.'-]{0,39})?[.!]?")
YES_AND_A_NAME = CONFIRMING | {"register", "iscrivimi"}
# What only speakers of one language write; OK says nothing of it.
_SPOKEN = {"yes": "en", "accept": "en", "confirm": "en", "register": "en"} | dict.fromkeys(
    ("si", "accetto", "confermo", "iscrivimi"), "it"
)


@dataclass(frozen=True)
class Acceptance:
    """`agreed` None: neither yes nor no was found. `name` "": none was given; `language` "": it may be any."""

    agreed: bool | None = None
    name: str = ""
    language: str = ""


def read_acceptance(lines: Iterable[str]) -> Acceptance:
    """From the first line that answers; a name may stand alone on the next."""
    written = [plain(line[:LONGEST_LINE]) for line in islice(lines, _MOST_LINES)]
    said = [line for line in written if line]
    for number, line in enumerate(said):
        answer = _ANSWER.fullmatch(line)
        word = fold(answer[1]) if answer else ""
        if answer and word in REFUSING and not answer[2]:
            return Acceptance(False)
        if answer and word in YES_AND_A_NAME:
            following = said[number + 1] if number + 1 < len(said) else ""
            return Acceptance(True, answer[2] or _name_alone(following), _SPOKEN.get(word, ""))
    return Acceptance()


def _name_alone(line: str) -> str:
    return line if re.fullmatch(r"[^\W\d_][\w.'-]{1,23}", line) else ""
