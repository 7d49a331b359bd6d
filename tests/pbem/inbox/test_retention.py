"""What letters said goes after some time; what somebody may still need stays, whatever its age."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from pytest_django import Settings

from pbem.inbox import tasks
from pbem.inbox.models import InboundMail, PersonalMessage
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.outbox.sending import resend
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post


@pytest.fixture(autouse=True)
def _defaults(settings: Settings) -> None:
    settings.RETAIN_RAW_MAIL, settings.RETAIN_REJECTED, settings.RETAIN_LETTERS = 180, 30, 365


def kept() -> set[int]:
    return {row.pk for row in InboundMail.objects.all() if row.raw}


def readable() -> set[int]:
    return {row.pk for row in OutboundMail.objects.all() if row.sections != [{"kind": "forgotten"}]}


def sweep(post: Post, **later: float) -> int:
    post.wait(**later)
    return tasks.empty_old_mail(now=post.now)


def test_letters_as_they_came_go_after_half_a_year(post: Post, zertz: Match, alice: Correspondent) -> None:
    row = alice.answers(alice.letter, "Wd4, a1")
    assert sweep(post, days=179) == 0
    assert row.pk in kept()
    assert sweep(post, days=2) == InboundMail.objects.count()
    assert kept() == set()
    row.refresh_from_db()
    assert row.verdict == "ok"
    assert row.reading["commands"] == ["Wd4, a1"]
    assert sweep(post) == 0


def test_what_ended_in_silence_goes_after_a_month(
    post: Post, alice: Correspondent, stranger: Correspondent
) -> None:
    stranger.writes("Cheap watches", dmarc="none")
    machine = alice.writes("I am away", headers={"Auto-Submitted": "auto-replied"})
    person = alice.writes("HELP")
    assert sweep(post, days=29) == 0
    sweep(post, days=2)
    assert kept() == {person.pk}
    machine.refresh_from_db()
    assert machine.verdict == Code.AUTO_REPLY


def test_a_repeated_delivery_is_still_recognised(post: Post, alice: Correspondent) -> None:
    raw = alice.pens("HELP")
    row = post.deliver(raw, "play@pbem.localhost", alice.email)
    sweep(post, days=200)
    assert post.deliver(raw, "play@pbem.localhost", alice.email).pk == row.pk
    assert InboundMail.objects.count() == 1


def test_nothing_goes_that_waits(post: Post, zertz: Match, alice: Correspondent, settings: Settings) -> None:
    """Unopened, set aside, or held for a YES."""
    settings.RETAIN_RAW_MAIL = settings.RETAIN_REJECTED = 1
    held = alice.answers(alice.letter, "Wd4, a1", dmarc="fail")
    shunted = alice.writes("HELP")
    InboundMail.objects.filter(pk=shunted.pk).update(verdict=Code.POISON)
    unopened = post.keep(alice.pens("HELP"), "play@pbem.localhost", alice.email)
    post.wait(hours=36)
    tasks.empty_old_mail(now=post.now)
    assert {held.pk, shunted.pk, unopened.pk} <= kept()
    post.wait(hours=73)
    tasks.empty_old_mail(now=post.now)
    assert kept() == {shunted.pk, unopened.pk}


def test_letters_of_ours_go_after_a_year_but_not_those_of_a_match_that_goes_on(
    post: Post, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("HELP")
    help_ = OutboundMail.objects.latest("pk")
    about = set(OutboundMail.objects.filter(match=zertz).values_list("pk", flat=True))
    letter = alice.letter if alice.letter.kind == "turn" else alice.letters[-2]
    sweep(post, days=364)
    assert help_.pk in readable()
    sweep(post, days=2)
    assert help_.pk not in readable()
    assert about <= readable()
    assert alice.answers(letter, "Wd4, a1\n\nAt last!").verdict == "ok"
    assert "At last!" in bruno.letter.text


def test_of_a_match_that_is_over_the_newest_stays_for_each_player(
    post: Post, zertz: Match, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    alice.reads()
    newest = set()
    for player in (seat.player for seat in zertz.seated):
        newest.add(OutboundMail.objects.filter(match=zertz, player=player).latest("pk").pk)
    sweep(post, days=400)
    assert readable() & set(OutboundMail.objects.filter(match=zertz).values_list("pk", flat=True)) == newest
    resend(zertz.seated[0], now=post.now)
    post.send()
    assert "no longer kept" not in alice.letter.text


def test_what_waits_to_leave_is_not_emptied(post: Post, alice: Correspondent) -> None:
    post.mailboxes.failure = ConnectionError()
    alice.writes("HELP")
    sweep(post, days=400)
    assert readable() == set(OutboundMail.objects.values_list("pk", flat=True))


def test_an_emptied_letter_says_so(post: Post, alice: Correspondent) -> None:
    alice.writes("HELP")
    sweep(post, days=400)
    assert "no longer kept" in compose(OutboundMail.objects.get()).text


def test_nothing_is_a_setting_too(post: Post, alice: Correspondent, settings: Settings) -> None:
    settings.RETAIN_RAW_MAIL = settings.RETAIN_REJECTED = settings.RETAIN_LETTERS = 0
    alice.writes("HELP")
    assert sweep(post, days=9000) == 0
    assert kept()


def test_a_long_table_is_emptied_in_batches(
    post: Post, alice: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "BATCH", 2)
    monkeypatch.setattr(tasks, "MOST", 4)
    for _ in range(7):
        post.keep(alice.pens("HELP"), "play@pbem.localhost", alice.email)
    InboundMail.objects.update(verdict="ok")
    assert sweep(post, days=200) == 4
    assert sweep(post) == 3
    assert kept() == set()


def test_a_night_empties_more_than_ten_thousand_players_write_in_a_day() -> None:
    """570 letters a day are those of 95 players in a service of today: else the disk would fill for ever."""
    assert tasks.MOST > 2 * 10_000 * 570 / 95


def test_a_night_looks_into_indexes(post: Post) -> None:
    lists = {"inbound_kept": (tasks.rejected, tasks.opened), "letter_kept": (tasks.written,)}
    for index, asked in lists.items():
        for rows in asked:
            plan = rows(post.now).order_by().explain()
            assert f"USING INDEX {index} (" in plan, plan


def test_sessions_of_the_admin_go_when_they_are_over(post: Post) -> None:
    for name, hours in (("over", -1), ("going on", 1)):
        Session.objects.create(
            session_key=name, session_data="", expire_date=post.now + timedelta(hours=hours)
        )
    sweep(post)
    assert Session.objects.get().session_key == "going on"


def test_what_strangers_asked_the_organiser_goes_after_half_a_year(
    post: Post, alice: Correspondent, stranger: Correspondent
) -> None:
    for who in (alice, stranger):
        who.writes("Dear Marino, could you help me please?")
    sweep(post, days=179)
    assert PersonalMessage.objects.count() == 2
    sweep(post, days=2)
    assert PersonalMessage.objects.get().player == alice.player
