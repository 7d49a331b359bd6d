"""Abuse is brought to the organiser, and to nobody else."""

from __future__ import annotations

import pytest

from pbem.inbox.models import PersonalMessage
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent


def waiting() -> PersonalMessage:
    return PersonalMessage.objects.latest("pk")


def any_move() -> str:
    return str(next(Match.objects.get().current().moves()))


def test_a_report_waits_at_the_desk_with_the_words_of_the_other_and_never_reaches_them(
    alice: Correspondent, bruno: Correspondent, loa: Match
) -> None:
    alice.writes(f"MOVE {loa.pk} b1-b3")
    bruno.answers(bruno.letter, f"{any_move()}\nYou are a fool!")
    bruno.reads()
    report = "REPORT He insults me.\nThis is the third time."
    assert alice.answers(alice.letter, f"{any_move()}\n{report}").verdict == "ok"
    assert (waiting().player, waiting().subject, waiting().doubted) == (alice.player, "REPORT Bruno", False)
    assert str(loa) in waiting().text
    assert "He insults me.\nThis is the third time.\n\nBruno:\n> You are a fool!" in waiting().text
    [turn] = bruno.reads()
    heard = turn.text
    assert "insults" not in heard
    assert "third time" not in heard
    told = "".join(" ".join(letter.text.split()) for letter in alice.letters)
    assert "BLOCK Bruno stops this player's challenges and messages." in told


def test_a_player_is_reported_by_name(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent, loa: Match
) -> None:
    charlie.writes("MESSAGE Bruno: sei un imbroglione")
    assert bruno.writes("SEGNALO Charlie mi insulta").verdict == "ok"
    assert (waiting().subject, waiting().text) == (
        "REPORT Charlie",
        "mi insulta\n\nCharlie:\n> sei un imbroglione",
    )
    assert charlie.kinds() == ["passed_on"]
    assert bruno.writes(f"segnalo {loa.pk} bara").verdict == "ok"
    assert waiting().subject == "REPORT Alice"
    assert bruno.writes("SEGNALO Nessuno mi insulta").verdict == Code.NO_SUCH_PLAYER
    assert alice.kinds() == []


@pytest.mark.parametrize("dmarc", ["none", "fail"])
def test_nobody_reports_in_the_name_of_another(alice: Correspondent, loa: Match, dmarc: str) -> None:
    alice.writes(f"REPORT {loa.pk} he insults me", dmarc=dmarc)
    assert not PersonalMessage.objects.exists()
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert not waiting().doubted


def test_the_organiser_hears_only_so_much_in_a_day(alice: Correspondent, loa: Match) -> None:
    lines = "\n".join(f"REPORT {loa.pk} reason {number}" for number in range(CAPS["organiser"].most + 1))
    assert alice.writes(lines).verdict == Code.ENOUGH_FOR_ORGANISER
    assert PersonalMessage.objects.count() == 1


def test_words_to_the_organiser_are_asked_about_and_no_opponent_reads_them(
    alice: Correspondent, bruno: Correspondent, loa: Match
) -> None:
    bruno.reads()
    said = "Dear organiser, my opponent does not answer any more, what can I do?"
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert bruno.reads() == []
    assert f"REPORT {said}" in " ".join(alice.letter.text.split())
    assert alice.answers(alice.letter, "yes").verdict == "ok"
    assert "The organiser has your message" in alice.letter.text
    assert bruno.reads() == []


@pytest.mark.parametrize("move", ["b8-b6\n\n", "b8-b6. "])
def test_words_to_the_organiser_beside_a_move_wait_and_no_opponent_reads_them(
    alice: Correspondent, bruno: Correspondent, loa: Match, move: str
) -> None:
    bruno.reads()
    said = f"{move}Dear organiser, my opponent insults me.\nHe did it last week as well."
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "REPORT Dear organiser, my opponent insults me" in " ".join(alice.letter.text.split())
    assert alice.answers(alice.letter, "yes").verdict == "ok"
    assert [turn.move for turn in loa.turns.all()] == ["b8-b6"]
    assert "insults me" in waiting().text
    assert "last week" in waiting().text
    heard = "".join(letter.text for letter in bruno.reads())
    assert "b8-b6" in heard
    assert "insults" not in heard
    assert "last week" not in heard


def test_in_italian_too(alice: Correspondent, bruno: Correspondent, loa: Match) -> None:
    alice.answers(alice.letter, "b1-b3")
    alice.reads()
    said = "a2-c2\n\nGentile organizzatore, Alice mi insulta"
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "SEGNALO Gentile organizzatore, Alice mi insulta" in " ".join(bruno.letter.text.split())
    heard = "".join(letter.text for letter in alice.reads())
    assert "a2-c2" in heard
    assert "insulta" not in heard
