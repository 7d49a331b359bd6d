"""Who is believed: what a letter proves, and the table that decides what follows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum


class Dmarc(StrEnum):
    """Whether the domain in From stands by the letter."""

    PASS = "pass"
    NONE = "none"  # it does not say, or nobody whom we trust has asked it
    FAIL = "fail"


class TokenState(StrEnum):
    """What the recipient address of a letter proves."""

    CURRENT = "current"
    STALE = "stale"  # of an earlier ply
    PLAYER = "player"  # of a letter about no match: who was written to, and about no board
    REVOKED = "revoked"  # sealed with a salt that is no longer the seat's
    CORRELATED = "correlated"  # no token, but In-Reply-To or References name a letter of ours
    ABSENT = "absent"


class Doubt(StrEnum):
    """The first thing that speaks against a letter: that it was plainly written by its author, to us alone, now.

    DMARC stands by what a domain has signed once, wherever it is sent again and whatever is put around it. The
    reply address of now makes up for all of these but WRAPPED.
    """

    NO = "no"
    WRAPPED = "wrapped"  # it came in an envelope of certified mail, and nobody vouches for its author
    COPIED = "copied"  # To holds an address that is not ours, or there is a Cc
    ANSWERS_OTHERS = "answers others"  # In-Reply-To or References name what is not ours
    OLD = "old"  # its Date is not of these days, or it has none
    SEEN = "seen"  # its Message-ID has come before, or it has none
    OPEN = "open"  # neither SPF of this delivery nor a signature over all that is read of it vouches for it
    TO_MANY = "to many"  # it says that it goes to many (RFC 2369), as some people's programs do
    UNNUMBERED = "unnumbered"  # a bare YES, NO or move: anybody may have been told so, about anything


class Decision(StrEnum):
    """What is done with a letter. RESIGN asks for confirmation whatever the decision."""

    APPLY = "apply"  # its commands are carried out
    # As CONFIRM, but CHALLENGE, OFFER, JOIN and how letters look are done, and what is said is passed on.
    MEETING = "meeting"
    CONFIRM = "confirm"  # reading commands are answered; what changes anything waits for a YES
    HOLD = "hold"  # everything waits 72 hours for a YES from the registered address
    STALE_MOVE = "stale move"  # a move is refused with the board of now; for the rest, as if current
    STALE_CONFIRM = "stale confirm"  # the same move is refused; for the rest, as CONFIRM
    NOTICE = "notice"  # nothing is done; the registered address is told once
    READING = "reading"  # as CONFIRM, but answers go to the registered address, not to the sender
    SIGN_UP = "sign up"  # a stranger who may: each answer goes to an address once a week
    SILENCE = "silence"


@dataclass(frozen=True)
class Row:
    """One line of the table: for these letters, this decision, and this for players who chose strict."""

    tokens: Collection[TokenState]
    from_known: Collection[bool]
    dmarc: Collection[Dmarc]
    doubts: Collection[Doubt]
    normal: Decision
    strict: Decision
    registers: Collection[bool] = (True, False)


CURRENT, STALE, PLAYER, REVOKED, CORRELATED, ABSENT = ({state} for state in TokenState)
NO_TOKEN = CORRELATED | ABSENT
SEALED = CURRENT | STALE | PLAYER
PASS, NONE, FAIL = ({verdict} for verdict in Dmarc)
ANY_DMARC = PASS | NONE | FAIL
KNOWN, UNKNOWN, EITHER = (True,), (False,), (True, False)
NO_DOUBT, WRAPPED, COPIED, ANSWERS_OTHERS, OLD, SEEN, OPEN, TO_MANY, UNNUMBERED = ({doubt} for doubt in Doubt)
ANY_DOUBT = set(Doubt)
UNWRAPPED = ANY_DOUBT - WRAPPED
AGAIN = OLD | SEEN | OPEN  # it may have come before
SENT_ON = COPIED | ANSWERS_OTHERS | TO_MANY | AGAIN  # somebody else may have sent it on, to another address
REPLAYED = WRAPPED | AGAIN  # or may be; then its author need not have sent it now
OWN = NO_DOUBT | UNNUMBERED
VOUCHED = (Decision.APPLY, Decision.STALE_MOVE, Decision.MEETING)
ASKS, DOES_NOT_ASK = (True,), (False,)
D = Decision

# fmt: off
TABLE = (
    # A player answers the letter that we sent about a match.
    #   token            From     DMARC        doubt           normal           strict
    Row(CURRENT,         KNOWN,   PASS,        UNWRAPPED,      D.APPLY,         D.APPLY),
    Row(CURRENT,         KNOWN,   NONE,        UNWRAPPED,      D.APPLY,         D.CONFIRM),
    Row(CURRENT,         KNOWN,   PASS | NONE, WRAPPED,        D.CONFIRM,       D.CONFIRM),
    Row(CURRENT,         KNOWN,   FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    # Somebody has the reply address, but writes from an address that the player never gave us.
    Row(CURRENT | STALE, UNKNOWN, ANY_DMARC,   ANY_DOUBT,      D.HOLD,          D.HOLD),
    # The player answers an older letter: who else has had it meanwhile?
    Row(STALE,           KNOWN,   PASS,        OWN,            D.STALE_MOVE,    D.STALE_MOVE),
    Row(STALE,           KNOWN,   PASS,        SENT_ON,        D.STALE_CONFIRM, D.STALE_CONFIRM),
    Row(STALE,           KNOWN,   NONE,        UNWRAPPED,      D.STALE_CONFIRM, D.STALE_CONFIRM),
    Row(STALE,           KNOWN,   PASS | NONE, WRAPPED,        D.STALE_CONFIRM, D.STALE_CONFIRM),
    Row(STALE,           KNOWN,   FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    # The player answers a letter about no match, such as HELP, which people hand on.
    Row(PLAYER,          KNOWN,   PASS,        OWN,            D.APPLY,         D.APPLY),
    Row(PLAYER,          KNOWN,   PASS,        SENT_ON,        D.MEETING,       D.CONFIRM),
    Row(PLAYER,          KNOWN,   NONE,        UNWRAPPED,      D.MEETING,       D.CONFIRM),
    Row(PLAYER,          KNOWN,   PASS | NONE, WRAPPED,        D.CONFIRM,       D.CONFIRM),
    Row(PLAYER,          KNOWN,   FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    Row(PLAYER,          UNKNOWN, PASS | NONE, ANY_DOUBT,      D.HOLD,          D.HOLD, registers=DOES_NOT_ASK),
    Row(PLAYER,          UNKNOWN, PASS | NONE, ANY_DOUBT,      D.SIGN_UP,       D.SIGN_UP, registers=ASKS),
    Row(PLAYER,          UNKNOWN, FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    # The reply address was taken back.
    Row(REVOKED,         EITHER,  ANY_DMARC,   ANY_DOUBT,      D.NOTICE,        D.NOTICE),
    # A player writes a new letter, or answers one of ours without its reply address; the headers that say so
    # survive forwarding, so they prove nothing.
    Row(NO_TOKEN,        KNOWN,   PASS,        NO_DOUBT,       D.APPLY,         D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        WRAPPED,        D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        COPIED,         D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        ANSWERS_OTHERS, D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        OLD,            D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        SEEN,           D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        OPEN,           D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        TO_MANY,        D.CONFIRM,       D.CONFIRM),
    Row(NO_TOKEN,        KNOWN,   PASS,        UNNUMBERED,     D.CONFIRM,       D.CONFIRM),
    Row(CORRELATED,      KNOWN,   NONE | FAIL, ANY_DOUBT,      D.CONFIRM,       D.CONFIRM),
    Row(ABSENT,          KNOWN,   NONE | FAIL, ANY_DOUBT,      D.READING,       D.READING),
    # A stranger writes.
    Row(NO_TOKEN,        UNKNOWN, PASS | NONE, ANY_DOUBT,      D.SIGN_UP,       D.SIGN_UP, registers=ASKS),
    Row(NO_TOKEN,        UNKNOWN, PASS | NONE, ANY_DOUBT,      D.SILENCE,       D.SILENCE, registers=DOES_NOT_ASK),
    Row(NO_TOKEN,        UNKNOWN, FAIL,        ANY_DOUBT,      D.SILENCE,       D.SILENCE),
)
# fmt: on


def decide(
    token: TokenState,
    *,
    from_known: bool,
    dmarc: Dmarc,
    doubt: Doubt = Doubt.NO,
    strict: bool = False,
    registers: bool = False,
) -> Decision:
    """What the table says.

    `from_known`: From is a verified address of the player of that seat or, without a token, of any
    player. `doubt`: the first of Doubt that holds. `registers`: it asks to sign up, or for help, where a letter
    begins.
    """
    [row] = (
        row
        for row in TABLE
        if token in row.tokens
        and from_known in row.from_known
        and dmarc in row.dmarc
        and doubt in row.doubts
        and registers in row.registers
    )
    return row.strict if strict else row.normal
