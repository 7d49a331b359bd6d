"""A kept letter, out of its envelope where it came in one, and who vouches for it: our mail server, or we look."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings

from pbem.dns import Resolver, ask
from pbem.inbox.local_programs import is_trusted
from pbem.inbox.models import InboundMail
from pbem.mail.authentication.alignment import domain_of, organisation
from pbem.mail.authentication.dmarc import Evidence, Vouched, has_policy, verify
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.authentication.provenance import doubled, is_cut
from pbem.mail.authentication.results import dmarc_verdict, proves_all
from pbem.mail.parsing import complaint
from pbem.mail.parsing.headers import Glance
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.pec import CERTIFIED_BY

SPAM = "complaint"


@dataclass(frozen=True)
class Opened:
    """`wrapped`: it came in an envelope, and whether its author's domain says anything could not be found out."""

    mail: ParsedMail
    glance: Glance
    vouched: Vouched
    wrapped: bool = False


def opened(row: InboundMail) -> Opened:
    """The letter that was kept. Asks name servers, if anybody is to."""
    mail = ParsedMail(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
    outside = _look(mail)
    outside = replace(outside, vouched=_vouched(row, outside))
    return outside if mail.inside is None else _unwrapped(outside, _look(mail.inside))


def _look(mail: ParsedMail) -> Opened:
    seen = mail.glance
    if seen.declared is None and complaint.of_microsoft(mail):
        seen = replace(
            seen,
            automatic=SPAM,
            automatic_by_any_name=SPAM,
            declared=SPAM,
            but_to_many=SPAM,
            but_by_program=SPAM,
        )
    return Opened(mail, seen, Vouched(Dmarc.NONE))


def _vouched(row: InboundMail, letter: Opened) -> Vouched:
    """What our mail server found; where none is named, what we find ourselves if we are to look."""
    headers, seen = letter.mail.headers, letter.glance
    if seen.several_from or doubled(headers) or is_cut(headers, "authentication-results"):
        return Vouched(Dmarc.FAIL)  # whichever of them was checked
    found = _looked_up(row, letter)
    if found.dmarc is Dmarc.PASS and headers.defects:
        return Vouched(Dmarc.NONE)  # anyone who vouches may have read other headers than we do
    return found


def _looked_up(row: InboundMail, letter: Opened) -> Vouched:
    """Where the server in front does not say what it has seen to be good, we may look as well, if that matters."""
    author, servers = letter.glance.author, settings.AUTHSERV_IDS
    if author and is_trusted(row.peer):
        return Vouched(Dmarc.PASS, whole=True)
    evidence = Evidence(letter.mail, row.sender, row.peer or "", row.helo)
    look = settings.VERIFY_SENDERS and bool(author) and letter.glance.but_to_many is None
    if look and not servers:
        return verify(evidence, author, Resolver(ask))
    results = letter.glance.authentication_results
    dmarc = dmarc_verdict(results, servers, author)
    whole = dmarc is Dmarc.PASS and proves_all(results, servers, author, letter.mail.headers)
    if dmarc is Dmarc.PASS and not whole and look:
        whole = verify(evidence, author, Resolver(ask)).whole
    return Vouched(dmarc, whole)


def _unwrapped(outside: Opened, inside: Opened) -> Opened:
    """The letter in an envelope of certified mail, which may be anybody's, with anything in it.

    It is never believed more than a letter of which the author's domain says nothing; and where that domain
    does say what becomes of forged letters, no better than a forged one, unless its own provider vouches for it.
    """
    automatic = outside.glance.automatic or inside.glance.automatic
    seen = replace(
        inside.glance,
        automatic=automatic,
        automatic_by_any_name=outside.glance.automatic or inside.glance.automatic_by_any_name,
        declared=outside.glance.automatic or inside.glance.declared,
        but_to_many=automatic,
        but_by_program=automatic,
        is_spam=outside.glance.is_spam or inside.glance.is_spam,
    )
    letter = replace(inside, glance=seen)
    if outside.vouched.dmarc is Dmarc.FAIL or seen.several_from or doubled(inside.mail.headers):
        return replace(letter, vouched=Vouched(Dmarc.FAIL))
    nobody_looks = not settings.AUTHSERV_IDS and not settings.VERIFY_SENDERS
    if nobody_looks or automatic or _is_certified(outside, inside):
        return letter
    match has_policy(seen.author, Resolver(ask)):
        case True:
            return replace(letter, vouched=Vouched(Dmarc.FAIL))
        case False:
            return letter
        case None:
            return replace(letter, wrapped=True)


def _is_certified(outside: Opened, inside: Opened) -> bool:
    """Whether a provider of certified mail has signed the envelope, and the author is one of its own."""
    local, _, _domain = outside.glance.author.partition("@")
    provider, domain = domain_of(outside.glance.author), domain_of(inside.glance.author)
    return (
        outside.vouched.dmarc is Dmarc.PASS
        and outside.vouched.whole
        and local == CERTIFIED_BY
        and provider in settings.PEC_PROVIDERS
        and bool(domain)
        and organisation(domain) == organisation(provider)
    )
