"""Opens a kept letter and its certified envelope, and authenticates the sender (DMARC)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db.models import Q

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.match_commands import Accept, Decline, Move
from pbem.inbox.commands.parser import Understood
from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import ConfirmRecipient, InvitationRecipient, PlayRecipient, Recipient
from pbem.inbox.seen import first_with
from pbem.mail.authentication.dkim import domain_of, organisation
from pbem.mail.authentication.dmarc import Evidence, SignatureCoverage, has_policy, verify
from pbem.mail.authentication.policy import Decision, Dmarc, RiskFlag
from pbem.mail.authentication.results import (
    answers_only,
    dmarc_verdict,
    doubled,
    is_cut,
    is_fresh,
    proves_all,
    to_us_alone,
)
from pbem.mail.parsing import bounce
from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.parsed_mail import CERTIFIED_BY, ParsedMail
from pbem.network import Resolver, ask, is_trusted
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import restored_recently
from pbem.players.tokens import Purpose, parse_address

SPAM = "complaint"


@dataclass(frozen=True)
class AuthenticatedMessage:
    """A parsed letter. `wrapped`: it came in an envelope, and its author's DMARC policy is unknown."""

    mail: ParsedMail
    summary: HeaderSummary
    vouched: SignatureCoverage
    wrapped: bool = False


