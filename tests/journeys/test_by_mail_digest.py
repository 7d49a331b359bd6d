"""One letter a day or a week about all matches, and answers by number: bytes in, bytes out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

import pytest
from django.utils import timezone

from pbem.inbox.models import OK
from pbem.matches.models import Match
from pbem.matches.offers import roll_back
from pbem.matches.services import start
from pbem.outbox.delivery.bounces import bring_back
from pbem.outbox.models import DigestItem, OutboundMail
from pbem.outbox.notifications import digests
from pbem.outbox.notifications.direct_messages import renew
from pbem.outbox.tasks import write_digests
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, play_address

Dealt = Callable[..., Match]


@pytest.fixture
def dealt(post: Post) -> Dealt:
    """A match between two players, the clock of the first ending in `hours`. Numbers are large, as they are in life."""
    Match.objects.create(
        pk=100,
        game_name="loa",
        rules_version=1,
        position="",
        status=Match.Status.DECLINED,
        created_at=post.now,
    )

    def begin(first: Correspondent, second: Correspondent, game: str = "loa", hours: float = 0) -> Match:
        match = start(first=first.player, second=second.player, game=game, now=post.now, rng=Random(1))
        if hours:
            match.deadline = post.now + timedelta(hours=hours)
            match.save(update_fields=["deadline"])
        post.send()
        return match

    return begin


def daily(*readers: Correspondent) -> None:
    for who in readers:
        assert who.writes(
            "SET CADENCE daily 18" if who.player.language == "en" else "IMPOSTA CADENZA giornaliera 18"
        )
        who.reads()


def plies(*matches: Match) -> list[int]:
    return [Match.objects.get(pk=match.pk).ply for match in matches]


def pictures(letter: Delivery) -> int:
    return sum(part.get_content_type() == "image/png" for part in letter.message.walk())


@pytest.mark.prove
def test_one_letter_a_day_tells_all_and_is_answered_by_number(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    daily(alice, bruno)
    later, sooner = dealt(alice, bruno, "loa", hours=90), dealt(alice, charlie, "zertz", hours=60)
    theirs = dealt(charlie, bruno, "insert")
    assert (alice.kinds(), bruno.kinds()) == ([], [])
    post.wait(hours=6)  # 17:00 in Rome
    post.digest()
    assert alice.kinds() == []
    post.wait(hours=1)
    post.digest()
    [letter] = alice.reads()
    assert (letter.kind, pictures(letter)) == ("digest", 2)
    assert letter.subject == "Monday 4 May: your turn in 2 matches"
    lines = letter.text.splitlines()
    assert lines.index("1: Zèrtz against Charlie") < lines.index("2: Lines of Action against Bruno")
    assert "Wed 6 May, 23:00 Rome time (in 2 days)" in letter.text.replace("\xa0", " ")
    assert max(len(line) for line in lines if "http" not in line) <= 72

    row = alice.answers(letter, "1: Wd4,a1\nHave fun!\n\n2. b1-b3\nDRAW\n")
    assert row.verdict == OK
    assert plies(sooner, later, theirs) == [1, 1, 0]
    assert alice.kinds() == []  # its receipts come with the next digest
    assert "Have fun!" in charlie.letter.text
    assert charlie.letter.subject == str(sooner)

    [first] = bruno.reads()
    assert "Insert contro Charlie" in first.text
    post.wait(days=1)
    post.digest()
    [second] = bruno.reads()
    assert second.subject == "Martedì 5 maggio: tocca a te in 1 partita"
    assert "Proposta di patta: rispondi 1: PATTA per accettare o 1: NO per rifiutare." in " ".join(
        second.text.split()
    )
    assert "Have fun!" not in second.text
    assert bruno.answers(second, "1: PATTA").verdict == OK
    assert Match.objects.get(pk=later.pk).reason == "agreed"
    assert (alice.kinds(), bruno.kinds()) == (["digest", "result"], ["result"])  # a result comes at once


def test_once_a_week_on_the_day_that_was_chosen(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("IMPOSTA CADENZA settimanale venerdì 7")
    alice.writes("SET CADENCE weekly fri 7")
    alice.reads(), bruno.reads()
    match = dealt(bruno, alice)
    for _ in range(3):
        post.wait(days=1)
        post.digest()
    assert (alice.kinds(), bruno.kinds()) == ([], [])
    post.wait(hours=20)  # Friday, 7 in the morning
    post.digest()
    assert bruno.letter.subject == "Venerdì 8 maggio: tocca a te in 1 partita"
    assert (
        bruno.answers(bruno.letter, "b1-b3\nA presto!").verdict == OK
    )  # of one match it need not say the number
    assert plies(match) == [1]
    assert alice.letter.subject == "Friday 8 May: your matches"
    post.wait(days=7)
    post.digest()
    assert "A presto!" in alice.letter.text
    assert "Nothing to play" not in alice.letter.text


def test_challenges_and_questions_come_at_once(alice: Correspondent, bruno: Correspondent) -> None:
    daily(bruno)
    alice.writes("CHALLENGE Bruno loa first")
    assert bruno.kinds() == ["challenge"]
    bruno.answers(bruno.letter, "NO")
    bruno.writes("PARTITE")
    assert bruno.kinds()[-1] == "games"


@pytest.mark.prove
def test_an_older_board_is_refused_and_the_board_of_now_comes(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice)
    first, second = dealt(alice, bruno), dealt(alice, bruno, "zertz")
    post.wait(hours=7)
    post.digest()
    digest = alice.letter
    alice.writes(f"MOVE {first.pk} b1-b3")
    bruno.writes(f"MUOVO {first.pk} a2-c2")
    alice.reads()
    assert alice.answers(digest, "1: c1-c3\n2: Wd4,a1").verdict == Code.STALE_TURN
    assert plies(first, second) == [2, 1]
    [refusal] = alice.reads()
    assert "You answered an older board" in refusal.text
    assert alice.answers(digest, "1: c1-c3").verdict == Code.STALE_TURN  # no board in it is that of now
    renew(Match.objects.get(pk=first.pk).seated[0], now=post.now)
    post.wait(days=1)
    post.digest()
    newer = alice.letter
    assert newer.kind == "digest"
    renew(Match.objects.get(pk=first.pk).seated[0], now=post.now)
    assert alice.answers(newer, "1: c1-c3").verdict == Code.STALE_TURN
    assert plies(first, second) == [2, 1]


@pytest.mark.prove
def test_what_is_said_beforehand_is_about_the_board_that_the_digest_showed(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice)
    match = dealt(alice, bruno)
    alice.writes(f"MOVE {match.pk} b1-b3")
    bruno.writes(f"MUOVO {match.pk} a2-c2")
    post.wait(hours=7)
    post.digest()
    digest = alice.letter
    assert digest.kind == "digest"
    alice.writes(f"MOVE {match.pk} b3-b1")
    bruno.writes(f"MUOVO {match.pk} c2-a2")
    assert alice.answers(digest, f"{match.pk}: IF c2-a2 THEN g1-g3").verdict == "ok"
    assert plies(match) == [5]  # the reply had come, and was answered
    roll_back(Match.objects.get(pk=match.pk), 2, now=post.now, side=None)
    alice.writes(f"MOVE {match.pk} g1-g3")  # another board with as many turns
    assert alice.answers(digest, f"{match.pk}: IF c2-a2 THEN b3-b1").verdict == Code.STALE_TURN
    bruno.writes(f"MUOVO {match.pk} c2-a2")
    assert plies(match) == [4]


def test_its_numbers_mean_the_same_in_an_answer_to_its_sender(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    """Not the numbers of matches, though she plays those as well."""
    daily(alice)
    first, second = dealt(alice, bruno, "loa", hours=90), dealt(alice, bruno, "loa", hours=60)
    post.wait(hours=7)
    post.digest()
    row = alice.answers(alice.letter, "1: b1-b3", to=play_address())
    if row.verdict == Code.CONFIRM_NEEDED:
        alice.answers(alice.letter, "YES")
    assert (row.verdict, plies(first, second)) == ("ok", [0, 1])


def test_somebody_else_who_has_the_digest_can_do_nothing_with_it(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    daily(bruno)
    match = dealt(bruno, alice)
    post.wait(hours=7)
    post.digest()
    digest = bruno.letter
    bruno.reads()
    assert charlie.answers(digest, "1: b1-b3").verdict == Code.FROM_MISMATCH
    assert (charlie.letters, plies(match)) == ([], [0])
    [question] = bruno.reads()
    assert question.kind == "confirm"
    assert f"{match.pk} b1-b3" in question.text
    bruno.answers(question, "NO")
    assert charlie.answers(digest, "1: b1-b3").verdict == Code.REVOKED  # its address died with the NO
    assert bruno.answers(digest, "1: b1-b3").verdict == Code.REVOKED
    assert plies(match) == [0]
    anew, notice = bruno.reads()
    assert (anew.kind, notice.kind) == ("renewed", "notice")
    assert bruno.answers(anew, "b1-b3").verdict == "ok"
    assert plies(match) == [1]


def test_whoever_is_doubted_confirms_all_of_it_at_once(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice)
    Player.objects.filter(name="Alice").update(strict=True)
    first, second = dealt(alice, bruno), dealt(alice, bruno, "zertz")
    post.wait(hours=7)
    post.digest()
    alice.answers(alice.letter, "1: b1-b3\nHello!\n2: Wd4,a1", dmarc="none")
    assert plies(first, second) == [0, 0]
    assert alice.letter.kind == "confirm"
    assert alice.answers(alice.letter, "YES").verdict == OK
    assert plies(first, second) == [1, 1]
    assert any("Hello!" in letter.text for letter in bruno.reads())


def test_a_move_without_a_number_is_asked_for_it_and_talk_for_nobody_is_told(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    daily(alice, bruno)
    first, second = dealt(alice, charlie), dealt(alice, bruno)
    dealt(bruno, charlie), dealt(bruno, charlie)
    post.wait(hours=7)
    post.digest()
    english, italian = alice.letter, bruno.letter
    charlie.reads()
    assert alice.answers(english, "b1-b3").verdict == Code.WHICH_MATCH
    assert bruno.answers(italian, "b1-b3").verdict == Code.WHICH_MATCH
    assert "Write its number first" in " ".join(alice.letter.text.split())
    assert "Scrivi prima il suo numero" in " ".join(bruno.letter.text.split())
    assert alice.answers(english, "Good evening!\n\n1: b1-b3").verdict == OK
    assert "Good evening!" in alice.letter.text
    assert "Good evening!" not in charlie.letter.text
    assert plies(first, second) == [1, 0]


def test_a_digest_with_nothing_to_say_is_not_written(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice)
    alice.writes("SET RECEIPTS off")
    match = dealt(alice, bruno)
    alice.writes(f"MOVE {match.pk} b1-b3")
    alice.reads()
    post.wait(hours=7)
    post.digest()
    assert (alice.kinds(), DigestItem.objects.count()) == ([], 0)
    post.wait(days=1)
    post.digest()
    assert alice.kinds() == []


def test_stopping_digests_brings_nothing_in_their_place(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice, bruno)
    dealt(alice, bruno), dealt(bruno, alice)
    post.wait(hours=7)
    post.digest()
    for who, stop, start_again in (
        (alice, "STOP DIGEST", "START DIGESTS"),
        (bruno, "BASTA RIEPILOGO", "RIPRENDO RIEPILOGHI"),
    ):
        who.reads()
        to = str(who.letter.message["List-Unsubscribe"]).partition("<mailto:")[2].partition("?")[0]
        who.writes("unsubscribe", to=to)
        assert not who.player.digests
        who.writes(start_again)
        assert who.player.digests
        who.writes(stop)
        assert "DIGEST" in who.letter.text or "RIEPILOGHI" in who.letter.text
        who.reads()
    dealt(alice, bruno), dealt(bruno, alice)
    post.wait(days=2)
    post.digest()
    assert (alice.kinds(), bruno.kinds()) == ([], [])


def test_another_hour_counts_for_what_waits_and_a_letter_for_each_move_brings_it_now(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice, bruno)
    dealt(alice, bruno), dealt(bruno, alice)
    post.wait(hours=1)
    alice.writes("SET CADENCE daily 13")
    bruno.writes("IMPOSTA CADENZA mossa")
    alice.reads(), bruno.reads()
    post.digest()
    assert (alice.kinds(), bruno.kinds()) == ([], ["digest"])
    post.wait(hours=1)
    post.digest()
    assert alice.kinds() == ["digest"]
    dealt(alice, bruno)
    assert (alice.kinds(), bruno.kinds()) == ([], ["turn"])


def test_letters_of_text_alone_and_for_slow_lines_have_digests_too(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice, bruno)
    alice.writes("SET LETTERS text")
    bruno.writes("IMPOSTA LINEA lenta")
    dealt(alice, bruno), dealt(bruno, alice)
    post.wait(hours=7)
    post.digest()
    for who in (alice, bruno):
        assert (who.letter.kind, who.letter.html, pictures(who.letter)) == ("digest", "", 0)
    assert len(bruno.letter.raw) < len(alice.letter.raw)


def test_what_was_said_is_told_of_every_match_however_many_there_are(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "MOST_BOARDS", 1)
    daily(alice)
    first, second = dealt(bruno, alice), dealt(bruno, alice, "zertz")
    bruno.writes(f"MUOVO {first.pk} b1-b3\nUno!")
    bruno.writes(f"MUOVO {second.pk} Bd4,a1\nDue!")
    bruno.writes(f"DICO {second.pk}: Tre!")
    post.wait(hours=7)
    post.digest()
    assert pictures(alice.letter) == 1
    said = [alice.letter.text.index(word) for word in ("Uno!", "Due!", "Tre!")]
    assert said == sorted(said)
    assert alice.answers(alice.letter, "1: a2-c2\n2: Wg4,a2").verdict == OK
    assert plies(first, second) == [2, 2]


def test_a_digest_that_could_not_be_delivered_is_told_when_letters_arrive_again(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice)
    match = dealt(bruno, alice)
    bruno.writes(f"MUOVO {match.pk} b1-b3\nA presto!")
    address = alice.player.addresses.get()
    address.paused_at = post.now
    address.save()
    post.wait(hours=7)
    post.digest()
    assert alice.kinds() == []
    bring_back(address, now=post.now)
    post.send()
    post.wait(days=1)
    post.digest()
    assert any("A presto!" in letter.text for letter in alice.letters)


def test_two_sweeps_write_one_digest(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    daily(alice)
    dealt(alice, bruno), dealt(alice, bruno)
    post.wait(hours=7)
    [due] = digests.due(now=post.now)
    assert digests.write(due, now=post.now) is not None
    assert digests.write(due, now=post.now) is None
    assert OutboundMail.objects.filter(kind="digest").count() == 1
    assert list(digests.due(now=post.now)) == []


@pytest.mark.prove
def test_however_often_a_day_begins_the_cause_of_its_digest_fits_into_its_column(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent
) -> None:
    """PostgreSQL refuses what is too long."""
    daily(alice)
    for _ in range(30):
        dealt(alice, bruno)
        DigestItem.objects.update(due_at=post.now)
        post.digest()
    causes = {row.cause for row in OutboundMail.objects.filter(kind="digest")}
    assert len(causes) == 30
    assert max(map(len, causes)) < 40


def test_a_digest_that_cannot_be_written_keeps_no_other_waiting(
    post: Post, dealt: Dealt, alice: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily(alice, bruno)
    dealt(alice, bruno), dealt(bruno, alice)
    DigestItem.objects.update(due_at=timezone.now())  # the task looks at the clock on the wall
    first, _ = digests.due(now=timezone.now())
    write = digests.write

    def stumbling(pk: int, *, now: datetime) -> OutboundMail | None:
        if pk == first:
            raise ValueError("we stumble over this one")
        return write(pk, now=now)

    monkeypatch.setattr(digests, "write", stumbling)
    write_digests()
    assert OutboundMail.objects.filter(kind="digest").count() == 1


def test_the_sweep_looks_at_what_is_due_and_at_nothing_else(post: Post) -> None:
    due = DigestItem.objects.filter(due_at__lte=post.now).order_by("due_at")
    plan = due.values_list("player", flat=True)[: digests.SWEPT].explain()
    assert "due_at" in plan
    assert "SCAN" not in plan
