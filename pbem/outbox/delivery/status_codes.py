"""Judges a mail server's reply: what it says about our letter, whose fault that is, and whether to try again.

A reply has a code of three digits (RFC 5321), mostly an enhanced status of three numbers (RFC 3463; the
registry of RFC 5248), and words. Words come first: the large providers mean by them what their numbers do not say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from pbem.refusals import Code


class Then(StrEnum):
    """What a fate means for the letter."""

    FAILS = "fails"  # not tried again: the same letter to the same address would fail again
    WAITS = "waits"  # tried again soon, then less and less often
    WAITS_LONG = "waits long"  # tried again every few hours: somebody has to do something first


THEN: Mapping[str, Then] = {
    Code.SOFT: Then.WAITS,  # soft: busy, greylisted, too many letters at once
    Code.HARD: Then.FAILS,  # hard: no such address
    # Policy: a blocklist, DMARC, our relay's password. The operator mends it, and then the letters go.
    Code.POLICY: Then.WAITS_LONG,
    Code.MAILBOX_FULL: Then.WAITS_LONG,  # the mailbox is full; some people tidy up
    Code.UNKNOWN_REPLY: Then.WAITS,  # no reply, or one that nobody understands: perhaps it was taken, perhaps not
    Code.LETTER: Then.FAILS,  # this letter: too large, or something in it
}

# What a refusal (5xx) says in words; the first line that fits counts. Addresses and numbers are taken out before.
WORDS = (
    # The mailbox is full. Not so the quota of what we may send.
    (Code.POLICY, r"(sending|relay) (quota|limit)|messages? per (day|hour)|unsolicited|rate limit"),
    (
        Code.MAILBOX_FULL,
        r"(mailbox|account|user|recipient|inbox|storage)[^.;]*\b(full|over ?quota)|over ?quota",
    ),
    (Code.MAILBOX_FULL, r"casella[^.;]*\b(pien|esaurit)|spazio[^.;]*\besaurit"),
    (
        Code.MAILBOX_FULL,
        r"quota (is |has been )?exceeded|exceed\w*[^.;]*quota|storage allocation|not have enough space",
    ),
    # This letter, for what it is.
    (
        Code.LETTER,
        r"(message|letter|mail|size)[^.;]*\b(too (large|big)|exceed\w*|larger than)|too large|too big",
    ),
    (
        Code.LETTER,
        r"\bvirus|\bmalware|content (was )?(rejected|denied)|content presents|banned: |\battachment",
    ),
    # We: our host, our domain, our password.
    (
        Code.POLICY,
        r"\bsender\b|\bmittente\b|messages? from\b|client host"
        r"|your (ip|host|server|domain|access|message)|\bfrom domain|invalid domain",
    ),
    (
        Code.POLICY,
        r"bl[oa]c?k[- ]?list|black[- ]?list|blocked (by|using|for)|\bs3140\b|spamhaus|reputation|\bspam\b",
    ),
    (Code.POLICY, r"dmarc|\bspf\b|\bdkim\b|unauthenticated|authenticat|reverse dns|\bptr\b|relay|policy"),
    # The address: none such, or closed.
    (
        Code.HARD,
        r"(user|account|mailbox|recipient|address)[^.;]*\b(unknown|not found|disabled|inactive|suspended)",
    ),
    (
        Code.HARD,
        r"unknown (user|recipient|address|mailbox|e-?mail)|no such|no mailbox|sconosciut|inesistente",
    ),
    (Code.HARD, r"does(n't| not) (exist|have an?\b)|mailbox unavailable|not a valid (mailbox|user|address)"),
    (Code.HARD, r"invalid (recipient|mailbox|user|address)|recipi?e?n?t?notfound|recipnotfound|unrouteable"),
)

# A refusal by the last two numbers of its enhanced status, then by the middle one alone.
STATUS = {
    "1.7": Code.POLICY,  # bad sender: its form
    "1.8": Code.POLICY,  # bad sender: its domain
    "2.2": Code.MAILBOX_FULL,  # mailbox full
    "2.3": Code.LETTER,  # longer than this mailbox takes
    "3.1": Code.MAILBOX_FULL,  # the whole system is full
    "3.3": Code.LETTER,  # what the letter asks for is not offered there
    "3.4": Code.LETTER,  # too big for the system
    "3.5": Code.POLICY,  # wrongly configured
    "4.5": Code.POLICY,  # congestion; with Gmail, our account's letters of today
    "4.7": Code.SOFT,  # a relay has tried long enough
    "5.6": Code.LETTER,  # invalid content
    "6.7": Code.HARD,  # an address that is not ASCII (RFC 6531), on a way that takes no other
    "7.17": Code.HARD,  # the mailbox has another owner now (RFC 7293)
    "7.18": Code.HARD,  # the domain has
    "1": Code.HARD,  # addressing
    "2": Code.HARD,  # mailbox
    "3": Code.POLICY,  # mail system
    "4": Code.HARD,  # network and routing: no way leads there
    "5": Code.POLICY,  # protocol: we and the relay misunderstand each other
    "6": Code.LETTER,  # content
    "7": Code.POLICY,  # security and policy
}

# A refusal by its code alone; O03 for any other.
CODES = {
    "521": Code.HARD,  # the host takes no mail (RFC 7504)
    "550": Code.HARD,  # mailbox unavailable
    "551": Code.HARD,  # user not local
    "552": Code.MAILBOX_FULL,  # exceeded storage allocation
    "553": Code.HARD,  # mailbox name not allowed
    "556": Code.HARD,  # the domain takes no mail (RFC 7504)
}

# What is said of all letters to a domain, not of one mailbox: 421, system, network, security.
SLOWS = ("4.3.", "4.4.", "4.7.")


def fate_of(reply: str) -> str:
    """The O code of a reply in session, or of the status or diagnostic code of a bounce; "" if it says yes.

    4xx is O01, or O04 if a mailbox is full. Neither code nor known words is O07.
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
    """Whether other letters to the same domain had better wait too: busy, greylisting, blocklists."""
    code, status = _first(_CODE, reply), _first(_STATUS, reply)
    if code.startswith("4") or status.startswith("4"):
        return code == "421" or status.startswith(SLOWS) or "greylist" in _words(reply)
    return fate_of(reply) == Code.POLICY


# At the beginning of a reply, or where a bounce quotes one: `smtp; 550 ...`, `host mx said: 550-5.1.1 ...`.
_CODE = re.compile(r"(?:^|[;#]|said:|<<<)\s*([245]\d\d)(?![\d.])")
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\d|\.\d)")  # no part of 5.9.1.1, an IP address
_NO_WORDS = re.compile(r"<[^>]*>|\S+@\S+|https?://\S+|\b[245]\d\d\b[ -]?|#?\b[245]\.\d{1,3}\.\d{1,3}\b")


def _first(pattern: re.Pattern[str], reply: str) -> str:
    found = pattern.search(reply)
    return found.group(1) if found else ""


def _words(reply: str) -> str:
    return " ".join(_NO_WORDS.sub(" ", reply[:2000]).lower().split())


def _by_words(words: str) -> str:
    return next((fate for fate, pattern in _WORDS if pattern.search(words)), "")


_WORDS = [(fate, re.compile(pattern)) for fate, pattern in WORDS]
