"""The codes of all refusals; their sentences are in `pbem.refusals` and `deeds`.

The first character is the subject: T transport, I ignored, P not understood, A not believed, S set aside, O
sent letters, G matches, C players and challenges, H studies of robots, K clocks, L and V requests, D the
desk.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Code(StrEnum):
    """The verdict stored with a letter, and shown at the desk with its word."""

    EXPIRED = "A02"
    REVOKED = "A03"
    FROM_MISMATCH = "A04"
    DMARC_FAIL = "A05"
    SEVERAL_FROM = "A06"
    SUSPENDED = "A07"
    CONFIRM_NEEDED = "A09"
    CONFIRM_EXPIRED = "A10"
    UNVERIFIED = "A11"
    SHARED_MAILBOX = "A12"
    LOST_PLAYER = "A13"
    LOST = "A30"
    LOST_SIGN_UP = "A31"

    NO_SUCH_PLAYER = "C01"
    NO_SUCH_GAME = "C02"
    AGAINST_YOURSELF = "C03"
    BAD_NAME = "C04"
    NAME_TAKEN = "C05"
    BAD_SETUP = "C06"
    ALREADY_REGISTERED = "C07"
    NOT_YOUR_ADDRESS = "C08"
    ONLY_ADDRESS = "C09"
    TOO_MANY_ADDRESSES = "C10"
    NOT_NOW = "C11"
    TOO_MANY_REFUSED = "C12"
    TOO_MANY_CHALLENGES = "C13"
    TOO_MANY_OFFERS = "C14"
    NO_SUCH_OFFER = "C15"
    JOINED_ALREADY = "C16"
    INVITED_ALREADY = "C17"
    TOO_MANY_INVITATIONS = "C18"
    NOT_OVER = "C19"
    NO_SWAP = "C20"
    NO_OFFER_OF_YOURS = "C21"
    INVITATION_OVER = "C22"
    OUR_OWN_ADDRESS = "C23"
    EXAMPLE_ADDRESS = "C24"
    TOO_MANY_ROBOTS = "C25"
    NO_SUCH_CONTEST = "C26"
    ENTRIES_CLOSED = "C27"
    ENTERED_ALREADY = "C28"
    NOT_ENTERED = "C29"
    WRONG_NUMBER = "C30"
    CONTEST_FULL = "C31"
    TOO_FAR_ABOVE = "C32"
    AWAY_FROM_LADDER = "C33"
    CHALLENGE_RUNNING = "C34"
    CHALLENGED_LATELY = "C35"
    CONTEST_NOT_BEGUN = "C36"
    RENAMED_LATELY = "C37"
    INVITATIONS_USED_UP = "C38"
    DOMAIN_USED_UP = "C39"
    BAD_ADDRESS = "C40"

    BAD_LINE = "D05"
    GETS_NO_LETTERS = "D06"
    REPEATED_LINE = "D07"
    SHARED_ADDRESS = "D08"
    TOURNAMENT_EXISTS = "D09"
    TOO_FEW_PLAYERS = "D10"
    NOT_NEXT_ROUND = "D11"
    STOPPED_ALREADY = "D12"
    NOT_STOPPED = "D13"
    NO_LETTER = "D14"
    BAD_RECORD = "D15"
    IMPORTED_ALREADY = "D16"
    WHICH_NOTATION = "D17"
    ENOUGH_FOR_ORGANISER = "D18"
    EVENT_HAS_BEGUN = "D30"
    ENTRIES_CHANGED = "D31"

    NO_SUCH_MATCH = "G01"
    MATCH_OVER = "G02"
    NOT_YOUR_TURN = "G03"
    STALE_TURN = "G04"
    ILLEGAL_MOVE = "G06"
    DEADLINE_PASSED = "G07"
    OFFER_GONE = "G08"
    MATCH_PAUSED = "G09"
    NO_SUCH_TURN = "G10"
    NOT_BEGUN = "G11"
    OWN_MOVE_FIRST = "G12"
    OVERTAKEN = "G13"
    IMPOSSIBLE_LINE = "G14"
    NO_TAKEBACK = "G15"
    TOO_MANY_LINES = "G16"
    NO_SUCH_LINE = "G17"
    RESIGNATION_OVERTAKEN = "G18"
    TOO_MANY_DRAWS = "G19"

    ANALYSED_AT_THE_END = "H01"
    TOO_SHORT_TO_ANALYSE = "H02"
    TOO_MANY_ANALYSES = "H03"
    NO_HINTS = "H04"
    HINT_FOR_ANOTHER = "H05"
    TOO_MANY_HINTS = "H06"
    NO_PUZZLE = "H07"
    TOO_MANY_PUZZLES = "H08"
    NO_SOLUTION = "H09"
    NO_OPEN_PUZZLE = "H10"

    DUPLICATE = "I01"
    AUTO_REPLY = "I02"
    BOUNCE = "I03"
    COMPLAINT = "I04"
    RECEIPT = "I05"
    LIST_MAIL = "I06"
    LOOP = "I07"
    SPAM_VERDICT = "I08"
    NO_SENDER = "I09"
    CALENDAR_ONLY = "I10"

    BAD_CLOCK = "K01"
    NO_CLOCK = "K02"
    NOTHING_TO_CLAIM = "K03"
    ORGANISER_DECIDES = "K04"
    CALENDAR_KEPT = "K05"
    BAD_NIGHT = "K06"
    BAD_WEEKEND = "K07"
    HOLIDAY_TOO_NEAR = "K08"
    OFFER_STANDS = "K10"
    BAD_PAUSE = "K11"
    NO_ABSENCE = "K12"
    NO_GIFTS = "K13"
    BAD_ABSENCE = "K14"
    NO_DAYS_LEFT = "K15"
    TOO_MANY_ABSENCES = "K16"
    NOT_AWAY = "K17"
    BAD_GIFT = "K18"
    TOO_MUCH_ASKED = "K19"
    TOO_OFTEN_AWAY = "K20"
    NO_SUCH_DAY = "K21"

    NO_SUCH_TOPIC = "L01"
    NO_SUCH_VALUE = "L02"
    WHICH_MATCH = "L03"
    WHICH_QUESTION = "L04"
    TOO_MANY_EXPORTS = "L05"
    TOO_MANY_TOKENS = "L06"

    SOFT = "O01"
    HARD = "O02"
    POLICY = "O03"
    MAILBOX_FULL = "O04"
    SUPPRESSED = "O05"
    DELIVERY_EXPIRED = "O06"
    UNKNOWN_REPLY = "O07"
    LETTER = "O08"
    REPLIES_LOST = "O09"

    EMPTY = "P01"
    UNREADABLE = "P02"
    NO_TEXT = "P03"
    ENCRYPTED = "P04"
    TOO_LONG = "P05"
    NO_MOVE_FOUND = "P06"
    SEVERAL_MOVES = "P07"
    AMBIGUOUS_MOVE = "P08"
    QUOTED_ONLY = "P09"
    SIGNED_WITHIN = "P10"
    RECALLED = "P11"

    TRANSIENT = "S01"
    POISON = "S02"
    ENGINE_ERROR = "S03"
    RENDER_FAILED = "S04"

    NO_SUCH_ADDRESS = "T01"
    TOO_LARGE = "T02"
    TOO_COMPLEX = "T03"
    RATE_LIMITED = "T04"
    STORAGE_UNAVAILABLE = "T05"
    DISK_LOW = "T06"
    BAD_LINE_ENDS = "T07"
    TOO_MANY_RECIPIENTS = "T08"

    NO_RATINGS = "V01"
    NOT_WATCHABLE = "V02"
    OWN_MATCH = "V03"
    TOO_MANY_WATCHED = "V04"
    NOT_WATCHING = "V05"
    TOO_MANY_NOTES = "V06"
    NO_SUCH_READER = "V07"
    TOO_MANY_MESSAGES = "V08"
    TOO_MUCH_TALK = "V09"

    @property
    def word(self) -> str:
        """Returns the word of a code, such as `name_taken`; two codes share the word of another subject."""
        return _WORDS.get(self, self.name.lower())


_WORDS = {Code.NOT_YOUR_ADDRESS: "no_such_address", Code.DELIVERY_EXPIRED: "expired"}


# Refusals


class Told(StrEnum):
    """The recipient of a refusal."""

    RELAY = "relay"  # the connected mail server; no row is kept
    NOBODY = "nobody"  # the row says why; the desk shows it
    SENDER = "sender"  # the sender; a stranger once a day
    PLAYER = "player"  # the registered address only, for any sender


@dataclass(frozen=True)
class Refusal:
    """A refusal; `smtp` is the reply in session, for codes told to a relay."""

    code: Code
    told: Told
    sentence: StrPromise | str
    smtp: str = ""

    @property
    def name(self) -> str:
        """Returns the word for logs and for the desk."""
        return self.code.word

    @property
    def answered(self) -> bool:
        """Tells whether a letter is sent."""
        return self.told in (Told.SENDER, Told.PLAYER)


# Headings above a refusal in a letter about a match: the effect of what was written

# Their text is the move; without one they answer something else, such as HINT.
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
    """Returns the heading in the active language, with the `move` that was refused, if any."""
    if move:
        return _("Your move was not played: %(move)s") % {"move": move}
    return str(HEADINGS.get(Code(code), _("Nothing has changed")))
