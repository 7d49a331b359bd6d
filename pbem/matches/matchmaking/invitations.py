"""Invitations to e-mail addresses: made, accepted, declined."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random

from django.db import transaction

from games.protocol import Side
from pbem.mail.mailbox import mailbox_of
from pbem.matches.lifecycle import draw_up
from pbem.matches.matchmaking.match_request import read_wish
from pbem.matches.models import Invitation, Match
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.players.services import check_new_address
from pbem.refusals import Code, Refused

EXAMPLES = frozenset(
    {"friend@example.org", "amica@example.org"}
)  # shown in our letters, and sent back by mistake
WISHED = "wished"  # in an `opening`: the reader wants other terms, and the challenger has been notified


@transaction.atomic
def invite(
    challenger: Player,
    address: str,
    *,
    game: str,
    options: Sequence[str] = (),
    setup: str | None = None,
    message: str = "",
    now: datetime,
    rng: Random,
) -> Invitation:
    """Invites the reader of an address, who moves first by default: the reply may then be a move.

    Refuses, by the challenger alone, C02, C03, C06, C17 (an invitation is pending), C23, C24, C38.
    """
    check_new_address(address)
    if address.lower() in EXAMPLES:
        raise Refused(Code.EXAMPLE_ADDRESS, text=address)
    mailbox = mailbox_of(address)
    if challenger.addresses.verified().filter(mailbox=mailbox).exists():
        raise Refused(Code.AGAINST_YOURSELF, name=address)
    wish = read_wish(game, options)
    match = draw_up(wish.game, setup=setup, terms=wish.terms, now=now, rng=rng)
    for waiting in challenger.invitations.unanswered().filter(mailbox=mailbox):
        if not waiting.opening.get(WISHED):
            raise Refused(Code.INVITED_ALREADY, name=address)
        decline(waiting, now=now)  # replaced by the new one
    return Invitation.objects.create(
        challenger=challenger,
        address=address.lower(),
        game_name=match.game_name,
        setup=match.setup,
        side=Side.SECOND if wish.side is None else wish.side,
        terms=match.terms,
        message=message,
        asked_at=now,
    )


@transaction.atomic
def accept(
    invitation: Invitation, player: Player, *, now: datetime, rng: Random, letter: int | None = None
) -> Match:
    """Begins the match. Refuses C03 when the challenger read the letter."""
    side = Side(invitation.side).other
    seats = (invitation.challenger, player) if side is Side.SECOND else (player, invitation.challenger)
    match = start(
        first=seats[0],
        second=seats[1],
        game=invitation.game_name,
        setup=invitation.setup,
        terms=invitation.agreed,
        side=side,
        letter=letter,
        now=now,
        rng=rng,
        invitation=invitation.pk,
    )
    _answered(invitation, match, now)
    return match


def decline(invitation: Invitation, *, now: datetime) -> None:
    _answered(invitation, None, now)


def _answered(invitation: Invitation, match: Match | None, now: datetime) -> None:
    invitation.answered_at, invitation.match, invitation.opening = now, match, {}
    invitation.save(update_fields=["answered_at", "match", "opening"])
