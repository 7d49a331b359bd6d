"""Message-IDs that have come: remembered once, for a week, whatever becomes of their letters."""

from __future__ import annotations

from datetime import datetime, timedelta

from pbem.inbox import tasks
from pbem.inbox.models import InboundMail, SeenMessage
from pbem.inbox.seen import KEPT, first_with, forget_old, note
from pbem.mail.authentication.results import FRESH
from pbem.players.models import Restore
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, play_address


def test_whoever_comes_first_stays_first(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    raw = alice.pens("GAMES")
    first, second = (post.keep(raw, to) for to in (play_address(), "postmaster@pbem.localhost"))
    name = f"<{post.written}@example.org>"
    assert first_with(name) == first.pk != second.pk
    first.delete()  # and its number is never given to another
    third = post.keep(raw, play_address())
    note(third, name)
    assert first_with(name) not in (second.pk, third.pk)
    assert first_with("<never@example.org>") is None


def test_a_letter_without_a_name_is_nobodys(post: Post, alice: Correspondent) -> None:
    row = post.keep(alice.pens("GAMES", headers={"Message-ID": "x"}), play_address())
    assert first_with("") is None
    assert SeenMessage.objects.filter(letter=row.pk).count() == 0


def test_it_is_forgotten_after_a_week(post: Post, alice: Correspondent) -> None:
    post.keep(alice.pens("GAMES"), play_address())
    assert forget_old(now=post.now + KEPT) == 0
    assert forget_old(now=post.now + KEPT + timedelta(seconds=1)) == 1
    assert SeenMessage.objects.count() == 0
    assert InboundMail.objects.count() == 1


def test_a_week_is_longer_than_a_date_is_believed() -> None:
    """Arrived when its Date was two days ahead, it is believed for four."""
    assert KEPT > 2 * FRESH


def test_after_a_restore_nothing_is_known_to_be_new(post: Post, alice: Correspondent) -> None:
    assert alice.writes("SET LANGUAGE en").verdict == "ok"
    Restore.objects.create(number=1, since=post.now, restored_at=post.now)
    assert alice.writes("SET LANGUAGE en").verdict == Code.CONFIRM_NEEDED
    assert alice.writes("GAMES").verdict == "ok"
    post.wait(hours=48)
    assert alice.writes("SET LANGUAGE en").verdict == "ok"


def test_the_sweep_forgets(post: Post, alice: Correspondent) -> None:
    old: datetime = post.now - timedelta(days=3000)
    SeenMessage.objects.create(digest="x", letter=1, seen_at=old)
    tasks.sweep()
    assert SeenMessage.objects.count() == 0
