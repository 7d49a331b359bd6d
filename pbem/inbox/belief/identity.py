"""Who is believed: what our mail server says of the sender, and the table that decides what follows."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

import authres

from pbem.inbox.belief.alignment import domain_of, organisation

_LONGEST_HEADER = 8192
_AUTHSERV_ID = re.compile(r'(?:\s|\([^()]*\))*"?([^\s;"()]+)')


class Dmarc(StrEnum):
    """Whether the domain in From stands by the letter."""

    PASS = "pass"
    NONE = "none"  # it does not say, or nobody whom we trust has asked it
    FAIL = "fail"


class TokenState(StrEnum):
    """What the recipient address of a letter proves."""

    CURRENT = "current"
    STALE = "stale"  # of an earlier ply
    REVOKED = "revoked"  # sealed with a salt that is no longer the seat's
    CORRELATED = "correlated"  # no token, but In-Reply-To or References name a letter of ours
    ABSENT = "absent"


class Decision(StrEnum):
    """What is done with a letter. RESIGN asks for confirmation whatever the decision."""

    APPLY = "apply"  # its commands are carried out
    CONFIRM = "confirm"  # reading commands are answered; what changes anything waits for a YES
    HOLD = "hold"  # everything waits 72 hours for a YES from the registered address
    STALE_MOVE = "stale move"  # a move is refused with the board of now; for the rest, as if current
    NOTICE = "notice"  # nothing is done; the registered address is told once
    READING = "reading"  # as CONFIRM, but answers go to the registered address, not to the sender
    SIGN_UP = "sign up"  # a stranger who may: answered once per address and week
    SILENCE = "silence"


@dataclass(frozen=True)
class Row:
    """One line of the table: for these letters, this decision, and this for players who chose strict."""

    tokens: Collection[TokenState]
    from_known: Collection[bool]
    dmarc: Collection[Dmarc]
    normal: Decision
    strict: Decision
    registers: Collection[bool] = (True, False)


CURRENT, STALE, REVOKED, CORRELATED, ABSENT = ({state} for state in TokenState)
NO_TOKEN = CORRELATED | ABSENT
PASS, NONE, FAIL = ({verdict} for verdict in Dmarc)
ANY_DMARC = PASS | NONE | FAIL
KNOWN, UNKNOWN, EITHER = (True,), (False,), (True, False)
ASKS, DOES_NOT_ASK = (True,), (False,)
D = Decision

# fmt: off
TABLE = (
    # A player answers the letter that we sent.
    #   token            From     DMARC        normal        strict
    Row(CURRENT,         KNOWN,   PASS,        D.APPLY,      D.APPLY),
    Row(CURRENT,         KNOWN,   NONE,        D.APPLY,      D.CONFIRM),
    Row(CURRENT,         KNOWN,   FAIL,        D.HOLD,       D.HOLD),
    # Somebody has the reply address, but writes from an address that the player never gave us.
    Row(CURRENT | STALE, UNKNOWN, ANY_DMARC,   D.HOLD,       D.HOLD),
    # The player answers an older letter.
    Row(STALE,           KNOWN,   PASS | NONE, D.STALE_MOVE, D.STALE_MOVE),
    Row(STALE,           KNOWN,   FAIL,        D.HOLD,       D.HOLD),
    # The reply address was taken back.
    Row(REVOKED,         EITHER,  ANY_DMARC,   D.NOTICE,     D.NOTICE),
    # The answer came without the reply address; these headers survive forwarding, so they prove nothing.
    Row(CORRELATED,      KNOWN,   PASS,        D.APPLY,      D.CONFIRM),
    Row(CORRELATED,      KNOWN,   NONE | FAIL, D.CONFIRM,    D.CONFIRM),
    # A player writes a new letter.
    Row(ABSENT,          KNOWN,   PASS,        D.APPLY,      D.CONFIRM),
    Row(ABSENT,          KNOWN,   NONE | FAIL, D.READING,    D.READING),
    # A stranger writes.
    Row(NO_TOKEN,        UNKNOWN, PASS | NONE, D.SIGN_UP,    D.SIGN_UP, registers=ASKS),
    Row(NO_TOKEN,        UNKNOWN, PASS | NONE, D.SILENCE,    D.SILENCE, registers=DOES_NOT_ASK),
    Row(NO_TOKEN,        UNKNOWN, FAIL,        D.SILENCE,    D.SILENCE),
)
# fmt: on


def decide(
    token: TokenState, *, from_known: bool, dmarc: Dmarc, strict: bool = False, registers: bool = False
) -> Decision:
    """What the table says.

    `from_known`: From is a verified address of the player of that seat or, without a token, of any
    player. `registers`: it asks to sign up, or for help, where a letter begins.
    """
    [row] = (
        row
        for row in TABLE
        if token in row.tokens
        and from_known in row.from_known
        and dmarc in row.dmarc
        and registers in row.registers
    )
    return row.strict if strict else row.normal


def dmarc_verdict(headers: Sequence[str], authserv_ids: Collection[str], author: str) -> Dmarc:
    """What a mail server that we trust found out.

    `headers` are the Authentication-Results fields without their name, topmost first: only the first
    of them that bears a configured id counts, for whoever wrote the letter may have written those
    below. `author` is the mailbox that we read in From: a pass for another domain is a fail, for then
    the server has read another one there.
    """
    trusted = {name.lower() for name in authserv_ids}
    ours = (header for header in headers if _authserv_id(header) in trusted)
    return _read(next(ours, ""), domain_of(author))


def _authserv_id(header: str) -> str | None:
    found = _AUTHSERV_ID.match(header[:_LONGEST_HEADER])
    return found[1].lower() if found else None


def _read(header: str, domain: str) -> Dmarc:
    """The worst dmarc result of one header. Never raises; what cannot be read never passes."""
    unfolded = " ".join(header[:_LONGEST_HEADER].split()).rstrip("; ")
    try:
        results = authres.AuthenticationResultsHeader.parse_value(unfolded).results
    except Exception:  # its own errors, and RecursionError on nested comments
        said_fail = re.search(r"\bdmarc\s*=\s*fail\b", unfolded, re.IGNORECASE)
        return Dmarc.FAIL if said_fail else Dmarc.NONE
    checked = [result for result in results if result.method.lower() == "dmarc"]
    found = {result.result.lower() for result in checked}
    if "fail" in found or not all(_is_about(result, domain) for result in checked):
        return Dmarc.FAIL
    return Dmarc.PASS if found == {"pass"} else Dmarc.NONE


def _is_about(result: authres.AuthenticationResult, domain: str) -> bool:
    """Some servers name the domain in From, others the one that its policy lies with, and a few neither."""
    named = [each.value for each in result.properties if (each.type, each.name) == ("header", "from")]
    return all(domain_of(value) in (domain, organisation(domain)) for value in named)
