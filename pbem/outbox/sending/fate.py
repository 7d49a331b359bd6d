"""Judges a mail server's reply: what it says about our letter, whose fault that is, and whether to try again.

A reply has a code of three digits (RFC 5321), mostly an enhanced status of three numbers (RFC 3463; the
registry of RFC 5248), and words. Words come first: the large providers mean by them what their numbers do not say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum


class Then(StrEnum):
    """What a fate means for the letter."""

    FAILS = "fails"  # not tried again: the same letter to the same address would fail again
    WAITS = "waits"  # tried again soon, then less and less often
    WAITS_LONG = "waits long"  # tried again every few hours: somebody has to do something first


THEN: Mapping[str, Then] = {
    "O01": Then.WAITS,  # soft: busy, greylisted, too many letters at once
    "O02": Then.FAILS,  # hard: no such address
    # Policy: a blocklist, DMARC, our relay's password. The operator mends it, and then the letters go.
    "O03": Then.WAITS_LONG,
    "O04": Then.WAITS_LONG,  # the mailbox is full; some people tidy up
    "O07": Then.WAITS,  # no reply, or one that nobody understands: perhaps it was taken, perhaps not
    "O08": Then.FAILS,  # this letter: too large, or something in it
}

# What a refusal (5xx) says in words; the first line that fits counts. Addresses and numbers are taken out before.
WORDS = (
    # The mailbox is full. Not so the quota of what we may send.
    ("O03", r"(sending|relay) (quota|limit)|messages? per (day|hour)|unsolicited|rate limit"),
    ("O04", r"(mailbox|account|user|recipient|inbox|storage)[^.;]*\b(full|over ?quota)|over ?quota"),
    ("O04", r"casella[^.;]*\b(pien|esaurit)|spazio[^.;]*\besaurit"),
    ("O04", r"quota (is |has been )?exceeded|exceed\w*[^.;]*quota|storage allocation|not have enough space"),
    # This letter, for what it is.
    ("O08", r"(message|letter|mail|size)[^.;]*\b(too (large|big)|exceed\w*|larger than)|too large|too big"),
    ("O08", r"\bvirus|\bmalware|content (was )?(rejected|denied)|content presents|banned: |\battachment"),
    # We: our host, our domain, our password.
    (
        "O03",
        r"\bsender\b|\bmittente\b|messages? from\b|client host"
        r"|your (ip|host|server|domain|access|message)|\bfrom domain|invalid domain",
    ),
    (
        "O03",
        r"bl[oa]c?k[- ]?list|black[- ]?list|blocked (by|using|for)|\bs3140\b|spamhaus|reputation|\bspam\b",
    ),
    ("O03", r"dmarc|\bspf\b|\bdkim\b|unauthenticated|authenticat|reverse dns|\bptr\b|relay|policy"),
    # The address: none such, or closed.
    (
        "O02",
        r"(user|account|mailbox|recipient|address)[^.;]*\b(unknown|not found|disabled|inactive|suspended)",
    ),
    ("O02", r"unknown (user|recipient|address|mailbox|e-?mail)|no such|no mailbox|sconosciut|inesistente"),
    ("O02", r"does(n't| not) (exist|have an?\b)|mailbox unavailable|not a valid (mailbox|user|address)"),
    ("O02", r"invalid (recipient|mailbox|user|address)|recipi?e?n?t?notfound|recipnotfound|unrouteable"),
)

# A refusal by the last two numbers of its enhanced status, then by the middle one alone.
STATUS = {
    "1.7": "O03",  # bad sender: its form
    "1.8": "O03",  # bad sender: its domain
    "2.2": "O04",  # mailbox full
    "2.3": "O08",  # longer than this mailbox takes
    "3.1": "O04",  # the whole system is full
    "3.3": "O08",  # what the letter asks for is not offered there
    "3.4": "O08",  # too big for the system
    "3.5": "O03",  # wrongly configured
    "4.5": "O03",  # congestion; with Gmail, our account's letters of today
    "4.7": "O01",  # a relay has tried long enough
    "5.6": "O08",  # invalid content
    "6.7": "O02",  # an address that is not ASCII (RFC 6531), on a way that takes no other
    "7.17": "O02",  # the mailbox has another owner now (RFC 7293)
    "7.18": "O02",  # the domain has
    "1": "O02",  # addressing
    "2": "O02",  # mailbox
    "3": "O03",  # mail system
    "4": "O02",  # network and routing: no way leads there
    "5": "O03",  # protocol: we and the relay misunderstand each other
    "6": "O08",  # content
    "7": "O03",  # security and policy
}

# A refusal by its code alone; O03 for any other.
CODES = {
    "521": "O02",  # the host takes no mail (RFC 7504)
    "550": "O02",  # mailbox unavailable
    "551": "O02",  # user not local
    "552": "O04",  # exceeded storage allocation
    "553": "O02",  # mailbox name not allowed
    "556": "O02",  # the domain takes no mail (RFC 7504)
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
        return "O04" if status.endswith(".2.2") or _by_words(words) == "O04" else "O01"
    by_words = _by_words(words)
    if kind != "5":
        return by_words or "O07"
    _, _, detail = status.partition(".")
    by_status = STATUS.get(detail) or STATUS.get(detail.partition(".")[0])
    return by_words or by_status or CODES.get(code, "O03")


def slows(reply: str) -> bool:
    """Whether other letters to the same domain had better wait too: busy, greylisting, blocklists."""
    code, status = _first(_CODE, reply), _first(_STATUS, reply)
    if code.startswith("4") or status.startswith("4"):
        return code == "421" or status.startswith(SLOWS) or "greylist" in _words(reply)
    return fate_of(reply) == "O03"


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
