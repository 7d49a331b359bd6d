"""A message that was set aside loses nobody's match: the clock stands still, and the move counts from its arrival."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.test import Client

from pbem.admin.letters import shunted
from pbem.inbox import services
from pbem.inbox.models import MOST_ATTEMPTS, InboundMail
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.clock import service as clocks
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.outbox.delivery.clock_start import SHUNTED
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, play_address

DAY = timedelta(days=1)


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    terms = Terms(clock="3d/move")
    match = start(
        first=alice.player, second=bruno.player, game="loa", terms=terms, now=post.now, rng=Random(1)
    )
    post.send()
    return match


def shunt(post: Post, row: InboundMail) -> InboundMail:
    """Its reader dies three times."""
    InboundMail.objects.filter(pk=row.pk).update(attempts=MOST_ATTEMPTS)
    post.open()
    row.refresh_from_db()
    assert row.verdict == Code.POISON
    return row


def sleep(post: Post, **time: float) -> None:
    """The service lives on, sweeping."""
    until = post.now + timedelta(**time)
    while post.now < until:
        post.now = min(until, post.now + timedelta(hours=3))
        post.live()
        flag_overdue(now=post.now)


def left(match: Match, post: Post) -> timedelta | None:
    match = Match.objects.get(pk=match.pk)
    return clocks.remaining(match.seated[0], post.now)


def test_a_move_that_was_set_aside_in_time_is_played_a_week_later(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    sleep(post, days=2, hours=20)
    row = shunt(post, post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email))
    sleep(post, days=7)
    post.send()
    assert "is stopped" in alice.letter.text
    held = Match.objects.get()
    assert (held.status, held.deadline, held.stopped) == ("playing", None, [SHUNTED])
    services.open_again(row)
    assert Match.objects.get().stopped == [SHUNTED], "until it is opened"
    post.open()
    row.refresh_from_db()
    played = Match.objects.get()
    assert (row.verdict, row.holds, played.ply, played.stopped) == ("ok", None, 1, [])
    assert played.deadline == post.now + 3 * DAY, "and only now Bruno's time begins"
    assert played.live_turns().get().played_at == row.received_at


@pytest.mark.prove
def test_dropped_and_the_clock_goes_on_with_what_was_left_when_it_came(
    post: Post, match: Match, alice: Correspondent
) -> None:
    sleep(post, days=1)
    row = post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)
    sleep(post, hours=5)  # it failed now and then
    shunt(post, row)
    sleep(post, days=5)
    shunted.drop([row], why="empty", who="Olga", now=post.now)
    assert left(match, post) == 2 * DAY
    assert Match.objects.get().stopped == []
    sleep(post, days=2, hours=1)
    assert Match.objects.get().reason == "time"


def test_of_two_the_last_one_lets_the_clock_go_on(post: Post, match: Match, alice: Correspondent) -> None:
    rows = [
        shunt(post, post.keep(alice.pens(body), alice.letter.reply_to, alice.email))
        for body in ("b1-b3", "b1-c2")
    ]
    shunted.drop([rows[0]], why="twice", who="Olga", now=post.now)
    assert Match.objects.get().stopped == [SHUNTED]
    services.open_again(rows[1])
    post.open()
    assert Match.objects.get().stopped == []


def test_poison_again_and_it_holds_the_match_as_before(
    post: Post, match: Match, alice: Correspondent
) -> None:
    row = shunt(post, post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email))
    services.open_again(row)
    shunt(post, row)
    assert Match.objects.get().stopped == [SHUNTED]
    shunted.drop([row], why="poison", who="Olga", now=post.now)
    assert Match.objects.get().stopped == []


def test_a_match_that_ended_meanwhile_is_over(post: Post, match: Match, alice: Correspondent) -> None:
    row = shunt(post, post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email))
    Match.objects.update(status="over", to_move=None)
    shunted.drop([row], why="over", who="Olga", now=post.now)
    assert Match.objects.get().deadline is None


@pytest.mark.parametrize(
    ("headers", "holds"),
    [
        ({"Subject": "Re: [{pk}] Lines of Action: Alice - Bruno"}, True),
        ({"Subject": "{pk} b1-b3"}, True),
        ({"Subject": "my move", "In-Reply-To": "{id}"}, True),
        ({"Subject": "my move"}, False),
        ({"Subject": "Re: [{pk}] Lines of Action", "From": "charlie@example.org"}, False),
        ({"Subject": "Re: [{pk}] Lines of Action", "Auto-Submitted": "auto-replied"}, False),
    ],
    ids=["thread", "command", "answers", "names none", "plays in none", "automatic"],
)
def test_a_message_without_a_token_holds_the_match_that_it_names_from_outside(
    post: Post,
    match: Match,
    alice: Correspondent,
    charlie: Correspondent,
    headers: dict[str, str],
    holds: bool,
) -> None:
    known = {"pk": str(match.pk), "id": str(alice.letter.message["Message-ID"])}
    told = {name: value.format(**known) for name, value in headers.items()}
    row = shunt(post, post.keep(alice.pens("b1-b3", headers=told), play_address(), alice.email))
    assert (row.holds == match) is holds
    assert (Match.objects.get().stopped == [SHUNTED]) is holds


def test_a_revoked_address_holds_nothing(post: Post, match: Match, alice: Correspondent) -> None:
    to = alice.letter.reply_to
    match.seated[0].revoke_tokens()
    shunt(post, post.keep(alice.pens("b1-b3"), to, alice.email))
    assert Match.objects.get().stopped == []


def test_a_match_without_a_clock_says_nothing_of_clocks(post: Post, loa: Match, alice: Correspondent) -> None:
    shunt(post, post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email))
    post.send()
    assert "fault is ours" in alice.letter.text
    assert "is stopped" not in alice.letter.text


def test_the_shell_says_which_match_stands_still(
    post: Post, match: Match, alice: Correspondent, capsys: pytest.CaptureFixture[str]
) -> None:
    row = shunt(post, post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email))
    call_command("shunted", "show", f"IN-{row.pk}")
    assert f"stops: {match.pk}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.prove
def test_the_desk_shows_which_match_stands_still_and_for_which_letter(
    post: Post, match: Match, alice: Correspondent, admin_client: Client
) -> None:
    row = shunt(post, post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email))
    page = admin_client.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert f"IN-{row.pk}" in page
    waiting = {queue["queue"].where: queue["size"] for queue in admin_client.get("/admin/").context["queues"]}
    where = "/admin/matches/match/?clock=held"
    assert waiting[where] == "1"
    assert list(admin_client.get(where).context["cl"].result_list) == [match]
    shunted.drop([row], why="seen", who="Olga", now=post.now)
    assert f"IN-{row.pk}" not in admin_client.get(f"/admin/matches/match/{match.pk}/change/").content.decode()
