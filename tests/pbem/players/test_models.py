"""Who can be found, by what, and where their letters go."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError

from games.protocol import Notation
from pbem.players.models import Address, Player, check_zone
from pbem.players.services import fall_silent, register
from tests.mail_fixtures import MORNING

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return register(name="Anna", email="anna@example.org", language="it", now=MORNING)


def test_letters_go_to_the_address_that_was_verified_first(anna: Player) -> None:
    Address.objects.create(player=anna, email="new@example.org", verified_at=MORNING + timedelta(days=1))
    Address.objects.create(player=anna, email="unverified@example.org")
    assert anna.email == "anna@example.org"
    assert anna.writes_from("new@example.org")


def test_an_unverified_address_is_nobodys(anna: Player) -> None:
    Address.objects.update(verified_at=None)
    assert anna.email == ""
    assert not anna.writes_from("anna@example.org")
    assert not Player.objects.writing_from("anna@example.org").exists()
    assert not Player.objects.reachable().exists()


def test_names_are_found_in_any_case(anna: Player) -> None:
    assert Player.objects.called(" ANNA ") == anna
    assert Player.objects.called("Ann") is None


def test_names_that_look_alike(anna: Player) -> None:
    register(name="Anja", email="anja@example.org", language="en", now=MORNING)
    register(name="Zoe", email="zoe@example.org", language="en", now=MORNING)
    assert set(Player.objects.near("ana")) == {"Anna", "Anja"}
    assert Player.objects.near("") == ()
    assert Player.objects.near("anna@example.org") == ()


def test_whoever_is_silent_or_suspended_cannot_be_reached(anna: Player) -> None:
    assert list(Player.objects.reachable()) == [anna]
    fall_silent(anna, now=MORNING)
    assert not Player.objects.reachable().exists()
    Player.objects.update(silent_since=None, suspended_at=MORNING)
    assert not Player.objects.reachable().exists()


def test_two_addresses_do_not_make_two_players(anna: Player) -> None:
    Address.objects.create(player=anna, email="new@example.org", verified_at=MORNING)
    assert Player.objects.reachable().count() == 1


def test_addresses_are_kept_in_lower_case(anna: Player) -> None:
    address = Address(player=anna, email="Anna@Home.Example")
    address.full_clean()
    assert address.email == "anna@home.example"


def test_a_player_reads_in_his_language_and_coordinates(anna: Player) -> None:
    anna.coordinates = Player.Coordinates.GIPF
    assert anna.notation == Notation("it", "gipf")


def test_a_time_zone_must_exist() -> None:
    check_zone("Europe/Rome")
    with pytest.raises(ValidationError):
        check_zone("Europe/Atlantis")


def test_a_choice_of_no_receipts_is_kept_and_the_old_default_becomes_the_new_one() -> None:
    for name, receipts in (("Alice", True), ("Bruno", False)):
        Player.objects.create(name=name, receipts=receipts)
    migration = import_module("pbem.players.migrations.0003_receipts_of_newcomers")
    migration.forget_the_default(apps, None)
    assert dict(Player.objects.people().values_list("name", "receipts")) == {"Alice": None, "Bruno": False}
