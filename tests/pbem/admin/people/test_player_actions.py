"""Two players made one, a player's own data in an archive, a player erased, a letter from the organiser."""

import json
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.admin.people.services import merge
from pbem.inbox.models import InboundMail, RateLimitSlot
from pbem.matches.models import Match, Turn
from pbem.matches.notes import write_note
from pbem.matches.services import resign
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.players.models import Absence, Address, AddressChange, OrganiserNote, Player
from pbem.players.services import register

PLAYERS = "/admin/players/player/"
NOW = timezone.now()


def press(desk: Client, player: Player, verb: str, **answers: object) -> int:
    return desk.post(f"{PLAYERS}{player.pk}/press/{verb}/", answers).status_code


@pytest.fixture
def double(db: None) -> Player:
    """Alice signed up twice."""
    player = register(name="Alicia", email="alice@work.example", language="en", now=NOW)
    Address.objects.create(player=player, email="alice@example.org", verified_at=NOW)
    Absence.objects.create(player=player, since=NOW, until=NOW + (NOW - NOW.replace(hour=0)))
    return player


@pytest.fixture
def over(match: Match) -> Match:
    assert match.moving
    resign(match.moving, now=NOW)
    match.refresh_from_db()
    return match


def test_the_page_shows_reliability_matches_and_letters(desk: Client, match: Match, bruno: Player) -> None:
    html = desk.get(f"{PLAYERS}{bruno.pk}/change/").content.decode()
    assert 'id="reliability"' in html
    assert f"[{match.pk}] Lines of Action" in html
    for letter in bruno.letters.all():
        assert f"/admin/outbox/outboundmail/{letter.pk}/change/" in html


def test_two_become_one(desk: Client, match: Match, alice: Player, double: Player) -> None:
    assert press(desk, double, "merge", other=alice.pk, reason="she forgot") == 302
    assert [player.name for player in Player.objects.people().order_by("name")] == ["Alicia", "Bruno"]
    assert Match.objects.of(double).get() == match
    assert sorted(double.addresses.values_list("email", flat=True)) == [
        "alice@example.org",
        "alice@work.example",
    ]
    assert double.letters.count() > 1
    assert double.absences.count() == 1
    entry = AuditEntry.objects.get()
    assert (entry.verb, entry.reason, entry.after["other"]) == ("merge", "she forgot", "Alice")


def test_who_plays_each_other_is_two(desk: Client, match: Match, alice: Player, bruno: Player) -> None:
    for other in (alice, bruno):
        with pytest.raises(ValidationError):
            merge(alice, other, now=NOW)
    assert press(desk, alice, "merge", other=bruno.pk, reason="so") == 200
    assert Player.objects.people().count() == 2
    assert not AuditEntry.objects.exists()


