"""The audit: every verb leaves who, when, why, and the row before and after; nobody rewrites it."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.models import AuditEntry
from pbem.admin.people.players import PlayerAdmin
from pbem.matches.models import Match
from pbem.players.models import Address, Player
from pbem.refusals import Code, Refused, sentence

PLAYERS = "/admin/players/player/"


@pytest.fixture
def entry(db: None) -> AuditEntry:
    return AuditEntry.objects.create(
        happened_at=timezone.now(), who="olga", verb="suspend", said="Suspend", kind="players.player", row=7
    )


def test_what_was_done_is_neither_changed_nor_deleted(entry: AuditEntry, desk: Client) -> None:
    entry.reason = "another"
    for rewrite in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(who="nobody"),
    ):
        with pytest.raises(TypeError, match="stays written"):
            rewrite()
    where = f"/admin/desk/auditentry/{entry.pk}"
    assert desk.post(f"{where}/change/", {"who": "nobody"}).status_code == 403
    assert desk.post(f"{where}/delete/", {"post": "yes"}).status_code == 403
    assert desk.get("/admin/desk/auditentry/add/").status_code == 403
    assert AuditEntry.objects.get().reason == ""


@pytest.mark.prove
def test_a_form_leaves_what_it_changed(desk: Client, alice: Player) -> None:
    address = alice.addresses.get()
    form = {
        "name": "Alice",
        "language": "it",
        "zone": "Europe/Rome",
        "coordinates": "seed",
        "addresses-TOTAL_FORMS": "1",
        "addresses-INITIAL_FORMS": "1",
        "addresses-0-id": str(address.pk),
        "addresses-0-player": str(alice.pk),
        "addresses-0-email": "alice@example.org",
    }
    page = f"{PLAYERS}{alice.pk}/change/"
    assert desk.post(page, form | dict.fromkeys(_switches(alice), "on")).status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.who, entry.verb, entry.kind, entry.row) == ("olga", "change", "players.player", alice.pk)
    assert (entry.before["language"], entry.after["language"]) == ("en", "it")
    assert entry.before["addresses"][0]["verified_at"]
    assert entry.after["addresses"][0]["verified_at"] is None
    assert "name" not in entry.before
    shown = desk.get(f"/admin/desk/auditentry/{entry.pk}/change/").content.decode()
    assert "<del>en</del> <ins>it</ins>" in shown
    assert "<del>en</del> <ins>it</ins>" in desk.get(page).content.decode()
    assert desk.get("/admin/desk/auditentry/", {"q": "olga"}).content.decode().count("Alice") >= 1


def test_secrets_are_not_written_down(desk: Client, olga: User) -> None:
    password = {"password1": "a long way home", "password2": "a long way home"}
    assert (
        desk.post(
            "/admin/auth/user/add/", {"username": "paul", "usable_password": "true", **password}
        ).status_code
        == 302
    )
    paul = User.objects.get(username="paul")
    assert desk.post(f"/admin/auth/user/{paul.pk}/password/", password).status_code == 302
    added, changed = AuditEntry.objects.order_by("pk")
    assert added.after["username"] == "paul"
    assert "password" not in added.after
    assert (changed.verb, changed.before, changed.after) == ("change", {}, {})


def refuse(_pressed: ActionInput) -> None:
    Player.objects.update(name="Nobody")
    raise Refused(Code.NAME_TAKEN, name="Nobody")


def invalid(_pressed: ActionInput) -> None:
    raise ValidationError("not like this")


@pytest.mark.parametrize("reason", [True, False], ids=["asked", "at once"])
def test_what_a_service_refuses_is_not_done_and_the_page_says_why(
    desk: Client, alice: Player, monkeypatch: pytest.MonkeyPatch, reason: bool, language: str
) -> None:
    buttons = [
        AdminAction("rename", "Rename", "Renamed.", refuse, reason=reason),
        AdminAction("spoil", "Spoil", "Spoilt.", invalid, reason=reason),
    ]
    monkeypatch.setattr(PlayerAdmin, "buttons", lambda self, row: buttons)
    with override(language):
        name_taken = sentence(Code.NAME_TAKEN)
    for verb, said in (("rename", name_taken), ("spoil", "not like this")):
        response = desk.post(f"{PLAYERS}{alice.pk}/press/{verb}/", {"reason": "because"}, follow=True)
        assert said in response.content.decode()
    assert Player.objects.people().get().name == "Alice"
    assert not AuditEntry.objects.exists()


def test_every_page_with_buttons_shows_its_audit(desk: Client, match: Match, gone: Address) -> None:
    desk.post(f"/admin/matches/match/{match.pk}/press/new-addresses-1/")
    assert 'id="audit"' in desk.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert 'id="audit"' not in desk.get(f"{PLAYERS}{gone.player_id}/change/").content.decode()


def _switches(player: Player) -> list[str]:
    """Whose tick a form that is sent must repeat, or it takes it away."""
    return [
        field.name
        for field in Player._meta.concrete_fields
        if field.get_internal_type() == "BooleanField" and getattr(player, field.name)
    ]
