"""Why a letter is not acted on, as far as the letter itself tells: the one order in which that is asked."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Understood
from pbem.mail.parsing.headers import Glance
from pbem.mail.parsing.letter import Letter
from pbem.refusals import Code

# What the headers say of an automatic letter: it is kept, and nobody answers.
AUTOMATIC: Mapping[str, str] = {
    "bounce": Code.BOUNCE,
    "auto_reply": Code.AUTO_REPLY,
    "list": Code.LIST_MAIL,
    "loop": Code.LOOP,
    "receipt": Code.RECEIPT,
    "complaint": Code.COMPLAINT,
    "calendar": Code.CALENDAR_ONLY,
}
CALENDAR_ONLY = AUTOMATIC["calendar"]
# The letter was not even searched; a door that has the other server on the line refuses it there.
UNSEARCHED = (Code.TOO_LARGE, Code.TOO_COMPLEX)


def unsearched(letter: Letter) -> str | None:
    """T02 or T03, no matter who wrote."""
    return letter.verdict if letter.verdict in UNSEARCHED else None


def unanswered(seen: Glance, letter: Letter) -> str | None:
    """An I code: no person wrote, or nobody can be written to."""
    if seen.automatic:
        return AUTOMATIC[seen.automatic]
    if letter.verdict == CALENDAR_ONLY:
        return CALENDAR_ONLY
    return None if seen.senders else Code.NO_SENDER


def not_understood(letter: Letter, understood: Understood) -> str | None:
    """A T or P code. A Subject that says it all needs no text below."""
    why = letter.verdict
    if why in (Code.EMPTY, Code.NO_TEXT) and understood.commands:
        why = None
    return why or understood.verdict
