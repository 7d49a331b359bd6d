"""Players go away and come back, pause, and give each other time: by mail alone, in both languages."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from pbem.matches import sweeping
from pbem.matches.models import Event, Match
from pbem.players.models import Absence
from tests.post import MORNING, Correspondent, Post

DAY = timedelta(days=1)


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    """Lines of Action at three days a move, Alice to move."""
    return begin(alice, bruno, "loa first 3d/move")


def begin(alice: Correspondent, bruno: Correspondent, game: str) -> Match:
    assert alice.writes(f"CHALLENGE Bruno {game}").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    alice.reads()
    bruno.reads()
    return Match.objects.latest("pk")


def deadline(match: Match) -> datetime:
    found = Match.objects.get(pk=match.pk).deadline
    assert found
    return found


def sweep(post: Post) -> None:
    sweeping.sweep(now=post.now)
    post.send()


def test_an_absence_rests_the_clocks_and_is_told(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    assert deadline(match) == MORNING + 3 * DAY
    assert alice.writes("AWAY 5 May TO 9 May: no net in the hills").verdict == "ok"
    answer = alice.letter.text
    assert "You are away from Tuesday 5 May 2026 to Saturday 9 May 2026." in answer
    assert "You have 25 days of absence left this year." in answer
    assert deadline(match) == MORNING + 8 * DAY
    told = bruno.letter
    assert (told.kind, bruno.kinds()) == ("away", ["away"])
    assert "Alice è via da martedì 5 maggio 2026 a sabato 9 maggio 2026." in told.text
    assert "Alice dice:" in told.text
    assert "no net in the hills" in told.text
    assert charlie.letters == []
    post.wait(days=2)
    assert bruno.answers(told, "Buon viaggio!").verdict == "P06"  # talk alone, as ever
    assert bruno.writes(f"MOSTRA {match.pk}").verdict == "ok"
    assert "Alice è via fino a sabato 9 maggio 2026." in " ".join(bruno.letter.text.split())


def test_whoever_is_back_early_has_his_days_and_his_clock_back(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("AWAY TO 13 May")
    assert deadline(match) > MORNING + 12 * DAY
    post.wait(days=2)
    bruno.reads()
    assert alice.writes("BACK").verdict == "ok"
    assert "You are here: your absence from Monday 4 May 2026 has ended" in alice.letter.text
    assert "You have 28 days of absence left this year." in " ".join(alice.letter.text.split())
    assert deadline(match) == post.now + 3 * DAY
    assert bruno.kinds() == ["here_again"]
    assert alice.writes("BACK").verdict == "K17"


def test_an_italian_goes_away_and_comes_back(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert bruno.writes("ASSENTE dal 3 al 20 agosto\nASSENTE domani").verdict == "ok"
    text = " ".join(bruno.letter.text.split())
    assert "Sei via da lunedì 3 agosto 2026 a giovedì 20 agosto 2026." in text
    assert "Sei via martedì 5 maggio 2026." in text
    assert "Quest'anno ti restano 11 giorni di assenza." in text
    assert alice.kinds() == ["away"]
    assert bruno.writes("TORNATO 3 agosto").verdict == "ok"
    assert "La tua assenza da lunedì 3 agosto 2026 in poi è" in bruno.letter.text
    assert bruno.writes("ASSENZE").verdict == "ok"
    assert "• martedì 5 maggio 2026" in bruno.letter.text
    assert "agosto 2026" not in bruno.letter.text
    assert alice.kinds() == ["here_again"]


def test_one_letter_to_each_opponent_however_many_matches(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    begin(alice, bruno, "loa second 10d")
    alice.writes("AWAY tomorrow")
    assert bruno.kinds() == ["away"]
    assert Event.objects.filter(kind="away").count() == 2


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("AWAY 1 May 2026", "K14"),
        ("AWAY 9 May TO 5 May 2026", "K14"),
        ("AWAY 1 June 2028 TO 3 June 2028", "K14"),
        ("AWAY 5 May TO 5 June", "K15"),
        ("AWAY 5 May TO 3 June", "ok"),
        ("BACK 3 August", "K17"),
        ("PAUSE 61 days", "K11"),
        ("GIVE 31 days", "K18"),
    ],
)
def test_what_cannot_be_had(match: Match, alice: Correspondent, line: str, verdict: str) -> None:
    assert alice.writes(line).verdict == verdict


def test_three_absences_may_lie_ahead_and_what_touches_is_one(match: Match, alice: Correspondent) -> None:
    for line in ("AWAY 1 June", "AWAY 3 June", "AWAY 5 June"):
        assert alice.writes(line).verdict == "ok"
    assert alice.writes("AWAY 9 June").verdict == "K16"
    assert alice.writes("AWAY 2 June").verdict == "ok"
    assert [f"{a.since:%d} {a.until:%d}" for a in Absence.objects.order_by("since")] == ["31 03", "04 05"]


def test_an_event_without_absence_keeps_its_clocks_running(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin(alice, bruno, "loa first 3d/move no-absence")
    assert alice.writes("AWAY tomorrow").verdict == "ok"
    assert f"your clock never stands still in: {match.pk}" in " ".join(alice.letter.text.split())
    assert deadline(match) == MORNING + 3 * DAY
    assert bruno.kinds() == []
    assert alice.writes("PAUSE 5 days").verdict == "K12"


def test_a_pause_by_agreement(post: Post, match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "PAUSA 10 giorni").verdict == "ok"
    assert "Hai chiesto a Alice una pausa di 10 giorni." in bruno.letter.text
    assert "would like this match to pause for 10 days" in " ".join(alice.letter.text.split())
    post.wait(days=1)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.get(pk=match.pk).deadline is None
    assert "You agree to the pause." in alice.letter.text
    assert "venerdì 15 maggio 2026, 11:00 (Europe/Rome)" in " ".join(bruno.letter.text.split())
    post.wait(days=1)
    assert alice.writes("b1-b3").verdict == "ok"
    assert Match.objects.get(pk=match.pk).deadline is None
    alice.reads()
    bruno.reads()
    post.wait(days=9)
    sweep(post)
    assert deadline(match) == post.now + 3 * DAY
    assert (alice.kinds(), bruno.kinds()) == (["goes_on"], ["goes_on"])


def test_a_pause_declined_and_one_withdrawn(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("PAUSE 10 days")
    assert bruno.answers(bruno.letter, "NO").verdict == "ok"
    assert alice.letter.kind == "denied"
    alice.writes(f"PAUSE {match.pk} 5 days")
    assert alice.writes("PAUSE 4 days").verdict == "K10"
    assert alice.writes(f"NO {match.pk}").verdict == "ok"
    assert bruno.letter.kind == "withdrawn"
    assert bruno.writes("ACCETTO").verdict == "G08"


def test_time_that_is_given(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "CONCEDO 2 giorni").verdict == "ok"
    assert deadline(match) == MORNING + 5 * DAY
    assert "Bruno gives you" in alice.letter.text
    assert "Hai concesso a Alice" in bruno.letter.text
    assert bruno.writes("GIVE 12 HOURS").verdict == "ok"
    assert deadline(match) == MORNING + 5.5 * DAY


def test_time_that_may_not_be_given(alice: Correspondent, bruno: Correspondent) -> None:
    match = begin(alice, bruno, "loa first 3d/move no-gifts")
    assert bruno.writes("GIVE 2 days").verdict == "K13"
    assert deadline(match) == MORNING + 3 * DAY


def test_without_a_clock_there_is_no_time_to_pause_or_give(
    alice: Correspondent, bruno: Correspondent
) -> None:
    begin(alice, bruno, "loa first")
    assert alice.writes("PAUSE 5 days").verdict == "K02"
    assert alice.writes("GIVE 5 days").verdict == "K02"


def test_a_day_is_taken_at_the_brink_and_both_hear_of_it(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.wait(days=2, hours=23, minutes=50)
    alice.reads()
    sweep(post)
    assert deadline(match) == MORNING + 4 * DAY
    taken = " ".join(alice.letter.text.split())
    assert "day_taken" in alice.kinds()
    assert "You have 29 days of absence left this year." in taken
    assert "a day of absence was taken" not in taken
    assert "è stato preso un giorno di assenza" in " ".join(bruno.letter.text.split())
    sweep(post)
    assert Absence.objects.get().kind == "automatic"


@pytest.mark.parametrize("why", ["player", "terms", "event", "nothing left", "moved"])
def test_no_day_is_taken(post: Post, alice: Correspondent, bruno: Correspondent, why: str) -> None:
    terms = {"terms": "no-automatic-absence", "event": "no-absence"}
    match = begin(alice, bruno, f"loa first 3d/move {terms.get(why, '')}")
    if why == "player":
        alice.writes("SET ABSENCE off")
    if why == "nothing left":
        alice.writes("AWAY 1 June TO 30 June")
    post.wait(days=2, hours=23, minutes=50)
    if why == "moved":
        alice.writes("b1-b3")
    sweep(post)
    assert not Absence.objects.filter(kind="automatic").exists()
    assert deadline(match) == (post.now + 3 * DAY if why == "moved" else MORNING + 3 * DAY)


def test_reminders_up_the_ladder(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """36 hours: half. 48: 24 hours are left. 57.6: 80 %. 69: 3 hours are left."""
    said = []
    for hour in range(72):
        post.now = MORNING + timedelta(hours=hour)
        sweep(post)
        said += [(hour, letter.kind) for letter in alice.reads()]
    assert said == [(36, "reminder"), (48, "reminder"), (58, "reminder"), (69, "reminder")]
    assert bruno.reads() == []
    reminder = alice.letter
    assert "your time is over on Thursday 7 May 2026, 11:00." in " ".join(reminder.text.split())
    assert "You have 30 days of absence left this year; one is taken by itself" in " ".join(
        reminder.text.split()
    )
    assert alice.answers(reminder, "b1-b3").verdict == "ok"


def test_whoever_has_moved_is_not_reminded_and_his_opponent_is_in_his_turn(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.wait(hours=35)
    alice.answers(alice.letter, "b1-b3")
    alice.reads()
    bruno.reads()
    post.wait(hours=35)
    sweep(post)
    assert (alice.reads(), bruno.reads()) == ([], [])
    post.wait(hours=1)
    sweep(post)
    assert bruno.kinds() == ["reminder"]
    assert "Tocca a te contro Alice, e il tuo tempo finisce" in bruno.letter.text


def test_fewer_reminders_and_none(post: Post, match: Match, alice: Correspondent) -> None:
    assert alice.writes("SET REMINDERS last").verdict == "ok"
    alice.reads()
    post.wait(hours=40)
    sweep(post)
    assert alice.reads() == []
    post.wait(hours=9)
    sweep(post)
    assert alice.kinds() == ["reminder"]
    assert alice.writes("IMPOSTA PROMEMORIA nessuno").verdict == "ok"
    alice.reads()
    post.wait(hours=21)
    sweep(post)
    assert alice.reads() == []
