"""Classifies SMTP replies: the O code of `pbem.refusals`, whether to retry, and whether to slow down."""

# A reply has a three-digit code (RFC 5321), mostly an enhanced status (RFC 3463; registry of RFC 5248), and
# text. The text takes precedence: large providers state in it what their numbers do not.
from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from pbem.refusals import Code


class Disposition(StrEnum):
    """The consequence of a fate for the letter."""

    FAILS = "fails"  # not retried: the same letter to the same address would fail again
    WAITS = "waits"  # retried soon, then less often
    WAITS_LONG = "waits long"  # retried every few hours: a person has to act first


DISPOSITIONS: Mapping[str, Disposition] = {
    Code.SOFT: Disposition.WAITS,  # soft: busy, greylisted, too many letters at once
    Code.HARD: Disposition.FAILS,  # hard: no such address
    # Policy: blocklist, DMARC or the relay's password. The operator has to act.
    Code.POLICY: Disposition.WAITS_LONG,
    Code.MAILBOX_FULL: Disposition.WAITS_LONG,  # mailbox full; the user may tidy up
    Code.UNKNOWN_REPLY: Disposition.WAITS,  # no reply or an unknown one: the letter may have been taken
    Code.LETTER: Disposition.FAILS,  # this letter: too large, or its contents
}

FULL, HARD, LETTER, POLICY = Code.MAILBOX_FULL, Code.HARD, Code.LETTER, Code.POLICY
# Phrases of 5xx replies, without addresses and numbers. The first match counts.
WORDS = (
    # Mailbox full, as opposed to our sending quota.
    (POLICY, r"(sending|relay) (quota|limit)|messages? per (day|hour)|unsolicited|rate limit"),
    (FULL, r"(mailbox|account|user|recipient|inbox|storage)[^.;]*\b(full|over ?quota)|over ?quota"),
    (FULL, r"casella[^.;]*\b(pien|esaurit)|spazio[^.;]*\besaurit"),
    (FULL, r"quota (is |has been )?exceeded|exceed\w*[^.;]*quota|storage allocation|not have enough space"),
    # This letter.
    (LETTER, r"(message|letter|mail|size)[^.;]*\b(too (large|big)|exceed\w*|larger than)|too large|too big"),
    (LETTER, r"\bvirus|\bmalware|content (was )?(rejected|denied)|content presents|banned: |\battachment"),
    # Our host, domain or password.
    (
        POLICY,
        r"\bsender\b|\bmittente\b|messages? from\b|client host"
        r"|your (ip|host|server|domain|access|message)|\bfrom domain|invalid domain",
    ),
    (
        POLICY,
        r"bl[oa]c?k[- ]?list|black[- ]?list|blocked (by|using|for)|\bs3140\b|spamhaus|reputation|\bspam\b",
    ),
    (POLICY, r"dmarc|\bspf\b|\bdkim\b|unauthenticated|authenticat|reverse dns|\bptr\b|relay|policy"),
    # Unknown or closed address.
    (
        HARD,
        r"(user|account|mailbox|recipient|address)[^.;]*\b(unknown|not found|disabled|inactive|suspended)",
    ),
    (HARD, r"unknown (user|recipient|address|mailbox|e-?mail)|no such|no mailbox|sconosciut|inesistente"),
    (HARD, r"does(n't| not) (exist|have an?\b)|mailbox unavailable|not a valid (mailbox|user|address)"),
    (HARD, r"invalid (recipient|mailbox|user|address)|recipi?e?n?t?notfound|recipnotfound|unrouteable"),
)

# By the last two numbers of the enhanced status, then by the middle one.
STATUS = {
    "1.7": POLICY,  # bad sender: its form
    "1.8": POLICY,  # bad sender: its domain
    "2.2": FULL,  # mailbox full
    "2.3": LETTER,  # longer than this mailbox takes
    "3.1": FULL,  # the whole system is full
    "3.3": LETTER,  # a feature that the letter needs is not supported
    "3.4": LETTER,  # too big for the system
    "3.5": POLICY,  # wrongly configured
    "4.5": POLICY,  # congestion; at Gmail, our account's daily limit
    "4.7": Code.SOFT,  # a relay gave up
    "5.6": LETTER,  # invalid content
    "6.7": HARD,  # a non-ASCII address (RFC 6531) through a relay without SMTPUTF8
    "7.17": HARD,  # the mailbox has another owner now (RFC 7293)
    "7.18": HARD,  # the domain has another owner
    "1": HARD,  # addressing
    "2": HARD,  # mailbox
    "3": POLICY,  # mail system
    "4": HARD,  # network and routing
    "5": POLICY,  # protocol error between us and the relay
    "6": LETTER,  # content
    "7": POLICY,  # security and policy
}

# By the code alone; O03 for others.
CODES = {
    "521": HARD,  # the host takes no mail (RFC 7504)
    "550": HARD,  # mailbox unavailable
    "551": HARD,  # user not local
    "552": FULL,  # exceeded storage allocation
    "553": HARD,  # mailbox name not allowed
    "556": HARD,  # the domain takes no mail (RFC 7504)
}

# Replies about a whole domain rather than one mailbox: 421, system, network, security.
SLOWS = ("4.3.", "4.4.", "4.7.")


def reply_class_of(reply: str) -> str:
    """Returns the O code of an SMTP reply, or of a bounce's status or diagnostic code. Empty for success.

    4xx is O01, or O04 when the mailbox is full. O07 when neither code nor text is known.
    """
    code, status = _first(_CODE, reply), _first(_STATUS, reply)
    words = _words(reply)
    kind = (code or status)[:1]
    if kind == "2":
        return ""
    if kind == "4":
        return (
            Code.MAILBOX_FULL
            if status.endswith(".2.2") or _by_words(words) == Code.MAILBOX_FULL
            else Code.SOFT
        )
    by_words = _by_words(words)
    if kind != "5":
        return by_words or Code.UNKNOWN_REPLY
    _, _, detail = status.partition(".")
    by_status = STATUS.get(detail) or STATUS.get(detail.partition(".")[0])
    return by_words or by_status or CODES.get(code, Code.POLICY)


def slows(reply: str) -> bool:
    """Tells whether other letters to the domain should wait as well: busy, greylisting, blocklists."""
    code, status = _first(_CODE, reply), _first(_STATUS, reply)
    if code.startswith("4") or status.startswith("4"):
        return code == "421" or status.startswith(SLOWS) or "greylist" in _words(reply)
    return reply_class_of(reply) == Code.POLICY


# At the start of a reply, or where a bounce quotes one: `smtp; 550 ...`, `host mx said: 550-5.1.1 ...`.
_CODE = re.compile(r"(?:^|[;#]|said:|<<<)\s*([245]\d\d)(?![\d.])")
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)")  # not within 5.9.1.1, an IP address
_NO_WORDS = re.compile(r"<[^>]*>|\S+@\S+|https?://\S+|\b[245]\d\d\b[ -]?|#?\b[245]\.\d{1,3}\.\d{1,3}\b")


def _first(pattern: re.Pattern[str], reply: str) -> str:
    found = pattern.search(reply)
    return found.group(1) if found else ""


def _words(reply: str) -> str:
    return " ".join(_NO_WORDS.sub(" ", reply[:2000]).lower().split())


def _by_words(words: str) -> str:
    return next((fate for fate, pattern in _WORDS if pattern.search(words)), "")


_WORDS = [(fate, re.compile(pattern)) for fate, pattern in WORDS]
