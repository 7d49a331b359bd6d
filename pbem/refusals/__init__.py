"""Every reason to say no: its code, who is told, and the sentence that says what to do.

Each letter that arrives ends in no code (it was carried out) or in exactly one of these; the O codes
are fates of letters that leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import get_language

from pbem.refusals import deeds, letters
from pbem.refusals.codes import Code
from pbem.refusals.refusal import Refusal, Told
from pbem.wording import SOURCE, wording

__all__ = ["REFUSALS", "Code", "Refusal", "Refused", "Told", "name_of", "sentence"]

_TABLES = (
    (Told.NOBODY, letters.SILENT),
    (Told.SENDER, letters.UNREAD),
    (Told.PLAYER, letters.NOT_BELIEVED),
    (Told.PLAYER, letters.UNDONE_BY_RESTORE),
    (Told.SENDER, letters.UNKNOWN_SINCE_RESTORE),
    (Told.NOBODY, letters.FOR_THE_DESK),
    (Told.PLAYER, deeds.NOT_ALLOWED),
    (Told.SENDER, deeds.NOT_THERE),
    (Told.PLAYER, deeds.NO_HELP),
    (Told.PLAYER, deeds.NO_TIME),
    (Told.PLAYER, deeds.NO_MATCH),
    (Told.PLAYER, deeds.NOT_NOW),
    (Told.NOBODY, deeds.AT_THE_DESK),
    (Told.PLAYER, deeds.NO_CHOICE),
    (Told.PLAYER, deeds.TALK),
    (Told.PLAYER, letters.OURS),
    (Told.NOBODY, letters.OURS_UNSEEN),
    (Told.NOBODY, letters.OUTBOUND),
)


def _refusals() -> Iterator[Refusal]:
    for code, reply in letters.TRANSPORT.items():
        said = letters.TRANSPORT_LATER.get(code, reply.split(" ", 2)[2])
        yield Refusal(code, Told.RELAY, said, reply)
    for told, table in _TABLES:
        for code, sentence in table.items():
            yield Refusal(code, told, sentence)


REFUSALS: Mapping[str, Refusal] = {refusal.code: refusal for refusal in _refusals()}


class Refused(Exception):
    """A service says no. `code` is a Code, `facts` what the letter shows beside the sentence:

    `match`, `text` (as written), `objection`, `readings`, `nearest`, `name`, `number`, `limit` (that was reached),
    `why` (in a game's own words, which are English).
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(f"{REFUSALS[code].name}: {facts}")
        self.code = code
        self.facts = {name: fact for name, fact in facts.items() if fact not in (None, "", ())}


def name_of(code: Code) -> str:
    """In two or three words of the active language, for anyone who looks through many."""
    name: str = wording(__package__).of(get_language() or SOURCE, "codes", code.name)
    return name


def sentence(code: str, **facts: str) -> str:
    """What the refusal says, in the active language, with those of the `facts` that it says: the `name` that
    nobody bears, the `play_address` to write to, the `limit` that was reached."""
    said = deeds.NAMED.get(Code(code)) if facts.get("name") else None
    words = str(said or REFUSALS[code].sentence)
    known = {"limit": "…"} | facts  # at the desk it is about no player
    return words % known if "%(" in words else words
