"""Open offers and invitations at the desk: listed, looked at, closed, forgotten with the one who is erased."""

from random import Random

import pytest
from django.test import Client

from pbem.admin.people.erasure import erase
from pbem.matches.matchmaking.invitations import invite
from pbem.matches.matchmaking.seeks import offer
from pbem.matches.models import Invitation, Seek
from pbem.players.models import Player
from tests.pbem.admin.conftest import NOON

SEEKS, INVITATIONS = "/admin/matches/seek/", "/admin/matches/invitation/"


@pytest.fixture
def seek(alice: Player) -> Seek:
    return offer(alice, game="zertz", keep=3, now=NOON, rng=Random(1))


def test_an_offer_is_listed_and_closed(desk: Client, seek: Seek) -> None:
    assert "zertz" in desk.get(SEEKS).content.decode()
    page = f"{SEEKS}{seek.pk}/"
    assert "press/close" in desk.get(f"{page}change/").content.decode()
    desk.post(f"{page}press/close/")
    seek.refresh_from_db()
    assert seek.closed_at
    assert "press/close" not in desk.get(f"{page}change/").content.decode()


def test_an_invitation_is_listed_and_goes_with_whoever_was_invited(
    desk: Client, alice: Player, bruno: Player
) -> None:
    invitation = invite(alice, bruno.email, game="loa", now=NOON, rng=Random(1))
    assert bruno.email in desk.get(INVITATIONS).content.decode()
    assert desk.get(f"{INVITATIONS}{invitation.pk}/change/").status_code == 200
    erase(bruno, now=NOON)
    assert not Invitation.objects.exists()
