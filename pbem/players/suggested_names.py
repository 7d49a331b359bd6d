"""What somebody may be called here of whom we know no more than what their emails say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.players.names import is_reserved
from pbem.players.services import check_name
from pbem.refusals import Refused

_FIRST_NAME = re.compile(r"[^\W\d_]{2,20}(?:[-'][^\W\d_]{2,20})*(?![^\W_])")
_TITLE = re.compile(
    r"(?:(?:mrs?|ms|miss|dr|prof|sir|sig|sig\.ra|signora?|dott|dott\.ssa|ing|avv)\b(?:\.?\s+|[._-](?=\w)))++",
    re.IGNORECASE,
)
_TRIES = ("", *map(str, range(2, 10)))
_LONGEST = 22  # characters, so that a number fits behind


def suggested_name(*sources: str) -> str:
    """The first name that From or an address begins with, if it is free, else with a number; "" where there is none.

    An empty answer asks for a name, so what is doubtful need not be guessed.
    """
    return next((name for name in _free(sources)), "")


def instead_of(taken: str, *sources: str) -> str:
    """What comes nearest to a name that somebody else has; of one that nobody may have, what the `sources` suggest."""
    own = "" if is_reserved(taken) else taken.rstrip("0123456789")
    return _numbered(own[:_LONGEST]) or suggested_name(*sources)


def capitalised(name: str) -> str:
    """As it is written where nobody is in a hurry: `victor` is Victor, and NinaH stays."""
    return name[:1].upper() + name[1:] if name.islower() else name


def _free(sources: tuple[str, ...]) -> Iterator[str]:
    for source in sources:
        surname_first = source.partition(",")[2].strip()  # Rossi, Gianni
        found = _FIRST_NAME.match(_TITLE.sub("", surname_first or source.strip(), count=1))
        if found is None or len(found[0]) > _LONGEST:
            continue
        name = found[0] if found[0][1:] != found[0][1:].upper() else found[0].lower()
        if free := _numbered(name[0].upper() + name[1:]):
            yield free


def _numbered(name: str) -> str:
    for number in _TRIES:
        try:
            check_name(name + number)
        except Refused:
            continue
        return name + number
    return ""
