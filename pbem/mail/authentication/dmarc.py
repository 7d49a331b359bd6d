"""Evaluates DMARC (RFC 7489) with SPF and DKIM, where no trusted mail server has done so."""

# dkimpy and pyspf check signatures and SPF records. authheaders is not used for the rest: it reads
# `my-mail.example` as `my`, which confuses domains; it checks the first signature only; and it takes an
# unavailable name server for a broken signature.
from __future__ import annotations

import logging
from dataclasses import dataclass

from pbem.mail.authentication.dkim import Policy, covers, domain_of, organisation
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.network import Resolver, Unanswered

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Evidence:
    """A letter as received, with the envelope sender, peer IP address and HELO of its session."""

    mail: ParsedMail
    sender: str = ""
    peer: str = ""
    helo: str = ""


@dataclass(frozen=True)
class SignatureCoverage:
    """A DMARC verdict. `whole`: this delivery passed SPF, or a signature covers the whole text."""

    dmarc: Dmarc
    whole: bool = False


def verify(evidence: Evidence, author: str, dns: Resolver) -> SignatureCoverage:
    """Returns the DMARC verdict for `author`, the only address in From. Never raises.

    The verdict is `fail` only with a policy and all DNS answers. It is `none` while DNS is unavailable.
    """
    try:
        return _verify(evidence, author, dns)
    except Unanswered as why:
        log.info("DMARC of %r: no answer about %s", author, why)
    except Exception:
        log.exception("DMARC of %r cannot be told", author)
    return SignatureCoverage(Dmarc.NONE)


def has_policy(author: str, dns: Resolver) -> bool | None:
    """Tells whether the domain of `author` publishes a DMARC policy. None while DNS is unavailable."""
    domain = domain_of(author)
    try:
        return bool(domain) and policy_of(domain, dns) is not None
    except Unanswered:
        return None


def _verify(evidence: Evidence, author: str, dns: Resolver) -> SignatureCoverage:
    domain = domain_of(author)
    policy = policy_of(domain, dns) if domain else None
    if policy is None:
        return SignatureCoverage(Dmarc.NONE)
    unanswered = False
    for proof in (_delivered, _signed):
        try:
            if vouched := proof(evidence, policy, dns):
                return vouched
        except Unanswered:
            unanswered = True
        except Exception:  # the libraries may raise on malicious letters; this check then proves nothing
            log.warning("DMARC of %r: no proof", author, exc_info=True)
    return SignatureCoverage(Dmarc.NONE if unanswered else Dmarc.FAIL)


def _delivered(evidence: Evidence, policy: Policy, dns: Resolver) -> SignatureCoverage | None:
    from pbem.mail.authentication.spf import is_permitted  # noqa: PLC0415 - most processes verify nothing

    permitted = is_permitted(evidence.sender, evidence.peer, evidence.helo, policy, dns)
    return SignatureCoverage(Dmarc.PASS, whole=True) if permitted else None


def _signed(evidence: Evidence, policy: Policy, dns: Resolver) -> SignatureCoverage | None:
    from pbem.mail.authentication.dkim import verified  # noqa: PLC0415 - many never ask

    headers = evidence.mail.headers
    signature = verified(evidence.mail.raw, policy, dns, headers)
    return SignatureCoverage(Dmarc.PASS, whole=covers(signature, headers)) if signature else None


def policy_of(domain: str, dns: Resolver) -> Policy | None:
    """Looks up the policy of the domain, else of its organisation (RFC 7489, 6.6.3). None when there is none."""
    for name in dict.fromkeys((domain, organisation(domain))):
        records = [_tags(text) for text in dns.texts(f"_dmarc.{name}") if text.startswith(b"v=DMARC1")]
        # Several records count as none.
        if len(records) == 1 and records[0].get("p") in ("none", "quarantine", "reject"):
            tags = records[0]
            return Policy(domain, tags.get("adkim") == "s", tags.get("aspf") == "s")
    return None


def _tags(record: bytes) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in record.decode("ascii", "replace").lower().split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}
