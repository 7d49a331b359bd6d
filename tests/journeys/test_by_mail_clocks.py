"""Reflection time by mail: agreed on in a challenge, told in every letter, charged by the calendar of each."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from icalendar import Calendar
from pytest_django import Settings

from pbem.inbox.models import LONGEST_KEEPING
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.clock import outages
from pbem.matches.clock.outages import beat, coming_back
from pbem.matches.clock.service import new_hours
from pbem.matches.models import Component, Heartbeat, Match, Outage
from pbem.outbox.delivery.smtp import DeliveryError
from pbem.outbox.models import OutboundMail
from pbem.players.models import Holiday
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post
from tests.returned_mail import comes_back

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def flat(letter: Delivery) -> str:
    return " ".join(letter.text.split())


def match() -> Match:
    return Match.objects.latest("pk")


def begin(alice: Correspondent, bruno: Correspondent, options: str) -> None:
    """Alice moves first, and both have read that it begins."""
    alice.writes(f"CHALLENGE Bruno loa first {options}")
    bruno.answers(bruno.letter, "SÌ")


def sweep(post: Post, moment: datetime) -> int:
    post.now = moment + LONGEST_KEEPING + timedelta.resolution
    post.live()
    flagged = flag_overdue(now=post.now)
    post.send()
    return flagged


def test_a_clock_is_challenged_accepted_and_told(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.writes("CHALLENGE Bruno loa first 10d+36h<=10d total=60d")
    assert "10 days to start, plus 1 day and 12 hours per move" in flat(alice.letter)
    assert "10 giorni all'inizio, 1 giorno e 12 ore in più per ogni mossa, e mai più di 10" in flat(
        bruno.letter
    )
    assert "Al massimo 60 giorni in tutta la partita. Chi esaurisce il tempo perde." in flat(bruno.letter)
    post.wait(days=1)
    bruno.answers(bruno.letter, "SÌ")
    assert "Your turn · 10 days left" in flat(alice.letter)
    assert "Deadline: Fri 15 May, 11:00 Rome time." in flat(alice.letter)
    assert "Bruno's time" not in flat(alice.letter)
    post.wait(days=3)
    alice.answers(alice.letter, "b1-b3")
    assert "Scadenza: lun 18 mag, 11:00." in flat(bruno.letter)
    assert "Tempo di Alice: 8 giorni e 12 ore." in flat(bruno.letter)
    assert "Your time: 8 days and 12 hours." in flat(alice.letter)
    assert charlie.letters == []


def test_the_clock_is_told_when_somebody_asks(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    begin(alice, bruno, "3g/mossa")
    post.wait(hours=30, minutes=15)
    alice.answers(alice.letter, "CLOCK")
    assert "It is your turn. Deadline: Thu 7 May, 11:00 Rome time (in 41 hours)." in flat(alice.letter)
    assert "Time left: you 1 day and 18 hours, Bruno 3 days." in flat(alice.letter)
    assert "What was agreed: 3 days per move." in flat(alice.letter)
    bruno.answers(bruno.letter, "OROLOGIO")
    assert "3 giorni per ogni mossa. Chi esaurisce il tempo perde. 3g/mossa" in flat(bruno.letter)
    begin(alice, bruno, "no-clock")
    bruno.writes("OROLOGIO")
    assert bruno.letter.subject == "I tuoi orologi"
    assert "Lines of Action: Tocca ad Alice. Scadenza di Alice: gio 7 mag" in flat(bruno.letter)
    assert bruno.letter.text.count("Tocca a") == 1
    bruno.writes(f"orologio {match().pk}")
    assert "In questa partita il tempo non è limitato per nessuno." in flat(bruno.letter)


def test_what_was_not_counted_is_told_and_hours_only_to_whom_they_belong(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """Her Tuesday is free and Wednesday a holiday; on Thursday the door was away for two hours, from noon."""
    player = alice.player
    player.free_weekdays, player.night_begins, player.night_ends = "1", time(22), time(7)
    player.save()
    Holiday.objects.create(day=date(2026, 5, 6))
    begin(alice, bruno, "3g/mossa")
    post.wait(days=3, hours=3)
    outages.write(post.now - 2 * HOUR, post.now, component=Component.DOOR, now=post.now)
    post.wait(hours=6)
    of_all = "outage 2 hours, messages on their way 1 hour and 15 minutes"
    alice.answers(alice.letter, "CLOCK")
    hers = f"Not counted in this turn: {of_all}, night 9 hours, free weekday 1 day, holiday 1 day."
    assert hers in flat(alice.letter)
    assert hers in " ".join(alice.letter.html.split())
    bruno.answers(bruno.letter, "OROLOGIO")
    bruno_hears = "Non contati in questa mossa: interruzione 2 ore, messaggi in viaggio 1 ora e 15 minuti."
    assert bruno_hears in flat(bruno.letter)
    assert not {"notte", "festivo", "libero"} & set(flat(bruno.letter).split())
    alice.answers(alice.letter, "b1-b3")
    bruno.answers(bruno.letter, "OROLOGIO")
    assert "Non contati" not in flat(bruno.letter), "this turn has just begun"


def test_a_clock_is_read_as_older_servers_have_it(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("loa challenge Bruno --nagtime=4 --forfeittime=14 --totaltime=300")
    assert "14 giorni per ogni mossa. Al massimo 300 giorni in tutta la partita." in flat(bruno.letter)


def test_a_clock_that_cannot_run_is_refused(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno loa 20d+1d<=10d").verdict == Code.BAD_CLOCK
    assert "Write for instance 10d+36h<=10d" in flat(alice.letter)
    assert bruno.writes("SFIDA Alice loa 0g").verdict == Code.BAD_CLOCK
    assert "20d+1d" not in flat(bruno.letter)
    assert not Match.objects.exists()


def test_who_has_a_weekend_has_his_own(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    player = bruno.player
    player.free_weekdays, player.zone = "56", "America/New_York"
    player.save()
    begin(alice, bruno, "3d/move")
    post.wait(days=2)  # Wednesday
    alice.answers(alice.letter, "b1-b3")
    assert "Scadenza: lun 11 mag, 05:00. " in flat(bruno.letter)
    assert "Bruno's deadline: Mon 11 May, 11:00 Rome time (in " in flat(alice.letter)


@pytest.mark.parametrize("late", [False, True])
def test_who_has_agreed_to_it_claims_or_waits(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, late: bool
) -> None:
    begin(alice, bruno, "3d+1d<=3d timeout=claim")
    assert "Se un giocatore esaurisce il tempo, l'avversario può reclamare la vittoria" in flat(
        bruno.letters[0]
    )
    assert bruno.answers(bruno.letter, "RECLAMO").verdict == Code.NOTHING_TO_CLAIM
    deadline = match().deadline
    assert deadline
    alice.reads()
    bruno.reads()
    assert sweep(post, deadline) == 1
    assert (alice.kinds(), bruno.kinds()) == (["overstepped"], ["overstepped"])
    assert "Your time is up. Bruno may claim the win now." in flat(alice.letter)
    assert "Alice ha esaurito il tempo. Puoi reclamare la vittoria" in flat(bruno.letter)
    assert alice.answers(alice.letter, "CLAIM").verdict == Code.NOTHING_TO_CLAIM
    claim = bruno.letter
    if late:
        assert alice.answers(alice.letters[-2], "b1-b3").verdict == "ok"
        assert bruno.answers(claim, "RECLAMO").verdict == Code.NOTHING_TO_CLAIM
        assert "Your time: 1 day." in flat(alice.letter)
        assert match().status == "playing"
        return
    assert bruno.answers(claim, "RECLAMO").verdict == "ok"
    assert (match().winner, match().reason) == (1, "time")
    assert "Hai vinto contro Alice Alice ha esaurito il tempo" in flat(bruno.letter)
    assert "You lost against Bruno Alice has run out of time" in flat(alice.letter)
    assert charlie.letters == []


def test_where_the_organiser_decides_nothing_is_played(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    begin(alice, bruno, "3d/move timeout=adjudicate")
    turn, deadline = alice.letter, match().deadline
    assert deadline
    assert sweep(post, deadline) == 1
    assert "Your time is up. The organiser decides how the match goes on" in flat(alice.letter)
    assert "Alice ha esaurito il tempo. L'organizzatore decide come continua" in flat(bruno.letter)
    assert alice.answers(turn, "b1-b3").verdict == Code.ORGANISER_DECIDES
    assert bruno.answers(bruno.letter, "RECLAMO").verdict == Code.NOTHING_TO_CLAIM
    alice.answers(turn, "CLOCK")
    assert "Your time is up. Time left: you 0 minutes, Bruno 3 days." in flat(alice.letter)


def test_who_has_no_clock_has_nothing_to_claim(alice: Correspondent, bruno: Correspondent) -> None:
    begin(alice, bruno, "no-clock")
    assert bruno.answers(bruno.letter, "RECLAMO").verdict == Code.NO_CLOCK
    assert "Prenditi quello che ti serve" in flat(bruno.letter)
    assert alice.writes("CLOCK").verdict == "ok"
    assert "None of your matches has a clock." in flat(alice.letter)


def test_who_keeps_a_calendar_gets_his_deadlines_for_it(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    begin(alice, bruno, "10d+36h<=10d")
    assert bruno.writes("IMPOSTA CALENDARIO sì").verdict == "ok"
    alice.answers(alice.letter, "b1-b3")
    assert not alice.letter.attachments
    [(name, file)] = bruno.letter.attachments.items()
    assert name == f"loa-{match().pk}.ics"
    [event] = Calendar.from_ical(file).walk("VEVENT")
    assert event["dtstart"].dt == match().deadline
    assert event["summary"] == f"Scadenza: Lines of Action contro Alice [{match().pk}]"
    assert event["sequence"] == 1
    [part] = [part for part in bruno.letter.message.walk() if part.get_content_type() == "text/calendar"]
    assert part.get_param("method") == "PUBLISH"
    bruno.answers(bruno.letter, "a2-c2")
    assert not bruno.letter.attachments
    alice.answers(alice.letter, "b3-b1")
    [later] = Calendar.from_ical(*bruno.letter.attachments.values()).walk("VEVENT")
    assert (later["uid"], later["sequence"]) == (event["uid"], 3)


class TestALetterThatNoRelayTakes:
    @pytest.fixture(autouse=True)
    def _bruno_is_to_move(self, post: Post, alice: Correspondent, bruno: Correspondent) -> None:
        """For five hours the relay takes nothing; he has a day."""
        begin(alice, bruno, "1d/move")
        post.mailboxes.failure = DeliveryError("451 4.7.1 Greylisted")
        self.began = post.now
        alice.answers(alice.letter, "b1-b3")

    def take(self, post: Post) -> None:
        post.mailboxes.failure = None
        OutboundMail.objects.update(next_try_at=post.now)
        post.live()
        post.send()

    def test_costs_him_nothing(self, post: Post, bruno: Correspondent) -> None:
        post.wait(hours=5)
        self.take(post)
        assert match().deadline == self.began + 29 * HOUR
        assert "Scadenza: mar 5 mag, 16:00" in flat(bruno.letter)
        bruno.answers(bruno.letter, "a2-c2")
        assert match().seated[1].bank_used == timedelta()

    def test_is_credited_a_day_at_the_most(self, post: Post) -> None:
        post.wait(hours=23)
        assert sweep(post, self.began + 24 * HOUR) == 0
        post.wait(hours=12)
        self.take(post)
        assert match().deadline == self.began + 48 * HOUR

    def test_keeps_his_flag_up_for_a_day(self, post: Post) -> None:
        assert sweep(post, self.began + 47 * HOUR) == 0
        assert sweep(post, self.began + 48 * HOUR) == 1

    def test_is_not_credited_twice_when_we_were_away_ourselves(self, post: Post) -> None:
        Heartbeat.objects.all().delete()
        beat(Component.WORKER, now=self.began)
        post.wait(hours=5)
        post.mailboxes.failure = None
        OutboundMail.objects.update(next_try_at=post.now)
        post.send()
        assert Outage.objects.get().since == self.began
        away = 5 * HOUR + coming_back(5 * HOUR)
        assert match().deadline == self.began + DAY + away

    def test_is_nothing_to_him_at_night(self, post: Post, bruno: Correspondent) -> None:
        """It is 11 in the morning in Rome; he sleeps in Tokyo from 18 to 2."""
        match_, player = match(), bruno.player
        with new_hours(player, post.now):
            player.zone, player.night_begins, player.night_ends = "Asia/Tokyo", time(18), time(2)
            player.save()
        post.wait(hours=5)
        self.take(post)
        match_.refresh_from_db()
        assert match_.deadline == self.began + 24 * HOUR + 16 * HOUR


def test_who_cannot_be_reached_does_not_pay_for_it(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """He has thought for a day when his mailbox dies, and for none while we are away too."""
    begin(alice, bruno, "3d/move")
    alice.answers(alice.letter, "b1-b3")
    began = post.now
    post.wait(days=1)
    for letter in bruno.letters[-2:]:
        comes_back(post, letter)
    Heartbeat.objects.all().delete()
    beat(Component.WORKER, now=post.now)
    post.wait(days=1)
    beat(Component.WORKER, now=post.now)
    later = coming_back(DAY)
    assert match().deadline == began + 4 * DAY + later
    post.wait(days=8)
    post.live()
    post.wait(days=1)
    beat(
        Component.WORKER, now=post.now
    )  # another outage, and what comes back after it does so when Bruno is back, too
    over = post.now + later
    assert sweep(post, post.now) == 0
    bruno.writes("OROLOGIO")
    assert match().deadline == over + 2 * DAY
    assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
    assert match().seated[1].bank_used == DAY


def test_where_a_timeout_costs_days_of_absence_he_loses_when_there_are_none_left(
    post: Post, alice: Correspondent, bruno: Correspondent, settings: Settings
) -> None:
    settings.ABSENCE_DAYS = 2
    begin(alice, bruno, "3d/move tempo=assenza")
    began = match().deadline
    assert began
    alice.reads()
    bruno.reads()
    for day in (1, 2):
        assert sweep(post, began + (day - 1) * DAY) == 1
        assert match().deadline == began + day * DAY
        assert (alice.kinds(), bruno.kinds()) == (["day_taken"], ["away"])
    assert sweep(post, began + 2 * DAY) == 1
    assert (match().winner, match().reason) == (1, "time")


@pytest.mark.prove
def test_where_nothing_is_said_of_a_clock_there_is_the_one_of_the_house_and_every_letter_says_so(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    english = "Clock: league, which is 10 days to start, plus 1 day and 12 hours per move"
    italian = "Orologio: lega, cioè 10 giorni all'inizio, 1 giorno e 12 ore in più per ogni mossa"
    alice.writes("CHALLENGE Bruno loa first")
    assert english in flat(alice.letter)
    assert italian in flat(bruno.letter)
    bruno.answers(bruno.letter, "SÌ")
    assert (alice.letter.kind, bruno.letter.kind) == ("turn", "turn")
    assert "Clock: league. CLOCK explains it." in flat(alice.letter)
    assert "Orologio: lega. OROLOGIO spiega come funziona." in flat(bruno.letter)
    alice.answers(alice.letter, "CLOCK")
    assert english in flat(alice.letter)
    assert str(match().agreed.control) == "10d+36h<=10d"
    alice.writes("CHALLENGE dora@example.org loa")
    assert english in flat(alice.letter)
    assert english in flat(post.mailboxes.boxes["dora@example.org"][-1])
    bruno.writes("OFFRO loa")
    alice.writes("OPEN")
    assert english in flat(alice.letter)
    alice.writes("CHALLENGE Bruno loa first no clock")
    assert "There is no clock, so no time limit." in flat(alice.letter)
    assert "Senza orologio: il tempo non è limitato." in flat(bruno.letter)
    bruno.answers(bruno.letter, "SÌ")
    assert "Senza orologio: il tempo non è limitato." in flat(bruno.letter)
    unlimited = match()
    assert unlimited.agreed.control is None
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    bruno.writes(f"RIVINCITA {unlimited.pk}")
    assert match() != unlimited
    assert match().agreed.control is None, "it was asked for"
    assert alice.writes("CHALLENGE Bruno loa first 10 days + 1 day up to 12 days").verdict == "ok"
    assert str(match().agreed.control) == "10d+1d<=12d"
