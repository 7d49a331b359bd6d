"""What speaks against a letter that is to be believed for its headers alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q

from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.models import InboundMail
from pbem.inbox.seen import first_with
from pbem.inbox.sender_authentication import Opened
from pbem.mail.authentication.policy import Doubt
from pbem.mail.authentication.provenance import answers_only, is_fresh, to_us_alone
from pbem.outbox.models import OutboundMail
from pbem.players.epochs import restored_recently
from pbem.players.models import Player
from pbem.players.tokens import parse_address

_MOST_IDS = 50


def doubts_of(
    row: InboundMail, letter: Opened, players: Sequence[Player], said: Understood, *, sealed: bool
) -> list[Doubt]:
    """In the order of Doubt. `players` are those who may have written, `said` is what they would have done.

    `sealed`: it came to the reply address of now, which makes up for everything but an envelope around it.
    """
    if sealed:
        return [Doubt.WRAPPED] if letter.wrapped else []
    headers, seen = letter.mail.headers, letter.glance
    again = first_with(seen.message_id) != row.pk or restored_recently(row.received_at)  # which forgets some
    holds = {
        Doubt.WRAPPED: letter.wrapped,
        Doubt.COPIED: not to_us_alone(headers, _is_ours),
        Doubt.ANSWERS_OTHERS: not answers_only(headers, _our_ids(letter, players)),
        Doubt.OLD: not is_fresh(headers.get("date"), row.received_at),
        Doubt.SEEN: again,
        Doubt.OPEN: not letter.vouched.whole,
        Doubt.TO_MANY: seen.declared is not None and seen.but_to_many is None,
        Doubt.UNNUMBERED: said.unnumbered or any(map(_is_bare, said.commands)),
    }
    return [doubt for doubt in Doubt if holds.get(doubt)]


def _is_ours(address: str) -> bool:
    return parse_address(address, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR) is not None


def _our_ids(letter: Opened, players: Sequence[Player]) -> set[str]:
    """Those of letters that these players have had. That of a match's thread anybody can guess: it comes with one."""
    named = letter.glance.correlates[:_MOST_IDS]
    if not named:
        return set()
    theirs = OutboundMail.objects.filter(Q(player__in=players) | Q(address=letter.glance.author))
    known = set(theirs.filter(message_id__in=named).values_list("message_id", flat=True))
    thread = re.compile(rf"<match\.[0-9]+@{re.escape(settings.MAIL_DOMAIN)}>")
    return known | {name for name in named if thread.fullmatch(name)} if known else known


def _is_bare(command: Command) -> bool:
    """A YES, a NO or a move that does not say of which match."""
    return isinstance(command, (Accept, Decline, Move)) and command.match is None
