"""Arrival at the door decides: nobody loses on time who wrote in time, however late their letter is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random

import pytest

from pbem.inbox.models import LONGEST_KEEPING, InboundMail
from pbem.inbox.services import open_again, open_mail
from pbem.inbox.time_forfeits import flag_overdue, opened_until
from pbem.matches import events
from pbem.matches.clock import outages
from pbem.matches.models import Component, Event, Match
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.refusals import Code
from tests.clocks import due
from tests.mail_fixtures import Correspondent, Post, play_address, registered

HOUR = timedelta(hours=1)
MOMENT = timedelta.resolution


@pytest.fixture
def deadline(post: Post, loa: Match) -> datetime:
    """Alice has an hour for her first move."""
    Match.objects.filter(pk=loa.pk).update(deadline=post.now + HOUR)
    return post.now + HOUR


def sweep_until(post: Post, moment: datetime) -> int:
    """The first sweep that may flag a deadline at this moment, if no letter stands in its way."""
    post.now = moment + LONGEST_KEEPING + MOMENT
    post.live()
    return flag_overdue(now=post.now)


def result(match: Match) -> tuple[str, int | None, str]:
    match.refresh_from_db()
    return match.status, match.winner, match.reason


PLAYING = ("playing", None, "")
BRUNO_WINS = ("over", 1, "time")


def test_whoever_does_not_write_loses_on_time(
    post: Post,
    loa: Match,
    alice: Correspondent,
    bruno: Correspondent,
    charlie: Correspondent,
    deadline: datetime,
) -> None:
    assert sweep_until(post, deadline - MOMENT) == 0
    assert sweep_until(post, deadline) == 1
    assert result(loa) == BRUNO_WINS
    assert Event.objects.filter(kind=Event.Kind.ENDED, side=None).count() == 1
    post.send()
    assert (alice.kinds(), bruno.kinds(), charlie.letters) == (["result"], ["result"], [])
    assert "You lost against Bruno Alice has run out of time" in flat(alice)
    assert "Hai vinto contro Alice Alice ha esaurito il tempo" in flat(bruno)
    assert sweep_until(post, post.now) == 0


def flat(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def test_a_move_that_arrives_with_the_last_moment_counts(
    post: Post, loa: Match, alice: Correspondent, deadline: datetime
) -> None:
    post.now = deadline
    assert alice.answers(alice.letter, "c1-c3").verdict == "ok"
    assert sweep_until(post, deadline) == 0
    loa.refresh_from_db()
    assert (loa.ply, loa.deadline) == (1, None)


def test_a_move_that_arrives_a_moment_later_does_not(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, deadline: datetime
) -> None:
    post.now = deadline + MOMENT
    assert alice.answers(alice.letter, "c1-c3").verdict == Code.DEADLINE_PASSED
    [refused] = alice.reads()
    assert "Your time ran out before this email arrived" in " ".join(refused.text.split())
    assert bruno.letters[2:] == []
    sweep_until(post, deadline)
    assert result(loa) == BRUNO_WINS


def test_a_draw_is_not_accepted_too_late_either(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, deadline: datetime
) -> None:
    bruno.answers(bruno.letter, "PATTA")
    post.now = deadline + MOMENT
    assert alice.answers(alice.letter, "YES DRAW").verdict == Code.DEADLINE_PASSED
    assert alice.answers(alice.letter, "DRAW").verdict == Code.DEADLINE_PASSED
    assert result(loa) == PLAYING


def test_a_letter_opened_late_counts_from_its_arrival(
    post: Post, loa: Match, alice: Correspondent, deadline: datetime
) -> None:
    """Days late: as long as it is unopened, nobody is flagged, and then its move is played."""
    post.now = deadline
    post.keep(alice.pens("c1-c3"), alice.letter.reply_to, alice.email)
    assert sweep_until(post, deadline + 72 * HOUR) == 0
    post.open()
    loa.refresh_from_db()
    assert (loa.ply, loa.turns.get().played_at) == (1, deadline)


def test_any_letter_that_came_before_holds_every_flag(
    post: Post, loa: Match, stranger: Correspondent, deadline: datetime
) -> None:
    """Nobody knows what is in a letter that was not opened."""
    post.now = deadline
    earlier = post.keep(stranger.pens("Hello"), play_address(), stranger.email)
    post.now += MOMENT
    later = post.keep(stranger.pens("Hello?"), play_address(), stranger.email)
    assert sweep_until(post, deadline + HOUR) == 0
    assert opened_until(post.now) == earlier.received_at
    InboundMail.objects.filter(pk=earlier.pk).update(verdict=Code.UNVERIFIED)
    assert flag_overdue(now=post.now) == 1
    assert opened_until(post.now) == later.received_at


def test_a_message_in_faults_holds_the_matches_of_those_who_may_have_written_it(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, deadline: datetime
) -> None:
    """It is looked at again and again for three days: all others need not wait for it, nor for what is behind it."""
    for name in ("Charlie", "Dora"):
        registered(post, name, "en")
    her, charlie, dora = (Player.objects.get(name=name) for name in ("Alice", "Charlie", "Dora"))
    others = start(first=charlie, second=dora, game="loa", now=post.now, rng=Random(1))
    hers = start(first=her, second=dora, game="loa", now=post.now, rng=Random(1))
    Match.objects.filter(pk__in=(others.pk, hers.pk)).update(deadline=deadline)
    post.now = deadline
    faulty = post.keep(alice.pens("c1-c3"), alice.letter.reply_to, alice.email)
    behind = post.keep(alice.pens("SAY hello"), alice.letter.reply_to, alice.email)
    assert faulty.queue_key == behind.queue_key == f"match:{loa.pk}"
    assert sweep_until(post, deadline + HOUR) == 0, "nobody knows yet that it is in faults"
    InboundMail.objects.filter(pk=faulty.pk).update(faulty_since=post.now)
    assert flag_overdue(now=post.now) == 1
    assert (result(loa), result(hers), result(others)) == (PLAYING, PLAYING, BRUNO_WINS)
    InboundMail.objects.filter(pk=faulty.pk).update(verdict="ok")
    assert flag_overdue(now=post.now) == 0, "what is behind it is opened now, and everybody waits for that"
    InboundMail.objects.filter(pk=behind.pk).update(verdict="ok")
    assert flag_overdue(now=post.now) == 2


def test_a_message_in_faults_that_came_too_late_holds_nothing(
    post: Post, loa: Match, alice: Correspondent, deadline: datetime
) -> None:
    post.now = deadline + MOMENT
    row = post.keep(alice.pens("c1-c3"), alice.letter.reply_to, alice.email)
    InboundMail.objects.filter(pk=row.pk).update(faulty_since=post.now)
    assert sweep_until(post, deadline + HOUR) == 1


class TestAMessageInFaultsAboutNoMatch:
    """It came to play@ with the last moment; two matches wait for nothing else."""

    @pytest.fixture(autouse=True)
    def _others(self, post: Post, loa: Match, deadline: datetime) -> None:
        for name in ("Emma", "Fabio"):
            registered(post, name, "en")
        first, second = (Player.objects.get(name=name) for name in ("Emma", "Fabio"))
        self.others = start(first=first, second=second, game="loa", now=post.now, rng=Random(1))
        Match.objects.filter(pk=self.others.pk).update(deadline=deadline)
        post.now = deadline

    def keep(self, post: Post, raw: bytes, sender: str, recipient: str = "") -> InboundMail:
        row = post.keep(raw, recipient or play_address(), sender)
        InboundMail.objects.filter(pk=row.pk).update(faulty_since=post.now)
        return row

    def flags(self, post: Post, deadline: datetime, loa: Match) -> set[str]:
        sweep_until(post, deadline + HOUR)
        return {
            name for name, match in (("loa", loa), ("others", self.others)) if result(match) == BRUNO_WINS
        }

    def test_holds_the_matches_of_whom_its_from_names(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        assert self.keep(post, alice.pens(f"{loa.pk} c1-c3"), alice.email).queue_key == f"from:{alice.email}"
        assert self.flags(post, deadline, loa) == {"others"}

    def test_holds_them_with_whatever_waits_behind_it(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        """All of it came from one address; another one of hers is in From."""
        self.keep(post, alice.pens("HELP", headers={"From": "x@elsewhere.example"}), alice.email)
        post.keep(alice.pens(f"{loa.pk} c1-c3"), play_address(), alice.email)
        assert self.flags(post, deadline, loa) == {"others"}

    def test_of_a_stranger_it_holds_nobody(
        self, post: Post, loa: Match, stranger: Correspondent, deadline: datetime
    ) -> None:
        self.keep(post, stranger.pens("Hello"), stranger.email)
        assert self.flags(post, deadline, loa) == {"loa", "others"}

    def test_to_an_address_of_hers_it_holds_hers_whoever_seems_to_write(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        raw = alice.pens("HELP")
        assert post.deliver(raw, play_address(), alice.email).verdict == "ok"
        elsewhere = alice.pens(f"{loa.pk} c1-c3", headers={"From": "alice@elsewhere.example"})
        row = self.keep(post, elsewhere, "alice@elsewhere.example", alice.letter.reply_to)
        assert row.queue_key == "from:alice@elsewhere.example"
        assert self.flags(post, deadline, loa) == {"others"}

    @pytest.mark.parametrize("author", ["", "Alice", "alice at example dot org <>"])
    def test_holds_every_flag_if_nobody_can_read_who_wrote_it(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime, author: str
    ) -> None:
        self.keep(post, alice.pens("c1-c3", headers={"From": author}), "x@elsewhere.example")
        assert self.flags(post, deadline, loa) == set()

    def test_or_if_our_program_stumbles_over_it(
        self,
        post: Post,
        loa: Match,
        alice: Correspondent,
        deadline: datetime,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("pbem.inbox.resolver.ParsedMail", lambda *args, **fields: 1 / 0)
        self.keep(post, alice.pens("c1-c3"), alice.email)
        assert self.flags(post, deadline, loa) == set()

    def test_in_an_envelope_of_certified_mail_it_holds_those_of_whom_is_inside(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        provider = "posta-certificata@pec.example"
        head = (
            f"From: Per conto di: alice <{provider}>\r\nX-Trasporto: posta-certificata\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/mixed; boundary="mixed"\r\n\r\n--mixed\r\n'
            'Content-Type: message/rfc822; name="postacert.eml"\r\n\r\n'
        )
        raw = head.encode() + alice.pens(f"{loa.pk} c1-c3") + b"\r\n--mixed--\r\n"
        self.keep(post, raw, provider)
        assert self.flags(post, deadline, loa) == {"others"}

    def test_as_one_of_many_it_holds_every_flag(
        self,
        post: Post,
        loa: Match,
        stranger: Correspondent,
        deadline: datetime,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("pbem.inbox.time_forfeits.MOST_APART", 2)
        self.keep(post, stranger.pens("Hello"), stranger.email)
        for _ in range(2):
            post.keep(stranger.pens("Hello?"), play_address(), stranger.email)
        assert self.flags(post, deadline, loa) == set()


def test_faults_everywhere_hold_every_flag(
    post: Post, loa: Match, alice: Correspondent, deadline: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.inbox.time_forfeits.MOST_APART", 0)
    post.now = deadline
    row = post.keep(alice.pens("c1-c3"), alice.letter.reply_to, alice.email)
    InboundMail.objects.filter(pk=row.pk).update(faulty_since=post.now)
    assert sweep_until(post, deadline + HOUR) == 0
    assert opened_until(post.now) == row.received_at


def test_a_letter_that_was_shunted_holds_nothing_until_it_is_opened_again(
    post: Post, loa: Match, alice: Correspondent, deadline: datetime
) -> None:
    row = post.keep(alice.pens("c1-c3"), alice.letter.reply_to, alice.email)
    InboundMail.objects.filter(pk=row.pk).update(verdict=Code.POISON)
    open_again(row)
    assert sweep_until(post, deadline) == 0
    InboundMail.objects.filter(pk=row.pk).update(verdict=Code.POISON)
    assert flag_overdue(now=post.now) == 1


class TestAMoveThatHasToBeConfirmed:
    @pytest.fixture(autouse=True)
    def _held(self, post: Post, loa: Match, alice: Correspondent, deadline: datetime) -> None:
        """It came from an address that Alice never gave, with the last moment."""
        self.reply_to = alice.letter.reply_to
        post.now = deadline
        self.hold(post, alice, "c1-c3")
        self.question = alice.letter

    def hold(self, post: Post, alice: Correspondent, body: str) -> None:
        raw = alice.pens(body, headers={"From": "alice@elsewhere.example"})
        assert post.deliver(raw, self.reply_to, "alice@elsewhere.example").verdict == Code.FROM_MISMATCH

    def test_it_counts_from_its_arrival(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        assert sweep_until(post, deadline + 23 * HOUR) == 0
        assert alice.answers(self.question, "YES").verdict == "ok"
        assert loa.turns.get().played_at == deadline

    def test_but_a_day_before_its_yes_at_most(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        post.now = deadline + 25 * HOUR
        assert alice.answers(self.question, "YES").verdict == Code.DEADLINE_PASSED

    def test_unanswered_it_holds_the_flag_as_long_as_a_yes_helps(
        self, post: Post, loa: Match, deadline: datetime
    ) -> None:
        assert sweep_until(post, deadline + 24 * HOUR - MOMENT) == 0
        assert sweep_until(post, deadline + 24 * HOUR) == 1

    def test_a_yes_that_came_in_time_and_is_opened_late_still_counts(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        post.now = deadline + 24 * HOUR
        post.keep(alice.pens("YES"), self.question.reply_to, alice.email)
        assert sweep_until(post, deadline + 100 * HOUR) == 0
        post.open()
        assert loa.turns.get().played_at == deadline

    def test_after_a_no_it_holds_nothing(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        assert alice.answers(self.question, "NO").verdict == "ok"
        assert sweep_until(post, deadline) == 1

    def test_once_a_turn(self, post: Post, loa: Match, alice: Correspondent, deadline: datetime) -> None:
        """Of two that were put aside only the first is as old as it looks; the other comes with its YES."""
        post.now = deadline
        self.hold(post, alice, "d1-d3")
        other = alice.letter
        sweep_until(post, deadline + HOUR)
        assert result(loa) == PLAYING
        assert alice.answers(other, "YES").verdict == Code.DEADLINE_PASSED
        assert alice.answers(self.question, "YES").verdict == "ok"
        assert loa.turns.get().played_at == deadline

    def test_a_forged_one_takes_nothing_from_what_she_wrote_herself(
        self, post: Post, loa: Match, alice: Correspondent, deadline: datetime
    ) -> None:
        """The first of the turn came from an address that nobody knows; the second is hers, and was put aside."""
        row = alice.writes("d1-d3")
        assert (row.verdict, row.reading["doubt"]) == (Code.CONFIRM_NEEDED, "unnumbered")
        mine = alice.letter
        post.now = deadline + HOUR
        assert alice.answers(mine, "YES").verdict == "ok"
        assert loa.turns.get().played_at == deadline

    def test_and_a_day_in_the_whole_match(
        self, post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, deadline: datetime
    ) -> None:
        """Twenty hours for the first move leave four for the second."""
        post.now = deadline + 20 * HOUR
        assert alice.answers(self.question, "YES").verdict == "ok"
        assert bruno.answers(bruno.letter, "a2-c2").verdict == "ok"
        self.reply_to = alice.letter.reply_to
        held = post.now
        self.hold(post, alice, "b1-b3")
        question = alice.letter
        post.now = held + 20 * HOUR
        assert alice.answers(question, "YES").verdict == "ok"
        assert loa.turns.get(ply=2).played_at == held + 16 * HOUR

    def test_in_another_match_than_the_one_it_is_about_a_move_comes_with_its_yes(
        self, post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
    ) -> None:
        """Neither of several that name two matches each would be the first of its turn."""
        post.now -= 2 * HOUR
        other = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
        self.hold(post, alice, f"{other.pk} c1-c3")
        question = alice.letter
        raw = alice.pens(f"{loa.pk} d1-d3\n{other.pk} d1-d3", dmarc="")
        assert post.deliver(raw, play_address(), alice.email).verdict == Code.CONFIRM_NEEDED
        of_both = alice.letter
        post.now += HOUR
        assert alice.answers(question, "YES").verdict == "ok"
        assert other.turns.get().played_at == post.now
        assert alice.answers(of_both, "YES").verdict != "ok"
        assert loa.turns.get().played_at == post.now

    def test_of_the_player_who_is_not_to_move_it_holds_nothing(
        self, post: Post, loa: Match, bruno: Correspondent, deadline: datetime
    ) -> None:
        Match.objects.filter(pk=loa.pk).update(to_move=1)
        assert sweep_until(post, deadline) == 1

    def test_that_came_too_late_it_holds_nothing(self, post: Post, loa: Match, deadline: datetime) -> None:
        InboundMail.objects.filter(verdict=Code.FROM_MISMATCH).update(received_at=deadline + MOMENT)
        assert sweep_until(post, deadline) == 1


def test_a_door_that_may_have_died_before_the_deadline_holds_every_flag(
    post: Post, loa: Match, deadline: datetime
) -> None:
    """Its last sign of life was earlier: what was written since may wait outside."""
    outages.beat(Component.DOOR, now=deadline)
    assert sweep_until(post, deadline) == 0
    for seconds in (30, 0):
        outages.beat(Component.DOOR, now=post.now - timedelta(seconds=seconds))
    assert flag_overdue(now=post.now) == 1


def test_an_outage_is_credited_before_a_letter_after_it_is_found_late(
    post: Post, loa: Match, alice: Correspondent, deadline: datetime
) -> None:
    """The task of her letter is the first thing that the worker does when it is back."""
    due(loa, deadline)
    outages.beat(Component.WORKER, now=deadline - HOUR / 2)
    post.now = deadline + HOUR / 2
    row = post.keep(alice.pens("c1-c3"), alice.letter.reply_to, alice.email)
    open_mail(row.pk, now=post.now)
    loa.refresh_from_db()
    assert loa.ply == 1


def test_a_match_that_cannot_be_ended_keeps_no_other_waiting(
    post: Post,
    begin: Callable[..., Match],
    loa: Match,
    deadline: datetime,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    other = begin("loa")
    Match.objects.filter(pk=other.pk).update(deadline=deadline)

    def stumble(told: Sequence[Event]) -> None:
        if any(event.match_id == loa.pk for event in told):
            raise RuntimeError("no letter can be written about it")

    monkeypatch.setattr(events, "_subscribers", [*events._subscribers, stumble])
    assert sweep_until(post, deadline) == 1
    assert (result(loa), result(other)) == (PLAYING, BRUNO_WINS)
    assert f"match {loa.pk} cannot be ended on time" in caplog.text
