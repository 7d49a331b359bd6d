"""The answer to an invitation: yes or no, and the name that whoever says yes wants to have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from pbem.inbox.commands.account.grammar import REGISTERING
from pbem.inbox.commands.agreement import agrees
from pbem.inbox.commands.line import LONGEST_LINE, plain
from pbem.inbox.commands.words import REFUSING
from pbem.wording import fold, wording

_MOST_LINES = 40
# YES, YES Dora, "Sì, Dora.", REGISTER Dora
_ANSWER = re.compile(r"([^\W\d_]+['’]?)[\s,:.!-]*([^\W\d_][\w.'-]{0,39})?[.!]?")
_YES_IN = {
    language: {fold(word) for word in (*words, *REGISTERING[language])}
    for language, words in wording(__package__).each("confirming").items()
}
YES_AND_A_NAME = frozenset().union(*_YES_IN.values())


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
            beside = "" if agrees(line) else answer[2]  # "Yes, gladly"
            return Acceptance(True, beside or _name_alone(following), _spoken_in(word))
    return Acceptance()


def _spoken_in(word: str) -> str:
    """The one language that has it; OK says nothing of any."""
    languages = [language for language, words in _YES_IN.items() if word in words]
    return languages[0] if len(languages) == 1 else ""


def _name_alone(line: str) -> str:
    return line if agrees(line) is None and re.fullmatch(r"[^\W\d_][\w.'-]{1,23}", line) else ""
