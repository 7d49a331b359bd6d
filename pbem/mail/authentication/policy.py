"""The DMARC policy: a decision table by token, sender, DMARC verdict and risk of a letter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum


class Dmarc(StrEnum):
    """The DMARC verdict on the From domain."""

    PASS = "pass"
    NONE = "none"  # no policy, or no trusted check
    FAIL = "fail"


class TokenState(StrEnum):
    """The proof that the recipient address gives."""

    CURRENT = "current"
    STALE = "stale"  # of an earlier ply
    PLAYER = "player"  # of a letter about no match: proves the player, but no board
    REVOKED = "revoked"  # sealed with a revoked salt of the seat
    CORRELATED = "correlated"  # no token, but In-Reply-To or References name a letter of ours
    ABSENT = "absent"


class RiskFlag(StrEnum):
    """The first reason to doubt that the author has just written this letter to us alone.

    DMARC also passes for a signed letter that is replayed or embedded. A current token outweighs all doubts
    but WRAPPED.
    """

    NO = "no"
    WRAPPED = "wrapped"  # in an envelope of certified mail that does not authenticate the author
    COPIED = "copied"  # To has an address that is not ours, or there is a Cc
    ANSWERS_OTHERS = "answers others"  # In-Reply-To or References name a letter that is not ours
    OLD = "old"  # Date is missing or more than two days off
    SEEN = "seen"  # Message-ID is missing or was received before
    OPEN = "open"  # neither SPF of this delivery nor a signature over everything read passes
    TO_MANY = "to many"  # declares itself as list mail (RFC 2369), as some people's programs do
    UNNUMBERED = "unnumbered"  # a bare YES, NO or move, which may refer to anything


class Decision(StrEnum):
    """The treatment of a letter. RESIGN asks for confirmation in every case."""

    APPLY = "apply"  # runs the commands
    # As CONFIRM, but runs CHALLENGE, OFFER, JOIN and display settings, and passes messages on.
    MEETING = "meeting"
    CONFIRM = "confirm"  # runs reading commands; changes wait for a YES
    HOLD = "hold"  # everything waits 72 hours for a YES from the registered address
    STALE_MOVE = "stale move"  # refuses a move with the current board; otherwise as if current
    STALE_CONFIRM = "stale confirm"  # refuses a move in the same way; otherwise as CONFIRM
    NOTICE = "notice"  # does nothing; tells the registered address once
    READING = "reading"  # as CONFIRM, but answers the registered address instead of the sender
    SIGN_UP = "sign up"  # answers a stranger; each answer once a week per address
    SILENCE = "silence"


@dataclass(frozen=True)
class Row:
    """A line of the table: its conditions, the decision, and the decision for players who chose strict."""

    tokens: Collection[TokenState]
    from_known: Collection[bool]
    dmarc: Collection[Dmarc]
    risks: Collection[RiskFlag]
    normal: Decision
    strict: Decision
    registers: Collection[bool] = (True, False)


CURRENT, STALE, PLAYER, REVOKED, CORRELATED, ABSENT = ({state} for state in TokenState)
NO_TOKEN = CORRELATED | ABSENT
SEALED = CURRENT | STALE | PLAYER
PASS, NONE, FAIL = ({verdict} for verdict in Dmarc)
ANY_DMARC = PASS | NONE | FAIL
KNOWN, UNKNOWN, EITHER = (True,), (False,), (True, False)
NO_DOUBT, WRAPPED, COPIED, ANSWERS_OTHERS, OLD, SEEN, OPEN, TO_MANY, UNNUMBERED = (
    {doubt} for doubt in RiskFlag
)
ANY_DOUBT = set(RiskFlag)
UNWRAPPED = ANY_DOUBT - WRAPPED
AGAIN = OLD | SEEN | OPEN  # may be a repetition
SENT_ON = COPIED | ANSWERS_OTHERS | TO_MANY | AGAIN  # may be forwarded to another address
REPLAYED = WRAPPED | AGAIN  # may be sent without its author's knowledge
OWN = NO_DOUBT | UNNUMBERED
VOUCHED = (Decision.APPLY, Decision.STALE_MOVE, Decision.MEETING)
ASKS, DOES_NOT_ASK = (True,), (False,)
D = Decision

# fmt: off
DECISION_TABLE = (
    # Player answers a letter about a match.
    #   token            From     DMARC        doubt           normal           strict
    Row(CURRENT,         KNOWN,   PASS,        UNWRAPPED,      D.APPLY,         D.APPLY),
    Row(CURRENT,         KNOWN,   NONE,        UNWRAPPED,      D.APPLY,         D.CONFIRM),
    Row(CURRENT,         KNOWN,   PASS | NONE, WRAPPED,        D.CONFIRM,       D.CONFIRM),
    Row(CURRENT,         KNOWN,   FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    # Reply address used from an unknown address.
    Row(CURRENT | STALE, UNKNOWN, ANY_DMARC,   ANY_DOUBT,      D.HOLD,          D.HOLD),
    # Player answers an older letter, which others may have received meanwhile.
    Row(STALE,           KNOWN,   PASS,        OWN,            D.STALE_MOVE,    D.STALE_MOVE),
    Row(STALE,           KNOWN,   PASS,        SENT_ON,        D.STALE_CONFIRM, D.STALE_CONFIRM),
    Row(STALE,           KNOWN,   NONE,        UNWRAPPED,      D.STALE_CONFIRM, D.STALE_CONFIRM),
    Row(STALE,           KNOWN,   PASS | NONE, WRAPPED,        D.STALE_CONFIRM, D.STALE_CONFIRM),
    Row(STALE,           KNOWN,   FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    # Player answers a letter about no match, such as HELP, which is often forwarded.
    Row(PLAYER,          KNOWN,   PASS,        OWN,            D.APPLY,         D.APPLY),
    Row(PLAYER,          KNOWN,   PASS,        SENT_ON,        D.MEETING,       D.CONFIRM),
    Row(PLAYER,          KNOWN,   NONE,        UNWRAPPED,      D.MEETING,       D.CONFIRM),
    Row(PLAYER,          KNOWN,   PASS | NONE, WRAPPED,        D.CONFIRM,       D.CONFIRM),
    Row(PLAYER,          KNOWN,   FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    Row(PLAYER,          UNKNOWN, PASS | NONE, ANY_DOUBT,      D.HOLD,          D.HOLD, registers=DOES_NOT_ASK),
    Row(PLAYER,          UNKNOWN, PASS | NONE, ANY_DOUBT,      D.SIGN_UP,       D.SIGN_UP, registers=ASKS),
    Row(PLAYER,          UNKNOWN, FAIL,        ANY_DOUBT,      D.HOLD,          D.HOLD),
    # Revoked reply address.
    Row(REVOKED,         EITHER,  ANY_DMARC,   ANY_DOUBT,      D.NOTICE,        D.NOTICE),
    # Player writes a new letter, or answers without the reply address. In-Reply-To and References survive
    # forwarding, so they prove nothing.
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
    # Stranger.
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
    risk: RiskFlag = RiskFlag.NO,
    strict: bool = False,
    registers: bool = False,
) -> Decision:
    """Returns the decision of the table.

    `from_known`: From is a verified address of the seat's player or, without a token, of any player. `risk`:
    the first that holds. `registers`: the letter begins with a request to sign up or for help.
    """
    [row] = (
        row
        for row in DECISION_TABLE
        if token in row.tokens
        and from_known in row.from_known
        and dmarc in row.dmarc
        and risk in row.risks
        and registers in row.registers
    )
    return row.strict if strict else row.normal
