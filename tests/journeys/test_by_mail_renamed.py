"""SET NAME: another name, asked about, once in a while, and nobody's former one."""

from datetime import timedelta

import pytest

from pbem.admin.people.erasure import erase
from pbem.matches.models import Match
from pbem.players.models import FormerName, Player
from pbem.players.services import register
from pbem.refusals import Code, Refused
from tests.mail_fixtures import Correspondent, Post, registered


@pytest.fixture
def matteo(post: Post) -> Correspondent:
    return registered(post, "Matteo", "it")


def renamed(matteo: Correspondent, line: str, *, dmarc: str = "pass") -> Player:
    player = matteo.player
    matteo.writes(line, dmarc=dmarc)
    assert Player.objects.get(pk=player.pk).name == player.name, "not before the YES"
    assert matteo.answers(matteo.letter, "SÌ", dmarc=dmarc).verdict == Code.NO_MOVE_FOUND
    assert Player.objects.get(pk=player.pk).name == player.name, "not by a bare YES"
    matteo.answers(matteo.letter, "sì, nome", dmarc=dmarc)
    return Player.objects.get(pk=player.pk)


@pytest.mark.parametrize("line", ["IMPOSTA NOME Teo", "SET NAME Teo"])
def test_a_player_takes_another_name_after_a_yes(
    post: Post, matteo: Correspondent, dmarc: str, line: str
) -> None:
    anna = registered(post, "Anna", "it")
    anna.writes("SFIDA Matteo loa secondo")
    if dmarc == "none":
        anna.answers(anna.letter, "SÌ")
    matteo.answers(matteo.letter, "SÌ")
    assert "Matteo" in anna.letter.text
    assert renamed(matteo, line, dmarc=dmarc).name == "Teo"
    assert "Teo" in matteo.letter.text
    anna.writes(f"MOSTRA {Match.objects.get().pk}")
    assert "Teo" in anna.letter.text
    assert "Matteo" not in anna.letter.text
    [before] = FormerName.objects.all()
    assert (before.name, before.player) == ("Matteo", Player.objects.called("Teo"))


@pytest.mark.parametrize("line", ["Cambia il mio nome in Teo", "chiamami Teo d'ora in poi"])
def test_in_words_of_ones_own(matteo: Correspondent, line: str) -> None:
    assert renamed(matteo, line).name == "Teo"


def test_nobody_else_takes_a_name_that_was_given_up_and_its_owner_may_again(
    post: Post, matteo: Correspondent
) -> None:
    player = renamed(matteo, "IMPOSTA NOME Teo")
    for name in ("Matteo", "MATTEO", "Teo"):
        with pytest.raises(Refused) as refused:
            register(name=name, email="mallory@example.org", language="en", now=post.now)
        assert refused.value.code == Code.NAME_TAKEN
    post.wait(days=31)
    matteo.writes("IMPOSTA NOME Matteo")
    matteo.answers(matteo.letter, "SÌ NOME")
    player.refresh_from_db()
    assert player.name == "Matteo"
    assert FormerName.objects.get().name == "Teo"


def test_once_in_thirty_days(post: Post, matteo: Correspondent) -> None:
    renamed(matteo, "IMPOSTA NOME Teo")
    post.wait(days=29)
    matteo.writes("IMPOSTA NOME Tito")
    assert matteo.answers(matteo.letter, "SÌ NOME").verdict == Code.RENAMED_LATELY
    assert "trenta giorni" in " ".join(matteo.letter.text.split())
    post.wait(days=2)
    matteo.writes("IMPOSTA NOME Tito")
    assert matteo.answers(matteo.letter, "SÌ NOME").verdict == "ok"


@pytest.mark.parametrize(
    ("name", "code"), [("Anna", Code.NAME_TAKEN), ("admin", Code.NAME_TAKEN), ("X", Code.BAD_NAME)]
)
def test_only_free_names(post: Post, matteo: Correspondent, name: str, code: Code) -> None:
    registered(post, "Anna", "it")
    matteo.writes(f"IMPOSTA NOME {name}")
    assert matteo.answers(matteo.letter, "SÌ NOME").verdict == code
    assert matteo.player.name == "Matteo"


def test_a_no_changes_nothing_and_nobody_else_can(post: Post, matteo: Correspondent) -> None:
    matteo.writes("IMPOSTA NOME Teo")
    matteo.answers(matteo.letter, "no")
    assert matteo.player.name == "Matteo"
    mallory = Correspondent(post, "Mallory", "mallory@example.org")
    row = mallory.pens("IMPOSTA NOME Teo", headers={"From": matteo.email}, dmarc="fail")
    post.deliver(row, "play@pbem.localhost", mallory.email)
    assert matteo.player.name == "Matteo"
    assert not FormerName.objects.exists()


def test_the_names_of_an_erased_player_are_nobodys_and_cannot_be_read(
    post: Post, matteo: Correspondent
) -> None:
    player = renamed(matteo, "IMPOSTA NOME Teo")
    erase(player, now=post.now + timedelta(days=1))
    assert {(row.name, row.player) for row in FormerName.objects.all()} == {("", None)}
    for name in ("Teo", "Matteo"):
        with pytest.raises(Refused):
            register(name=name, email="mallory@example.org", language="en", now=post.now)


def test_the_welcome_and_help_name_it(post: Post) -> None:
    teo = Correspondent(post, "Matteo", "matteo@example.org")
    teo.writes("ISCRIVIMI Matteo")
    teo.answers(teo.letter, "sì")
    assert "IMPOSTA NOME" in teo.letter.text
    teo.writes("AIUTO IMPOSTA")
    assert "IMPOSTA NOME Teo" in teo.letter.text
