"""Whether the domain in From stands by a letter: DKIM, SPF and DMARC, where no mail server in front has looked.

The checks of signatures and of SPF records are those of dkimpy and pyspf. What joins them is written here:
authheaders reads `my-mail.example` as `my`, so that the domain of one may pass for that of another; it looks
at the first signature alone; and it takes a name server that is away for a signature that is broken.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from ipaddress import ip_address
from itertools import islice
from typing import Any

import dkim
import spf
from dkim.util import InvalidTagValueList, parse_tag_value
from publicsuffix2 import PublicSuffixList

from pbem.inbox.identity import Dmarc
from pbem.nameserver import Questions, Unanswered

log = logging.getLogger(__name__)

# The libraries take quadratic time over more; then no signature counts, for nobody may gain by being unreadable.
HEADER_OCTETS = 64 * 1024
BLANKS = re.compile(rb"[ \t]{100}")
SIGNATURES = 3  # that are worth a look
KEY_OCTETS = 2_000  # of a key record; 8192 bits of RSA need 1,400
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")
_DOMAIN = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)+")


@dataclass(frozen=True)
class Evidence:
    """A letter as it came, and what its session said: envelope sender, IP address and HELO of the other side."""

    raw: bytes
    sender: str = ""
    peer: str = ""
    helo: str = ""


@dataclass(frozen=True)
class Policy:
    """What the domain in From asks for (RFC 7489). `strictly`: no other domain of the same owner will do."""

    domain: str
    dkim_strictly: bool
    spf_strictly: bool

    def agrees(self, domain: str, *, strictly: bool) -> bool:
        """Whether `domain` may speak for the one in From."""
        if strictly:
            return domain == self.domain
        return organisation(domain) == organisation(self.domain)


def verify(evidence: Evidence, author: str, dns: Questions) -> Dmarc:
    """What the domain of `author`, the one address in From, says of the letter. Never raises.

    `fail` needs a policy and an answer to every question; while a name server is away, it is `none`.
    """
    try:
        return _verify(evidence, author, dns)
    except Unanswered as why:
        log.info("DMARC of %r: no answer about %s", author, why)
    except Exception:
        log.exception("DMARC of %r cannot be told", author)
    return Dmarc.NONE


@cache
def organisation(domain: str) -> str:
    """The domain that somebody has registered: `example.co.uk` of `mail.example.co.uk`.

    Below an end that is not on the list the library takes everybody for one owner; the list's own rule (`*`) does not.
    """
    found = str(_suffixes().get_public_suffix(domain))
    return found if "." in found else ".".join(domain.split(".")[-2:])


def _verify(evidence: Evidence, author: str, dns: Questions) -> Dmarc:
    domain = _domain_of(author)
    policy = _policy(domain, dns) if domain else None
    if policy is None:
        return Dmarc.NONE
    unanswered = False
    for check in (_spf, _dkim):
        try:
            if check(evidence, policy, dns):
                return Dmarc.PASS
        except Unanswered:
            unanswered = True
        except Exception:  # the libraries were not written for letters that mean ill: this one proves nothing
            log.warning("%s of a letter of %r", check.__name__, author, exc_info=True)
    return Dmarc.NONE if unanswered else Dmarc.FAIL


def _is_tame(raw: bytes) -> bool:
    """Whether the libraries can be trusted with it."""
    end = _END_OF_HEADERS.search(raw, 0, HEADER_OCTETS)
    return end is not None and not BLANKS.search(raw)


def _domain_of(address: str) -> str:
    """ "" for what no domain can be called."""
    try:
        domain = address.rpartition("@")[2].rstrip(".").encode("idna").decode().lower()
    except UnicodeError:
        return ""
    return domain if _DOMAIN.fullmatch(domain) else ""


def _policy(domain: str, dns: Questions) -> Policy | None:
    """RFC 7489, 6.6.3: that of the domain, else that of its organisation; two records are none."""
    for name in dict.fromkeys((domain, organisation(domain))):
        records = [_tags(text) for text in dns.texts(f"_dmarc.{name}") if text.startswith(b"v=DMARC1")]
        if len(records) == 1 and records[0].get("p") in ("none", "quarantine", "reject"):
            tags = records[0]
            return Policy(domain, tags.get("adkim") == "s", tags.get("aspf") == "s")
    return None


def _tags(record: bytes) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in record.decode("ascii", "replace").lower().split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _spf(evidence: Evidence, policy: Policy, dns: Questions) -> bool:
    """Whether the other side may send letters for the envelope sender, and that domain agrees with From.

    A relay of our own has no say: its address is not the one that the letter came from.
    """
    if not evidence.peer or not ip_address(evidence.peer).is_global:
        return False
    domain = _domain_of(evidence.sender or evidence.helo)
    if not domain or not policy.agrees(domain, strictly=policy.spf_strictly):
        return False
    result, _code, _why = _Spf(evidence, dns).check()
    if result == "temperror":
        raise Unanswered(domain)
    return bool(result == "pass")


class _Spf(spf.query):  # type: ignore[misc]  # the library has no types
    """pyspf, asking where we ask."""

    def __init__(self, evidence: Evidence, questions: Questions) -> None:
        super().__init__(i=evidence.peer, s=evidence.sender, h=evidence.helo, strict=True)
        self._questions = questions

    def dns(self, name: str, qtype: str, cnames: Any = None, ignore_void: bool = False) -> list[Any]:
        try:
            answers = list(self._questions(str(name), qtype))
        except Unanswered as why:
            raise spf.TempError(str(why)) from why
        if not answers and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many names that do not exist")
        return answers


def _dkim(evidence: Evidence, policy: Policy, dns: Questions) -> bool:
    """Whether a domain that agrees with From has signed the whole letter."""
    if not _is_tame(evidence.raw):
        return False
    unanswered: Unanswered | None = None
    for number in islice(_signatures(evidence.raw, policy), SIGNATURES):
        try:
            # A letter is read anew for each: verifying changes what the library keeps of it.
            if dkim.DKIM(evidence.raw).verify(number, dnsfunc=_keys(dns)):
                return True
        except Unanswered as why:
            unanswered = why
        except Exception as broken:  # RFC 6376, 6.1: on to the next
            log.info("signature %s: %r", number, broken)
    if unanswered:
        raise unanswered
    return False


def _signatures(raw: bytes, policy: Policy) -> Iterator[int]:
    """The numbers of those worth a look. One over a part of the text (l=) lets anybody add to it."""
    fields = [value for name, value in dkim.DKIM(raw).headers if name.lower() == b"dkim-signature"]
    for number, value in enumerate(fields):
        try:
            tags = parse_tag_value(value)
        except InvalidTagValueList:
            continue
        signer = tags.get(b"d", b"").decode("ascii", "replace").lower()
        whole = b"l" not in tags and tags.get(b"a") != b"rsa-sha1"  # RFC 8301
        if whole and _DOMAIN.fullmatch(signer) and policy.agrees(signer, strictly=policy.dkim_strictly):
            yield number


def _keys(dns: Questions) -> Any:
    """What dkimpy asks for a key: name and timeout, to a record or None."""

    def key(name: bytes, timeout: float = 0) -> bytes | None:
        records = dns.texts(name.decode("ascii"))
        return records[0] if records and len(records[0]) <= KEY_OCTETS else None

    return key


@cache
def _suffixes() -> PublicSuffixList:
    """The list that browsers go by, as authheaders brings it: it is kept up to date there."""
    with (files("authheaders") / "public_suffix_list.txt").open(encoding="utf-8") as lines:
        return PublicSuffixList(lines)
