"""Names that nobody may take, and names that look alike."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from pbem.inbox.commands.verbs import CONFIRMING, REFUSING, VERBS_OF
from pbem.players.models import FormerName, Player
from pbem.players.models.name import _sealed, look_of
from pbem.players.names import accented_skeleton, is_reserved, skeleton
from pbem.players.services import check_name, register
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING

RESERVED = [
    "erased-1",
    "Erased-99",
    "erased.7",
    "ERASED-I",
    "PBeM",
    "pbem",
    "Organiser",
    "organizer",
    "Organizzatore",
    "admin",
    "Administrator",
    "Adrnin",
    "postmaster",
    "moderator",
    "system",
    "Sistema",
    "Robot-1",
    "robot-9",
    "Robot-x",
    "ROBOT_2",
    "Robot1",
    "yes",
    "Yes",
    "no",
    "NO",
    "ok",
    "Sì",
    "SI'",
    "si",
    "accept",
    "confermo",
    "resign",
    "Abbandono",
    "draw",
    "challenge",
    "sfida",
    "propose",
    "preview",
    "nobody",
    "anybody",
    "аdmin",
    "0rganiser",
    "Аccept",
    "mailer-daemon",
]
FREE = [
    "Alice",
    "Bruno",
    "Dora",
    "Yesenia",
    "Nora",
    "Noemi",
    "Ali",
    "Silvio",
    "Roberta",
    "Robotham",
    "Pbemma",
    "Adminah",
    "Gemma",
    "Tutto",
    "Bianca",
    "Pol",
]


@pytest.mark.parametrize("name", RESERVED)
def test_reserved(name: str) -> None:
    assert is_reserved(name)


def test_no_word_that_means_something_is_a_name() -> None:
    words = {*CONFIRMING, *REFUSING, *VERBS_OF}
    assert [name for name in words if not (is_reserved(name) and is_reserved(name.upper()))] == []


@pytest.mark.parametrize("name", FREE)
def test_free(name: str) -> None:
    assert not is_reserved(name)


ALIKE = [
    ("Alice", "Аlice"),  # Cyrillic A
    ("Alice", "ALІCE"),  # Ukrainian I
    ("Alice", "AIice"),
    ("Alice", "A1ice"),
    ("Bruno", "Вruno"),
    ("Bruno", "Brun0"),
    ("Paul", "Ρaul"),  # Greek Rho
    ("Carmen", "Carrnen"),
    ("Bob", "Ｂｏｂ"),
    ("соса", "coca"),
    ("Alice", "Alíce"),
    ("Zoë", "zoe"),
    ("Elena", "ÈLENA"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_names_that_look_alike_are_one(first: str, second: str) -> None:
    assert skeleton(first) == skeleton(second)
    register(name=first, email="a@example.org", language="en", now=MORNING)
    with pytest.raises(Refused, match="name_taken"):
        register(name=second, email="b@example.org", language="en", now=MORNING)
    with pytest.raises(IntegrityError):  # the one who was asked in the same moment
        Player.objects.create(name=second, language="en", created_at=MORNING)


@pytest.mark.parametrize(
    ("one", "other"), [("たか", "たが"), ("Anna", "Ana"), ("Bruno", "Bruna"), ("Tom", "Tim")]
)
def test_names_that_do_not_look_alike_are_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.django_db
def test_in_one_moment_two_take_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    register(name="Alice", email="a@example.org", language="en", now=MORNING)
    monkeypatch.setattr("pbem.players.services.check_name", lambda name: None)  # both had looked before
    with pytest.raises(Refused, match="name_taken"):
        register(name="Аlice", email="b@example.org", language="en", now=MORNING)


@pytest.mark.django_db
@pytest.mark.parametrize("look", [look_of("Zoë"), _sealed(accented_skeleton("Zoë"))])
def test_a_name_that_somebody_had_is_nobodys_with_its_accents(look: str) -> None:
    """Looks of those who were erased before accents were left out cannot be made anew."""
    FormerName.objects.create(look=look)
    with pytest.raises(Refused, match="name_taken"):
        check_name("Zoë")


@pytest.mark.django_db
def test_those_who_look_alike_already_keep_their_names() -> None:
    """They had them before looks were compared: those of all but the oldest end in a number."""
    before = [Player(name=name, skeleton=look) for name, look in (("Alice", "allce"), ("Аlice", "allce#2"))]
    for player in before:
        player.save()
    looks = [Player.objects.get(pk=player.pk).skeleton for player in before]
    assert looks == ["allce", "allce#2"]
    for player in before:
        player = Player.objects.get(pk=player.pk)
        player.zone = "Europe/London"
        player.save()
        check_name("Bruna", bearer=player)
    assert [Player.objects.get(pk=player.pk).skeleton for player in before] == looks
    Player.objects.get(pk=before[0].pk).delete()
    with pytest.raises(Refused, match="name_taken"):  # two still look so
        check_name("Alice")
