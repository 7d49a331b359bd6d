"""The verdicts that a letter itself determines, in order of precedence."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.parser import Understood
from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.letter import Letter
from pbem.refusals import Code

# Verdicts of automatic letters, which are kept and not answered.
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
# Verdicts of letters that were not searched; an SMTP door refuses them.
UNSEARCHED = (Code.TOO_LARGE, Code.TOO_COMPLEX)


def unsearched(letter: Letter) -> str | None:
    """T02 or T03, for any sender. None for other letters."""
    return letter.verdict if letter.verdict in UNSEARCHED else None


def unanswered(seen: HeaderSummary, letter: Letter) -> str | None:
    """An I code when a program wrote, or there is no sender. None otherwise."""
    if seen.automatic:
        return AUTOMATIC[seen.automatic]
    if letter.verdict == CALENDAR_ONLY:
        return CALENDAR_ONLY
    return None if seen.senders else Code.NO_SENDER


def not_understood(letter: Letter, understood: Understood) -> str | None:
    """A T or P code. None when the letter, or its Subject alone, is understood."""
    why = letter.verdict
    if why in (Code.EMPTY, Code.NO_TEXT) and understood.commands:
        why = None
    return why or understood.verdict
