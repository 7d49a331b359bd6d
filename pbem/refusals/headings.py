"""What stands above a reason to say no in a letter about a match: what has become of what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pbem.refusals.codes import Code

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

# Their text is the move; where they have none they answer something else, such as HINT.
MOVES = (
    Code.ILLEGAL_MOVE,
    Code.STALE_TURN,
    Code.NOT_YOUR_TURN,
    Code.AMBIGUOUS_MOVE,
    Code.MATCH_PAUSED,
)
_UNREAD = gettext_lazy("We did not understand your email")
_NO_LINE = gettext_lazy("Your conditional line was not kept")
_UNSAID = gettext_lazy("Your message was not sent")
HEADINGS: dict[Code, StrPromise] = {
    Code.NO_MOVE_FOUND: _UNREAD,
    Code.SEVERAL_MOVES: gettext_lazy("No move was played"),
    Code.OWN_MOVE_FIRST: _NO_LINE,
    Code.OVERTAKEN: _NO_LINE,
    Code.IMPOSSIBLE_LINE: _NO_LINE,
    Code.TOO_MANY_LINES: _NO_LINE,
    Code.NO_SUCH_READER: _UNSAID,
    Code.TOO_MANY_MESSAGES: _UNSAID,
    Code.TOO_MUCH_TALK: _UNSAID,
}


def heading(code: str, move: str) -> str:
    """In the active language, with the `move` that was refused, if any."""
    if move:
        return _("Your move was not played: %(move)s") % {"move": move}
    return str(HEADINGS.get(Code(code), _("Nothing has changed")))
