"""Tournaments before they begin: invitations and their outcome, the first day, a preview of the beginning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.forms import InvitationForm
from pbem.admin.base.lists import when
from pbem.admin.competitions.forms import AT_ONCE, BeginForm, StartDateForm
from pbem.admin.matches.terms import against_a_wish, of_rounds
from pbem.competitions.models import Competition
from pbem.competitions.pairings import Rounds
from pbem.competitions.rounds import end_edition
from pbem.competitions.tournaments import begin, begin_later, rounds_drawn
from pbem.matches.models import Entry, Tournament, TournamentInvitation
from pbem.outbox.models import BouncedMail
from pbem.outbox.notifications.announcements import invite_to
from pbem.players.models import Address, Player
from pbem.players.models.do_not_contact import SuppressedAddress

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


# The beginning: a preview of its pairings, and a date on which it happens by itself

HOUR = 9  # in the service's time zone


def date_buttons(tournament: Tournament) -> Iterator[AdminAction]:
    begins_at = tournament.competition.begins_at
    yield AdminAction(
        verb="start-date",
        label=_("Change the first day") if begins_at else _("Set the first day"),
        done=_("It begins by itself on that day."),
        press=partial(_set, tournament),
        asks=StartDateForm,
        help_text=_("It begins then with those who have entered, if there are two of them."),
        preview=partial(_shown, tournament),
    )
    if begins_at:
        yield AdminAction(
            verb="call-off",
            label=_("Call the first day off"),
            done=_("It does not begin by itself any more."),
            press=lambda pressed: begin_later(tournament, None),
            asks=forms.Form,
            help_text=gettext("It would begin on %(when)s.") % {"when": when(begins_at)},
        )


def _set(tournament: Tournament, pressed: ActionInput) -> None:
    begin_later(tournament, pressed.answers["begins_at"], at_once=pressed.answers["begin"] == AT_ONCE)


def _shown(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    """Previews the pairings as they are now; they change with each entry."""
    said = [gettext("It begins on %(when)s.") % {"when": when(answers["begins_at"])}]
    if rounds := rounds_drawn(tournament):
        said.append(gettext("If nobody else enters:"))
        said.append(of_rounds(rounds))
        said += against_a_wish((pair for pairs in rounds for pair in pairs), tournament.game_name)
    return said


SILENT = timedelta(days=14)


def buttons(tournament: Tournament) -> Iterator[AdminAction]:
    if not tournament.takes_entries:
        return
    yield AdminAction(
        verb="invite",
        label=_("Invite"),
        done=_("The invitations have been sent. Anyone who answers YES takes part at once."),
        press=partial(_invite, tournament),
        asks=InvitationForm,
        help_text=_(
            "A letter to each, players and people who have not signed up. Anyone who was asked before, or takes "
            "part, gets none."
        ),
    )
    if tournament.system == Competition.System.PAIRINGS:
        return
    yield from date_buttons(tournament)
    if rounds := rounds_drawn(tournament):
        yield AdminAction(
            verb="begin",
            label=_("Begin the tournament"),
            done=_("It has begun; its players get their letters."),
            press=partial(_begin, tournament),
            asks=partial(BeginForm, tournament),
            help_text=_told(rounds, tournament.game_name),
        )


def _told(rounds: Rounds[Player], game: str) -> str:
    against = against_a_wish((pair for pairs in rounds for pair in pairs), game)
    return " ".join([of_rounds(rounds), *against])


def _begin(tournament: Tournament, pressed: ActionInput) -> None:
    at_once = pressed.answers["begin"] == AT_ONCE
    begin(tournament, pressed.answers["lots"], at_once=at_once, now=pressed.now, rng=SystemRandom())


def _invite(tournament: Tournament, pressed: ActionInput) -> None:
    """Invites all addresses, or none when one may not be written to. Raises ValidationError."""
    wish, refused = dict(pressed.answers), []
    for email in wish.pop("email"):
        try:
            invite_to(tournament, email, **wish, host=pressed.who, now=pressed.now)
        except ValidationError as why:
            refused.append(f"{email}: {' '.join(why.messages)}")
    if refused:
        raise ValidationError([gettext("Nothing was sent. Take these out:"), *refused])


@dataclass(frozen=True)
class Invitee:
    """One line of the list of invitations."""

    address: str
    asked_at: datetime
    state: StrPromise | str
    player: Player | None = None


def invitees(tournament: Tournament, now: datetime) -> Sequence[Invitee]:
    """Returns the invitations with their outcome: one query for each kind of fact."""
    asked = list(tournament.invitations.all())
    if not asked:
        return ()
    addresses = {each.address for each in asked}
    owners = Address.objects.verified().filter(email__in=addresses).select_related("player")
    players = {address.email: address.player for address in owners}
    entered = set(Entry.objects.filter(tournament=tournament).values_list("player", flat=True))
    bounced = set(BouncedMail.objects.filter(address__in=addresses).values_list("address", flat=True))
    declined = SuppressedAddress.objects.among(addresses)

    def state(each: TournamentInvitation) -> StrPromise | str:
        player = players.get(each.address)
        facts = (
            (player is not None and player.pk in entered, _("takes part")),
            (each.agreed is False or each.address in declined, _("said no")),
            (each.address in bounced, _("came back")),
            (player is not None and player.created_at > each.asked_at, _("signed up")),
            (each.asked_at < now - SILENT, _("no answer")),
        )
        return next((said for holds, said in facts if holds), _("invited"))

    return [Invitee(each.address, each.asked_at, state(each), players.get(each.address)) for each in asked]


# The end


def close_button(competition: Competition) -> AdminAction:
    return AdminAction(
        verb="close",
        label=_("Close the competition"),
        done=_("The competition is closed."),
        press=partial(_close, competition),
        reason=True,
        help_text=_(
            "It takes no more entries, and no round begins any more. Matches that are being played go on."
        ),
        destructive=True,
    )


def _close(competition: Competition, pressed: ActionInput) -> None:
    """Closes a competition; a ladder that has begun ends with its places written."""
    if competition.has_order and competition.last is not None:
        end_edition(competition.last, now=pressed.now)
        return
    competition.closed_at = pressed.now
    competition.save(update_fields=["closed_at"])
