"""Players come, fall silent and speak again."""

from datetime import timedelta

import pytest

from pbem.players.models import Player
from pbem.players.services import check_name, fall_silent, register, speak_again
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING

pytestmark = pytest.mark.django_db


def sign_up(name: str = "Alice", email: str = "Alice@Example.org") -> Player:
    return register(name=name, email=email, language="en", now=MORNING)


def test_who_registers_is_believed_from_his_address_in_any_case() -> None:
    alice = sign_up()
    assert alice.email == "alice@example.org"
    assert alice.writes_from("ALICE@example.org")
    assert Player.objects.writing_from("Alice@Example.Org").get() == alice
    assert alice.created_at == MORNING


def test_a_name_is_taken_once() -> None:
    sign_up()
    with pytest.raises(Refused) as refusal:
        sign_up("alice", "other@example.org")
    assert refusal.value.code == Code.NAME_TAKEN
    assert Player.objects.people().count() == 1


def test_a_mailbox_may_have_several_players() -> None:
    alice = sign_up()
    anna = sign_up("Anna", "alice@EXAMPLE.org")
    assert set(Player.objects.writing_from("alice@example.org")) == {alice, anna}


@pytest.mark.parametrize("name", ["Al", "Anna-Maria", "O'Neill", "Zoë", "X.Y", "Ñandú99", "a" * 24])
def test_good_names(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize(
    "name", ["", "A", "7up", "-a", "two words", "a@b", "a" * 25, "a\nb", "a\tb", "Anna\u200b", "<b>", "_x"]
)
def test_bad_names(name: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_name(name)
    assert refusal.value.code == Code.BAD_NAME


def test_silence_begins_once_and_ends() -> None:
    alice = sign_up()
    fall_silent(alice, now=MORNING)
    fall_silent(alice, now=MORNING + timedelta(days=1))
    alice.refresh_from_db()
    assert alice.silent_since == MORNING
    speak_again(alice)
    alice.refresh_from_db()
    assert alice.silent_since is None
