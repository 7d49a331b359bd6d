"""Who may do what: the postmaster reads letters as they came, the organiser suspends, and a reader only looks."""

import re

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.test import Client

from pbem.admin.models import AuditEntry
from pbem.admin.people.groups import EVERYBODY, GROUPS
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address, Player


@pytest.fixture(params=list(GROUPS))
def group(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def colleague(db: None, group: str) -> Client:
    """Somebody of this group, at the desk."""
    user = User.objects.create_user("carla", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    browser = Client()
    browser.force_login(user)
    return browser


@pytest.mark.parametrize("group", list(GROUPS))
def test_every_permission_of_the_table_is_known_and_given(db: None, group: str) -> None:
    wanted = set(f"{EVERYBODY} {GROUPS[group]}".split())
    given = Group.objects.get(name=group).permissions.values_list("content_type__app_label", "codename")
    assert {f"{app}.{codename}" for app, codename in given} == wanted


def test_the_table_stands_again_after_every_migration(db: None) -> None:
    group = Group.objects.get(name="read-only")
    group.permissions.add(Permission.objects.get(codename="change_player"))
    call_command("migrate", verbosity=0)
    assert not group.permissions.filter(codename="change_player").exists()


def test_everybody_looks_at_every_list_and_nobody_of_them_at_accounts(
    colleague: Client, match: Match, refused_letter: InboundMail, turn_letter: OutboundMail
) -> None:
    front = colleague.get("/admin/").content.decode()
    for where in (
        "players/player",
        "matches/match",
        "inbox/inboundmail",
        "outbox/outboundmail",
        "desk/auditentry",
    ):
        assert f'href="/admin/{where}/"' in front
        assert colleague.get(f"/admin/{where}/").status_code == 200
    assert colleague.get("/admin/auth/user/").status_code == 403
    assert "auth/user" not in front
    for row, where in ((match, "matches/match"), (refused_letter, "inbox/inboundmail")):
        assert colleague.get(f"/admin/{where}/{row.pk}/change/").status_code == 200


def test_letters_as_they_came_are_the_postmasters(
    colleague: Client, group: str, refused_letter: InboundMail
) -> None:
    page = f"/admin/inbox/inboundmail/{refused_letter.pk}/"
    html = colleague.get(f"{page}change/").content.decode()
    reads = group == "postmaster"
    assert ("Hm, 5." in html) == reads
    assert ("press/open-again" in html) == reads
    assert colleague.post(f"{page}press/open-again/").status_code == (302 if reads else 403)


def test_reply_addresses_are_the_postmasters(
    colleague: Client, group: str, turn_letter: OutboundMail
) -> None:
    html = colleague.get(f"/admin/outbox/outboundmail/{turn_letter.pk}/change/").content.decode()
    assert "b1-b3" in html
    letter = re.sub(r"data:image/png;base64,[\w+/=]+", "", html.partition("srcdoc")[2])
    assert bool(re.search("[a-z2-7]{32}", letter)) == (group == "postmaster")


def test_players_are_the_organisers_and_their_addresses_both_theirs(
    colleague: Client, group: str, gone: Address, alice: Player
) -> None:
    page = f"/admin/players/player/{gone.player_id}/"
    html = colleague.get(f"{page}change/").content.decode()
    organises, sends = group == "organiser", group != "read-only"
    assert (f"{page}press/suspend/" in html) == organises
    assert (f"{page}press/probe-{gone.pk}/" in html) == sends
    assert colleague.post(f"{page}press/suspend/", {"reason": "so"}).status_code == (
        302 if organises else 403
    )
    assert colleague.post(f"{page}press/probe-{gone.pk}/").status_code == (302 if sends else 403)
    assert colleague.get("/admin/players/player/add/").status_code == (200 if organises else 403)
    assert AuditEntry.objects.filter(who="carla").count() == organises + sends