def test_the_archive_has_all_that_is_kept(
    desk: Client, over: Match, refused_letter: InboundMail, alice: Player, bruno: Player
) -> None:
    for seat, text in zip(over.seated, ("Mine alone.", "His alone."), strict=True):
        write_note(seat, text, now=NOW)
    response = desk.post(f"{PLAYERS}{alice.pk}/press/export/")
    folder = ZipFile(BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    about = json.loads(folder.read("player.json"))
    assert about["player"]["name"] == "Alice"
    assert about["addresses"][0]["email"] == "alice@example.org"
    assert [said["message"] for said in about["said_with_moves"]] == ["<b>Ciao</b> Bruno!"]
    assert [note["text"] for note in about["notes"]] == ["Mine alone."]
    assert json.loads(folder.read(f"matches/{over.pk}.json"))["moves"][0] == "b1-b3"
    assert b"Hm, 5." in folder.read(f"letters/in/{refused_letter.pk}.eml")
    assert "bruno@example.it" not in folder.read("player.json").decode()
    assert AuditEntry.objects.get().verb == "export"


def test_nobody_is_erased_while_a_match_goes_on(desk: Client, match: Match, alice: Player) -> None:
    response = desk.post(f"{PLAYERS}{alice.pk}/press/erase/", {"reason": "she asks"})
    assert response.status_code == 200
    assert f"{match.pk}" in str(response.context["adminform"].form.non_field_errors())
    assert Player.objects.filter(name="Alice").exists()


@pytest.mark.prove
def test_who_is_erased_leaves_moves_alone(
    desk: Client, gone: Address, over: Match, refused_letter: InboundMail, alice: Player, bruno: Player
) -> None:
    answer = f"/admin/inbox/inboundmail/{refused_letter.pk}/press/answer/"
    assert desk.post(answer, {"text": "Dear Alice, no."}).status_code == 302
    press(desk, alice, "suspend", reason="Alice was rude")
    for cap, whom in (("answers", "alice@example.org"), ("code", "alice@example.org P06")):
        RateLimitSlot.objects.create(cap=cap, whom=whom, day=NOW.date(), number=1)
    assert press(desk, alice, "erase", reason="asked by letter") == 302
    assert not RateLimitSlot.objects.filter(whom__contains="@").exists()
    alice.refresh_from_db()
    assert alice.name == f"erased-{alice.pk}"
    assert not alice.addresses.exists()
    assert not InboundMail.objects.filter(player=alice).exists()
    assert not OutboundMail.objects.filter(address="alice@example.org").exists()
    assert list(Turn.objects.values_list("move", flat=True)) == ["b1-b3", "a2-c2", "b8-b6", "h7-f7"]
    assert not Turn.objects.filter(side=0).exclude(message="").exists()
    answered, suspended, erased = AuditEntry.objects.order_by("pk")
    assert (answered.verb, answered.after, answered.named) == ("answer", {}, "")
    assert (suspended.verb, suspended.reason, suspended.before, suspended.named) == ("suspend", "", {}, "")
    assert (erased.reason, erased.before, erased.named) == ("asked by letter", {}, alice.name)
    assert bruno.letters.exists()
    assert BouncedMail.objects.filter(letter__player=bruno).count() == 2
    for letter in bruno.letters.filter(match=over):
        composed = compose(letter)
        assert "Alice" not in composed.text + letter.text
    assert desk.get(f"/admin/matches/match/{over.pk}/change/").status_code == 200
    assert desk.get(f"{PLAYERS}{alice.pk}/change/").status_code == 200


def test_a_mailbox_that_a_family_shares_stays_with_the_others(
    desk: Client, arrived: Callable[[bytes], InboundMail], alice: Player
) -> None:
    aldo = register(name="Aldo", email="alice@example.org", language="it", now=NOW)
    theirs = arrived(b"HELP\r\n")
    InboundMail.objects.filter(pk=theirs.pk).update(player=aldo)
    assert press(desk, alice, "erase", reason="asked") == 302
    assert InboundMail.objects.filter(pk=theirs.pk).exists()
    assert aldo.addresses.exists()


def test_the_organiser_writes_to_a_player(desk: Client, bruno: Player) -> None:
    assert press(desk, bruno, "write", text="") == 200
    assert press(desk, bruno, "write", text="Dear Bruno,\n\nyour clock is right.") == 302
    letter = bruno.letters.get()
    assert "your clock is right." in compose(letter).text
    assert AuditEntry.objects.get().after["text"].startswith("Dear Bruno")


def test_a_name_for_print_is_asked_for_and_notes_are_kept(desk: Client, bruno: Player) -> None:
    def press(verb: str, **sent: str) -> None:
        where = reverse("admin:players_player_press", args=[bruno.pk, verb])
        assert desk.post(where, sent).status_code == 302

    page = reverse("admin:players_player_change", args=[bruno.pk])
    press("print-name", name="Bruno Bianchi")
    assert bruno.letters.get(kind="print_asks").sections[0]["name"] == "Bruno Bianchi"
    assert "non ancora consentito" in desk.get(page).content.decode()
    press("note", text="Non gioca d'agosto.")
    assert "Non gioca d&#x27;agosto." in desk.get(page).content.decode()
    press("note", text=" ")
    assert not OrganiserNote.objects.exists()


def test_the_address_of_somebody_who_cannot_read_the_old_one(
    desk: Client, match: Match, alice: Player
) -> None:
    form = desk.get(f"{PLAYERS}{alice.pk}/press/change-address/").content.decode()
    assert "Per chi non può più leggere la vecchia casella" in form
    assert press(desk, alice, "change-address", email="alice@new.example", reason="") == 200
    assert press(desk, alice, "change-address", email="alice@example.org", reason="lost") == 200
    assert not AddressChange.objects.exists()
    assert press(desk, alice, "change-address", email="Alice@new.example", reason="lost her telephone") == 302
    change = AddressChange.objects.get()
    assert (change.email, change.by_organiser, change.confirmed_at) == ("alice@new.example", True, None)
    letters = OutboundMail.objects.filter(kind="new_address")
    assert sorted(letter.address for letter in letters) == ["alice@example.org", "alice@new.example"]
    assert not any("lost her telephone" in compose(letter).text for letter in letters)
    entry = AuditEntry.objects.get()
    assert (entry.who, entry.verb, entry.reason) == ("olga", "change-address", "lost her telephone")
    assert entry.after["email"] == "Alice@new.example"
    page = desk.get(f"{PLAYERS}{alice.pk}/change/").content.decode()
    assert "Ferma il cambio in alice@new.example" in page
    assert press(desk, alice, f"stop-change-{change.pk}", reason="it was not her") == 302
    assert AddressChange.objects.get().cancelled
    assert AuditEntry.objects.latest("pk").reason == "it was not her"
    assert press(desk, alice, f"stop-change-{change.pk}", reason="again") == 404


def test_no_address_is_changed_of_somebody_suspended(desk: Client, alice: Player) -> None:
    press(desk, alice, "suspend", reason="rude")
    assert press(desk, alice, "change-address", email="alice@new.example", reason="lost") == 404


def test_who_may_only_look_changes_no_address(charlie: Client, alice: Player) -> None:
    assert press(charlie, alice, "change-address", email="alice@new.example", reason="lost") == 403
