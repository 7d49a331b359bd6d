"""Players at the desk: adding one who is vouched for, inviting, suspending."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.admin.people import services
from pbem.competitions.tournaments import open_tournament
from pbem.outbox.delivery.bounces import count
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.players.models import Address, Player
from pbem.players.services import do_not_contact, register
from pbem.refusals import Code

ADD = "/admin/players/player/add/"
INVITE, INVITED = "/admin/players/player/invite/", "/admin/players/player/invited/"
LIST = "/admin/players/player/"


def wish(*addresses: tuple[str, bool], name: str = "Dora", **more: str) -> dict[str, str]:
    """What the form of a player sends; each address with its tick."""
    filled = {
        "name": name,
        "language": "it",
        "zone": "Europe/Rome",
        "coordinates": "gipf",
        "addresses-TOTAL_FORMS": str(len(addresses)),
        "addresses-INITIAL_FORMS": "0",
    }
    for number, (email, ticked) in enumerate(addresses):
        filled[f"addresses-{number}-email"] = email
        filled |= {f"addresses-{number}-verified": "on"} if ticked else {}
    return filled | more


def test_a_player_is_found_by_name_and_by_address(desk: Client, alice: Player, bruno: Player) -> None:
    for asked in ("alic", "alice@example"):
        html = desk.get(LIST, {"q": asked}).content.decode()
        assert "alice@example.org" in html
        assert "bruno@example.it" not in html


def test_a_player_is_found_without_the_accents_of_the_name(desk: Client) -> None:
    Player.objects.create(name="Zoë")
    for word in ("zoe", "ZO", "Zoë"):
        assert [player.name for player in desk.get(LIST, {"q": word}).context["cl"].result_list] == ["Zoë"], (
            word
        )


def test_a_ticked_address_is_believed_another_is_not(desk: Client) -> None:
    assert desk.post(ADD, wish(("Dora@Example.org", True), ("dora@work.example", False))).status_code == 302
    dora = Player.objects.get(name="Dora")
    assert (dora.email, dora.coordinates) == ("dora@example.org", "gipf")
    assert dora.writes_from("dora@example.org")
    assert not dora.writes_from("dora@work.example")
    assert AuditEntry.objects.get().row == (dora.pk)


def test_taking_the_tick_away_takes_the_belief_away(desk: Client, alice: Player) -> None:
    address = alice.addresses.get()
    html = desk.get(f"/admin/players/player/{alice.pk}/change/").content.decode()
    assert 'id="id_addresses-0-verified" checked' in html
    change = wish(("alice@example.org", False), name="Alice") | {
        "addresses-INITIAL_FORMS": "1",
        "addresses-0-id": str(address.pk),
        "addresses-0-player": str(alice.pk),
    }
    assert desk.post(f"/admin/players/player/{alice.pk}/change/", change).status_code == 302
    assert alice.email == ""


def test_the_tick_at_first_sends_letters_elsewhere(desk: Client, alice: Player) -> None:
    work = Address.objects.create(player=alice, email="alice@work.example", verified_at=timezone.now())
    html = desk.get(f"/admin/players/player/{alice.pk}/change/").content.decode()
    assert 'id="id_addresses-0-first" checked' in html
    assert 'id="id_addresses-1-first" checked' not in html
    change = wish((alice.email, True), (work.email, True), name="Alice") | {
        "addresses-INITIAL_FORMS": "2",
        "addresses-0-id": str(alice.addresses.exclude(pk=work.pk).get().pk),
        "addresses-0-player": str(alice.pk),
        "addresses-0-first": "on",
        "addresses-1-id": str(work.pk),
        "addresses-1-player": str(alice.pk),
        "addresses-1-first": "on",
    }
    assert desk.post(f"/admin/players/player/{alice.pk}/change/", change).status_code == 302
    assert [address.email for address in alice.addresses.all()] == ["alice@work.example", "alice@example.org"]
    assert alice.email == "alice@work.example"


def test_saving_again_keeps_the_day_of_the_tick(desk: Client, alice: Player) -> None:
    address = alice.addresses.get()
    change = wish(("alice@example.org", True), name="Alice") | {
        "addresses-INITIAL_FORMS": "1",
        "addresses-0-id": str(address.pk),
        "addresses-0-player": str(alice.pk),
    }
    assert desk.post(f"/admin/players/player/{alice.pk}/change/", change).status_code == 302
    assert alice.addresses.get().verified_at == address.verified_at


@pytest.mark.parametrize(
    "kept", [(), ("alice@example.org",)], ids=["in the place of the old one", "beside it"]
)
def test_a_new_address_of_a_player_takes_three_days(
    desk: Client, alice: Player, kept: tuple[str, ...]
) -> None:
    """No tick goes round the letter to the old mailbox."""
    address = alice.addresses.get()
    change = wish(*((email, True) for email in (*kept, "alice@example.com")), name="Alice") | {
        "addresses-INITIAL_FORMS": "1",
        "addresses-0-id": str(address.pk),
        "addresses-0-player": str(alice.pk),
    }
    response = desk.post(f"/admin/players/player/{alice.pk}/change/", change)
    assert response.status_code == 200
    assert "“Cambia indirizzo”" in response.content.decode()
    assert [each.email for each in alice.addresses.all()] == ["alice@example.org"]


@pytest.mark.parametrize(
    ("name", "zone", "email"),
    [
        ("Dora Rossi", "Europe/Rome", "dora@example.org"),
        ("ALICE", "Europe/Rome", "dora@example.org"),
        ("Dora", "Europe/Atlantis", "dora@example.org"),
    ],
    ids=["two words", "a namesake", "no such zone"],
)
def test_what_cannot_be_is_said_in_the_form(
    desk: Client, alice: Player, name: str, zone: str, email: str
) -> None:
    response = desk.post(ADD, wish((email, True), name=name, zone=zone))
    assert response.status_code == 200
    assert response.context["errors"]
    assert Player.objects.people().get() == alice


def press(desk: Client, player: Player, verb: str, **answers: str) -> int:
    return desk.post(f"{LIST}{player.pk}/press/{verb}/", answers).status_code


def test_players_are_suspended_and_readmitted_for_a_reason(desk: Client, alice: Player) -> None:
    assert press(desk, alice, "suspend") == 200, "the form comes back: it wants a reason"
    assert not Player.objects.filter(suspended_at__isnull=False).exists()
    assert press(desk, alice, "suspend", reason="insults in match 12") == 302
    assert Player.objects.get(suspended_at__isnull=False) == alice
    assert press(desk, alice, "suspend", reason="again") == 404
    assert press(desk, alice, "readmit", reason="she said sorry") == 302
    assert not Player.objects.filter(suspended_at__isnull=False).exists()
    suspended, readmitted = AuditEntry.objects.order_by("pk")
    assert (suspended.who, suspended.verb, suspended.reason) == ("olga", "suspend", "insults in match 12")
    assert suspended.before == {"suspended_at": None}
    assert readmitted.before == suspended.after
    assert "insults in match 12" in desk.get(f"{LIST}{alice.pk}/change/").content.decode()


def test_who_is_suspended_already_stays_so_since_then(alice: Player) -> None:
    first = timezone.now()
    services.suspend(alice, now=first)
    services.suspend(alice, now=timezone.now())
    alice.refresh_from_db()
    assert alice.suspended_at == first


@pytest.mark.parametrize("read", ["en", "it"])
def test_an_invitation_is_written_in_the_language_of_its_reader(desk: Client, read: str) -> None:
    assert f'href="{INVITE}"' in desk.get(LIST).content.decode()
    assert 'name="note"' in desk.get(INVITE).content.decode()
    response = desk.post(INVITE, {"email": "Dora@example.org", "language": read, "note": "We <miss> you."})
    letter = OutboundMail.objects.get()
    assert response.headers["location"] == INVITED
    assert "dora@example.org" in desk.get(INVITED).content.decode()
    assert (letter.address, letter.language, letter.kind) == ("dora@example.org", read, "invitation")
    composed = compose(letter)
    assert "Olga" in composed.text
    assert "We <miss> you." in composed.text
    assert "We &lt;miss&gt; you." in composed.html
    assert AuditEntry.objects.get().row == (letter.pk)


@pytest.mark.parametrize("email", ["ALICE@example.org", "dora@example.org", "dora"])
def test_players_and_the_invited_are_not_invited_again(desk: Client, alice: Player, email: str) -> None:
    services.invite(email="dora@example.org", language="en", host="Olga", now=timezone.now())
    response = desk.post(INVITE, {"email": email, "language": "en", "note": ""})
    assert list(response.context["adminform"].errors) == ["email"]
    assert OutboundMail.objects.count() == 1


LIST_OF_PEOPLE = """Dora Rossi <dora@example.org>
emil@example.org, DORA@example.org
alice@example.org
fulvia@example.org;gino@example.org
"""


def test_a_list_of_people_is_invited_and_followed(
    desk: Client, alice: Player, django_assert_max_num_queries: Any
) -> None:
    """Anyone who cannot be written to is told, and keeps nobody else from being invited."""
    page = desk.post(
        INVITE, {"email": LIST_OF_PEOPLE, "language": "it", "note": ""}, follow=True
    ).content.decode()
    letters = {letter.address: letter for letter in OutboundMail.objects.all()}
    assert sorted(letters) == [f"{name}@example.org" for name in ("dora", "emil", "fulvia", "gino")]
    assert "4 inviti" in page
    assert "alice@example.org: Questo indirizzo è già di un giocatore." in page
    dora = register(name="Dora", email="dora@example.org", language="it", now=timezone.now())
    cup = open_tournament("Coppa d'autunno", game="loa", now=timezone.now())
    cup.enter([dora])
    register(name="Emil", email="emil@example.org", language="it", now=timezone.now())
    count(letters["fulvia@example.org"], Code.HARD, now=timezone.now(), reply="550 No such user")
    do_not_contact("gino@example.org", now=timezone.now())
    with django_assert_max_num_queries(12):
        html = desk.get(INVITED).content.decode()
    rows = re.findall(r"<tr><td class=.desk-when.>.*?</tr>", html)
    told = [re.sub(r"<.*?>|\s+", " ", row) for row in rows]
    for name, state in (
        ("dora", "gioca in un torneo"),
        ("emil", "iscritto"),
        ("fulvia", "tornata indietro"),
        ("gino", "non vuole lettere"),
    ):
        [row] = [row for row in told if f"{name}@example.org" in row]
        assert state in row
    assert "Coppa d&#x27;autunno" in html


def test_who_does_not_answer_is_called_silent(desk: Client) -> None:
    with time_machine.travel(timezone.now() - timedelta(days=15), tick=False):
        desk.post(INVITE, {"email": "hugo@example.org", "language": "it", "note": ""})
    desk.post(INVITE, {"email": "ida@example.org", "language": "it", "note": ""})
    html = desk.get(INVITED).content.decode()
    assert html.index("ida@example.org") < html.index("hugo@example.org")
    assert "nessuna risposta" in html
    assert "<td>invitato</td>" in html


def test_nobody_is_deleted_at_the_desk(desk: Client, alice: Player) -> None:
    assert desk.post(f"/admin/players/player/{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Address.objects.filter(player=alice).exists()


def test_charlie_sees_invites_and_suspends_nobody(charlie: Client, alice: Player) -> None:
    assert charlie.get(LIST).status_code == 403
    assert charlie.get(f"/admin/players/player/{alice.pk}/change/").status_code == 403
    assert charlie.post(INVITE, {"email": "dora@example.org", "language": "en"}).status_code == 403
    assert press(charlie, alice, "suspend", reason="because") == 403
    alice.refresh_from_db()
    assert alice.suspended_at is None
    assert not OutboundMail.objects.exists()


def test_a_long_list_asks_few_questions(desk: Client, django_assert_max_num_queries: object) -> None:
    for number in range(40):
        player = Player.objects.create(name=f"Player{number}")
        Address.objects.create(player=player, email=f"{number}@example.org", verified_at=timezone.now())
    with django_assert_max_num_queries(7):  # type: ignore[operator]
        html = desk.get(LIST).content.decode()
    assert "39@example.org" in html
