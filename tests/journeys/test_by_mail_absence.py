"""Players go away and come back, pause, and give each other time: by mail alone, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.matches import tasks as sweeping
from pbem.matches.models import Event, Match
from pbem.players.models import Absence
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post, registered

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
    post.live()
    sweeping.sweep_clocks(now=post.now)
    post.send()


@pytest.mark.prove
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
    assert "Alice è assente da martedì 5 maggio 2026 a sabato 9 maggio 2026." in told.text
    assert "Alice scrive:" in told.text
    assert "no net in the hills" in told.text
    assert charlie.letters == []
    post.wait(days=2)
    assert bruno.answers(told, "Buon viaggio!").verdict == "ok"  # said to Alice
    assert bruno.writes(f"MOSTRA {match.pk}").verdict == "ok"
    assert "Alice è assente fino a sabato 9 maggio 2026." in " ".join(bruno.letter.text.split())


def test_whoever_is_back_early_has_his_days_and_his_clock_back(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("AWAY TO 13 May")
    assert deadline(match) > MORNING + 12 * DAY
    post.wait(days=2)
    bruno.reads()
    assert alice.writes("BACK").verdict == "ok"
    assert "Welcome back: your absence from Monday 4 May 2026 has ended" in alice.letter.text
    assert "You have 28 days of absence left this year." in " ".join(alice.letter.text.split())
    assert deadline(match) == post.now + 3 * DAY
    assert bruno.kinds() == ["here_again"]
    assert alice.writes("BACK").verdict == Code.NOT_AWAY


def test_an_italian_goes_away_and_comes_back(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert bruno.writes("ASSENTE dal 3 al 20 agosto\nASSENTE domani").verdict == "ok"
    text = " ".join(bruno.letter.text.split())
    assert "Sei assente da lunedì 3 agosto 2026 a giovedì 20 agosto 2026." in text
    assert "Sei assente martedì 5 maggio 2026." in text
    assert "Quest'anno ti restano 11 giorni di assenza." in text
    assert alice.kinds() == ["away"]
    assert bruno.writes("RIENTRO 3 agosto").verdict == "ok"
    assert "La tua assenza da lunedì 3 agosto 2026 in poi è" in bruno.letter.text
    assert bruno.writes("ASSENZE").verdict == "ok"
    assert "• martedì 5 maggio 2026" in bruno.letter.text
    assert "agosto 2026" not in bruno.letter.text
    assert alice.kinds() == ["here_again"]


def test_an_absence_and_a_move_in_one_letter(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """The move is charged by the clock as the absence has left it, whichever comes first."""
    post.wait(days=1)
    assert alice.answers(alice.letter, "AWAY 6 May TO 7 May\nb1-b3\nHere you are.").verdict == "ok"
    assert deadline(match) == post.now + 3 * DAY
    post.wait(hours=1)
    assert bruno.answers(bruno.letter, "a2-c2\nASSENTE domani").verdict == "ok"
    assert deadline(match) == datetime(2026, 5, 7, 22, tzinfo=UTC) + 3 * DAY - timedelta(hours=12)
    found = Match.objects.get(pk=match.pk)
    assert found.ply == 2
    assert [seat.bank_left for seat in found.seated] == [3 * DAY, 3 * DAY]


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
        ("AWAY 1 May 2026", Code.BAD_ABSENCE),
        ("AWAY 9 May TO 5 May 2026", Code.BAD_ABSENCE),
        ("AWAY 1 June 2028 TO 3 June 2028", Code.BAD_ABSENCE),
        ("AWAY 5 May TO 5 June", Code.NO_DAYS_LEFT),
        ("AWAY 5 May TO 3 June", "ok"),
        ("BACK 3 August", Code.NOT_AWAY),
        ("PAUSE 61 days", Code.BAD_PAUSE),
        ("GIVE 31 days", Code.BAD_GIFT),
    ],
)
def test_what_cannot_be_had(match: Match, alice: Correspondent, line: str, verdict: str) -> None:
    assert alice.writes(line).verdict == verdict


def test_three_absences_may_lie_ahead_and_what_touches_is_one(match: Match, alice: Correspondent) -> None:
    for line in ("AWAY 1 June", "AWAY 3 June", "AWAY 5 June"):
        assert alice.writes(line).verdict == "ok"
    assert alice.writes("AWAY 9 June").verdict == Code.TOO_MANY_ABSENCES
    assert alice.writes("AWAY 2 June").verdict == "ok"
    assert [f"{a.since:%d} {a.until:%d}" for a in Absence.objects.order_by("since")] == ["31 03", "04 05"]


def test_an_event_without_absence_keeps_its_clocks_running(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin(alice, bruno, "loa first 3d/move no-absence")
    assert alice.writes("AWAY tomorrow").verdict == "ok"
    assert f"your clock never stops in: {match.pk}" in " ".join(alice.letter.text.split())
    assert deadline(match) == MORNING + 3 * DAY
    assert bruno.kinds() == []
    assert alice.writes("PAUSE 5 days").verdict == Code.NO_ABSENCE


def test_a_pause_by_agreement(post: Post, match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "PAUSA 10 giorni").verdict == "ok"
    assert "Hai proposto ad Alice una pausa di 10 giorni." in bruno.letter.text
    assert "would like this match to pause for 10 days" in " ".join(alice.letter.text.split())
    post.wait(days=1)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert Match.objects.get(pk=match.pk).deadline is None
    assert "You agree to the pause." in alice.letter.text
    assert "fino a ven 15 mag, 11:00 (fra 10 giorni)" in " ".join(bruno.letter.text.split())
    post.wait(days=1)
    assert alice.writes(f"{match.pk} b1-b3").verdict == "ok"
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
    assert alice.writes("PAUSE 4 days").verdict == Code.OFFER_STANDS
    assert alice.writes(f"NO {match.pk}").verdict == "ok"
    assert bruno.letter.kind == "denied"
    assert bruno.writes(f"ACCETTO {match.pk}").verdict == Code.OFFER_GONE


def test_a_match_that_is_not_being_played_has_no_time_to_spare(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    Match.objects.update(status=Match.Status.PROPOSED)
    assert alice.writes(f"PAUSE {match.pk} 5 days").verdict == Code.NOT_BEGUN
    assert alice.writes(f"GIVE {match.pk} 5 days").verdict == Code.NOT_BEGUN
    Match.objects.update(status=Match.Status.OVER)
    assert alice.writes(f"PAUSE {match.pk} 5 days").verdict == Code.MATCH_OVER
    assert bruno.kinds() == []


def test_time_that_is_given(match: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "CONCEDO 2 giorni").verdict == "ok"
    assert deadline(match) == MORNING + 5 * DAY
    assert "Bruno gives you" in alice.letter.text
    assert "Hai concesso ad Alice" in bruno.letter.text
    assert bruno.writes("GIVE 12 HOURS").verdict == "ok"
    assert deadline(match) == MORNING + 5.5 * DAY


def test_time_that_may_not_be_given(alice: Correspondent, bruno: Correspondent) -> None:
    match = begin(alice, bruno, "loa first 3d/move no-gifts")
    assert bruno.writes("GIVE 2 days").verdict == Code.NO_GIFTS
    assert deadline(match) == MORNING + 3 * DAY


def test_without_a_clock_there_is_no_time_to_pause_or_give(
    alice: Correspondent, bruno: Correspondent
) -> None:
    begin(alice, bruno, "loa first no clock")
    assert alice.writes("PAUSE 5 days").verdict == Code.NO_CLOCK
    assert alice.writes("GIVE 5 days").verdict == Code.NO_CLOCK


def test_a_day_is_taken_at_the_brink_and_both_hear_of_it(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.wait(days=2, hours=21)
    sweep(post)  # reminded as far as can be
    post.wait(hours=2, minutes=50)
    alice.reads()
    sweep(post)
    assert deadline(match) == MORNING + 4 * DAY
    taken = " ".join(alice.letter.text.split())
    assert "day_taken" in alice.kinds()
    assert "You have 29 days of absence left this year." in taken
    assert "Alice was nearly out of time" not in taken
    assert "è stato scalato automaticamente un giorno di assenza" in " ".join(bruno.letter.text.split())
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
        alice.writes(f"{match.pk} b1-b3")
    sweep(post)
    assert not Absence.objects.filter(kind="automatic").exists()
    assert deadline(match) == (post.now + 3 * DAY if why == "moved" else MORNING + 3 * DAY)


@pytest.mark.prove
def test_reminders_up_the_ladder(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """36 hours: half. 48: 24 hours are left. 57.6: 80%. 69: 3 hours are left."""
    said = []
    for hour in range(72):
        post.now = MORNING + timedelta(hours=hour)
        sweep(post)
        said += [(hour, letter.kind) for letter in alice.reads()]
    assert said == [(36, "reminder"), (48, "reminder"), (58, "reminder"), (69, "reminder")]
    assert bruno.reads() == []
    reminder = alice.letter
    assert reminder.text.startswith("Your turn · 3 hours left")
    assert "Deadline: Thu 7 May, 11:00 Rome time." in reminder.text
    assert "You have 30 days of absence left this year; one is used automatically" in " ".join(
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
    assert "Alice aspetta la tua mossa." in bruno.letter.text


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


OUTLOOK = {"Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All"}


def test_the_mail_program_of_who_is_away_is_heard_and_makes_nobody_absent(
    match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    away = "I am out of the office until 8 May 2026."
    assert alice.answers(alice.letter, away, headers=OUTLOOK).verdict == Code.AUTO_REPLY
    assert not Absence.objects.exists()
    assert bruno.kinds() == []


@pytest.mark.parametrize("subject", ["ASSENTE dal 3 al 14 agosto", "AWAY from 3 to 14 August"])
def test_the_subject_alone_is_no_automatic_answer(match: Match, bruno: Correspondent, subject: str) -> None:
    assert bruno.writes("", subject=subject).verdict == "ok"
    assert Absence.objects.count() == 1
    quiet = {"In-Reply-To": str(bruno.letter.message["Message-ID"])}
    assert bruno.writes("", subject=subject, headers=quiet).verdict == Code.AUTO_REPLY


@pytest.mark.parametrize(
    ("language", "said", "days"),
    [
        ("en", "I'm going to be away until friday, ok?", "from Monday 4 May 2026 to Friday 8 May 2026."),
        ("it", "sarò via dal 10 al 20 maggio!", "Da domenica 10 maggio 2026 a mercoledì 20 maggio 2026."),
    ],
)
def test_the_question_about_an_absence_says_the_days(post: Post, language: str, said: str, days: str) -> None:
    carla = registered(post, "Carla", language)
    assert carla.writes(said).verdict == Code.CONFIRM_NEEDED
    assert days in " ".join(carla.letter.text.split())
