"""Olga at the desk in English, Walter who may only look, and eight players."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from pbem.players.models import Player
from pbem.players.services import register
from tests.mail_fixtures import MORNING


@pytest.fixture
def desk(olga: User) -> Client:
    """In English."""
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(olga)
    return browser


@pytest.fixture
def watcher(db: None) -> Client:
    """Somebody who may only look."""
    user = User.objects.create_user("walter", is_staff=True)
    user.groups.add(Group.objects.get(name="read-only"))
    browser = Client(headers={"accept-language": "it"})
    browser.force_login(user)
    return browser


@pytest.fixture
def eight(alice: Player, bruno: Player) -> list[Player]:
    names = ("Dora", "Emil", "Fay", "Gino", "Hans", "Ida")
    return [
        alice,
        bruno,
        *(register(name=n, email=f"{n}@example.org", language="en", now=MORNING) for n in names),
    ]
