"""Whether the domain in From stands by a letter, where no mail server in front has looked, or how much of it
that covers (RFC 7489).

The checks of signatures and of SPF records are those of dkimpy and pyspf. What joins them is written here:
authheaders reads `my-mail.example` as `my`, so that the domain of one may pass for that of another; it looks
at the first signature alone; and it takes a name server that is away for a signature that is broken.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import spf

from pbem.mail.authentication.dkim import Policy, covers, domain_of, organisation
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.network import Resolver, Unanswered

# Whether the other side may send letters for a domain that may speak for the one in From: SPF (RFC
# 7208).


def is_permitted(sender: str, peer: str, helo: str, policy: Policy, dns: Resolver) -> bool:
    """`sender` is the envelope's, for which in a bounce the HELO stands. Raises Unanswered.

    A relay of our own has no say: its address is not the one that the letter came from.
    """
    if not peer or not ip_address(peer).is_global:
        return False
    local, _, domain = (sender or f"postmaster@{helo}").rpartition("@")
    domain = domain_of(domain)
    if not domain or "@" in local or not policy.agrees(domain, strictly=policy.spf_strictly):
        return False
    result, _code, _why = _Query(f"{local}@{domain}", peer, helo, dns).check()
    if result == "temperror":
        raise Unanswered(domain)
    return bool(result == "pass")


class _Query(spf.query):  # type: ignore[misc]  # the library has no types
    """pyspf, asking where we ask."""

    def __init__(self, sender: str, peer: str, helo: str, questions: Resolver) -> None:
        super().__init__(i=peer, s=sender, h=helo, strict=True)
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


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Evidence:
    """A letter as it came, and what its session said: envelope sender, IP address and HELO of the other side."""

    mail: ParsedMail
    sender: str = ""
    peer: str = ""
    helo: str = ""


@dataclass(frozen=True)
class Vouched:
    """`whole`: the pass is tied to this very text, by SPF of this delivery or by a signature over all of it."""

    dmarc: Dmarc
    whole: bool = False


def verify(evidence: Evidence, author: str, dns: Resolver) -> Vouched:
    """What the domain of `author`, the one address in From, says of the letter. Never raises.

    `fail` needs a policy and an answer to every question; while a name server is away, it is `none`.
    """
    try:
        return _verify(evidence, author, dns)
    except Unanswered as why:
        log.info("DMARC of %r: no answer about %s", author, why)
    except Exception:
        log.exception("DMARC of %r cannot be told", author)
    return Vouched(Dmarc.NONE)


def has_policy(author: str, dns: Resolver) -> bool | None:
    """Whether the domain of `author` says what becomes of forged letters; None while nobody can be asked."""
    domain = domain_of(author)
    try:
        return bool(domain) and policy_of(domain, dns) is not None
    except Unanswered:
        return None


def _verify(evidence: Evidence, author: str, dns: Resolver) -> Vouched:
    domain = domain_of(author)
    policy = policy_of(domain, dns) if domain else None
    if policy is None:
        return Vouched(Dmarc.NONE)
    unanswered = False
    for proof in (_delivered, _signed):
        try:
            if vouched := proof(evidence, policy, dns):
                return vouched
        except Unanswered:
            unanswered = True
        except Exception:  # the libraries were not written for letters that mean ill: this one proves nothing
            log.warning("DMARC of %r: no proof", author, exc_info=True)
    return Vouched(Dmarc.NONE if unanswered else Dmarc.FAIL)


def _delivered(evidence: Evidence, policy: Policy, dns: Resolver) -> Vouched | None:

    permitted = is_permitted(evidence.sender, evidence.peer, evidence.helo, policy, dns)
    return Vouched(Dmarc.PASS, whole=True) if permitted else None


def _signed(evidence: Evidence, policy: Policy, dns: Resolver) -> Vouched | None:
    from pbem.mail.authentication.dkim import verified  # noqa: PLC0415 - many never ask

    headers = evidence.mail.headers
    signature = verified(evidence.mail.raw, policy, dns, headers)
    return Vouched(Dmarc.PASS, whole=covers(signature, headers)) if signature else None


def policy_of(domain: str, dns: Resolver) -> Policy | None:
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