def opened(row: InboundMail) -> AuthenticatedMessage:
    """Opens and authenticates the letter. May query DNS."""
    mail = ParsedMail(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
    outside = _look(mail)
    outside = replace(outside, vouched=_vouched(row, outside))
    return outside if mail.inside is None else _unwrapped(outside, _look(mail.inside))


def _look(mail: ParsedMail) -> AuthenticatedMessage:
    seen = mail.summary
    if seen.declared is None and bounce.of_microsoft(mail):
        seen = replace(
            seen,
            automatic=SPAM,
            automatic_by_any_name=SPAM,
            declared=SPAM,
            but_to_many=SPAM,
            but_by_program=SPAM,
        )
    return AuthenticatedMessage(mail, seen, SignatureCoverage(Dmarc.NONE))


def _vouched(row: InboundMail, letter: AuthenticatedMessage) -> SignatureCoverage:
    """Authenticates the letter by our mail server's results, or by our own check."""
    headers, seen = letter.mail.headers, letter.summary
    if seen.several_from or doubled(headers) or is_cut(headers, "authentication-results"):
        return SignatureCoverage(Dmarc.FAIL)  # ambiguous headers
    found = _looked_up(row, letter)
    if found.dmarc is Dmarc.PASS and headers.defects:
        return SignatureCoverage(Dmarc.NONE)  # the provider may have read other headers than we do
    return found


def _looked_up(row: InboundMail, letter: AuthenticatedMessage) -> SignatureCoverage:
    """Uses the mail server's results where it is named; checks itself where enabled and needed."""
    author, servers = letter.summary.author, settings.AUTHSERV_IDS
    if author and is_trusted(row.peer):
        return SignatureCoverage(Dmarc.PASS, whole=True)
    evidence = Evidence(letter.mail, row.sender, row.peer or "", row.helo)
    look = settings.VERIFY_SENDERS and bool(author) and letter.summary.but_to_many is None
    if look and not servers:
        return verify(evidence, author, Resolver(ask))
    results = letter.summary.authentication_results
    dmarc = dmarc_verdict(results, servers, author)
    whole = dmarc is Dmarc.PASS and proves_all(results, servers, author, letter.mail.headers)
    if dmarc is Dmarc.PASS and not whole and look:
        whole = verify(evidence, author, Resolver(ask)).whole
    return SignatureCoverage(dmarc, whole)


def _unwrapped(outside: AuthenticatedMessage, inside: AuthenticatedMessage) -> AuthenticatedMessage:
    """Returns the letter inside an envelope of certified mail, which may be forged.

    It counts as unauthenticated; as failed when its domain has a DMARC policy, unless its own provider has
    signed the envelope.
    """
    automatic = outside.summary.automatic or inside.summary.automatic
    seen = replace(
        inside.summary,
        automatic=automatic,
        automatic_by_any_name=outside.summary.automatic or inside.summary.automatic_by_any_name,
        declared=outside.summary.automatic or inside.summary.declared,
        but_to_many=automatic,
        but_by_program=automatic,
        is_spam=outside.summary.is_spam or inside.summary.is_spam,
    )
    letter = replace(inside, summary=seen)
    if outside.vouched.dmarc is Dmarc.FAIL or seen.several_from or doubled(inside.mail.headers):
        return replace(letter, vouched=SignatureCoverage(Dmarc.FAIL))
    nobody_looks = not settings.AUTHSERV_IDS and not settings.VERIFY_SENDERS
    if nobody_looks or automatic or _is_certified(outside, inside):
        return letter
    match has_policy(seen.author, Resolver(ask)):
        case True:
            return replace(letter, vouched=SignatureCoverage(Dmarc.FAIL))
        case False:
            return letter
        case None:
            return replace(letter, wrapped=True)


def _is_certified(outside: AuthenticatedMessage, inside: AuthenticatedMessage) -> bool:
    """Whether a provider of certified mail has signed the envelope for an author in its own domain."""
    local, _, _domain = outside.summary.author.partition("@")
    provider, domain = domain_of(outside.summary.author), domain_of(inside.summary.author)
    return (
        outside.vouched.dmarc is Dmarc.PASS
        and outside.vouched.whole
        and local == CERTIFIED_BY
        and provider in settings.PEC_PROVIDERS
        and bool(domain)
        and organisation(domain) == organisation(provider)
    )


# Doubts about a letter that headers alone authenticate

_MOST_IDS = 50


def risk_flags(
    row: InboundMail,
    letter: AuthenticatedMessage,
    players: Sequence[Player],
    said: Understood,
    *,
    sealed: bool,
) -> list[RiskFlag]:
    """Returns the doubts, in the order of Doubt. `players` may have written the letter; `said` is what it
    asks for.

    `sealed`: it came to the current reply address, which settles all doubts but an envelope.
    """
    if sealed:
        return [RiskFlag.WRAPPED] if letter.wrapped else []
    headers, seen = letter.mail.headers, letter.summary
    again = first_with(seen.message_id) != row.pk or restored_recently(row.received_at)  # loses IDs
    holds = {
        RiskFlag.WRAPPED: letter.wrapped,
        RiskFlag.COPIED: not to_us_alone(headers, _is_ours),
        RiskFlag.ANSWERS_OTHERS: not answers_only(headers, _our_ids(letter, players)),
        RiskFlag.OLD: not is_fresh(headers.get("date"), row.received_at),
        RiskFlag.SEEN: again,
        RiskFlag.OPEN: not letter.vouched.whole,
        RiskFlag.TO_MANY: seen.declared is not None and seen.but_to_many is None,
        RiskFlag.UNNUMBERED: said.unnumbered or any(map(_is_bare, said.commands)),
    }
    return [doubt for doubt in RiskFlag if holds.get(doubt)]


def _is_ours(address: str) -> bool:
    return parse_address(address, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR) is not None


def _our_ids(letter: AuthenticatedMessage, players: Sequence[Player]) -> set[str]:
    """The Message-IDs in its references that these players received, with thread IDs beside one of them."""
    named = letter.summary.correlates[:_MOST_IDS]
    if not named:
        return set()
    theirs = OutboundMail.objects.filter(Q(player__in=players) | Q(address=letter.summary.author))
    known = set(theirs.filter(message_id__in=named).values_list("message_id", flat=True))
    # The ID of a match's thread can be guessed.
    thread = re.compile(rf"<match\.[0-9]+@{re.escape(settings.MAIL_DOMAIN)}>")
    return known | {name for name in named if thread.fullmatch(name)} if known else known


def _is_bare(command: Command) -> bool:
    """Whether it is a YES, NO or move without a match number."""
    return isinstance(command, (Accept, Decline, Move)) and command.match is None


# After a restore

DONE_AT_ONCE = (Decision.APPLY, Decision.MEETING, Decision.STALE_MOVE, Decision.STALE_CONFIRM)


def hold_after_restore(decision: Decision, recipient: Recipient | None) -> Decision:
    """Lowers the decision to CONFIRM for an answer to a letter sent before a restore, as its board may be
    undone.

    Letters without a reply address are treated in `doubts_of`.
    """
    if recipient is not None and recipient.restored and decision in DONE_AT_ONCE:
        return Decision.CONFIRM
    return decision


# Automatic-looking mail by persons; the addresses excluded here are only for programs.
_FOR_MACHINES = (Purpose.BOUNCE, Purpose.UNSUBSCRIBE, Purpose.NEVER)


def as_person(
    headers: HeaderSummary,
    recipient: Recipient | None,
    players: Sequence[Player],
    dmarc: Dmarc,
    *,
    registers: bool,
    commands: bool,
) -> HeaderSummary:
    """Returns the headers with `automatic` corrected when the sender is a person.

    An answer from the mailbox that our letter went to is by a person, whatever its Subject. So is a letter
    from a player, or from a stranger who registers, that a provider vouches for, whatever the mailbox name.

    Declarations (RFC 3834, 3464) stand, with two exceptions: bulk mail counts when it brings `commands` from
    a player's mailbox, and a player's declared program may answer our letters with commands.
    """
    if headers.automatic is None or recipient is None or not headers.author:
        return headers
    theirs, current = _is_of(players, headers.author), recipient.state == "current"
    if isinstance(recipient, PlayRecipient):
        known = dmarc is Dmarc.PASS and (registers or theirs)
        to_many = headers.but_to_many if theirs and commands else headers.automatic
        return replace(headers, automatic=headers.automatic_by_any_name and to_many) if known else headers
    if recipient.purpose in _FOR_MACHINES:
        return headers
    # Autoreplies of old programs are marked as bulk mail.
    read = theirs and (commands or (current and headers.declared == "list"))
    to_many = headers.but_to_many if read else headers.automatic
    if not current or not (theirs or headers.author == _asked(recipient)):
        return replace(headers, automatic=to_many)
    if commands and any(player.program and player.writes_from(headers.author) for player in players):
        return replace(headers, automatic=headers.but_by_program)
    return replace(headers, automatic=headers.declared and to_many)


def _asked(recipient: Recipient) -> str:
    """The address of a stranger that we asked or invited. Empty for others."""
    match recipient:
        case ConfirmRecipient(confirmation=question) | InvitationRecipient(invitation=question):
            return question.address.lower()
    return ""


def _is_of(players: Sequence[Player], sender: str) -> bool:
    return any(player.writes_from(sender) for player in players)
