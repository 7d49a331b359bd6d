"""Whose letters are counted together at the door, and when they are too many."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.slots import too_many
from pbem.inbox.rate_limits.table import CAPS, LETTERS, Account, Cap
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match, Seat
from pbem.matches.services import revoke_tokens, start
from pbem.refusals import Refused
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address

HOUR = timedelta(hours=1)


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return match


def account(post: Post, who: Correspondent, to: str, **about: str) -> str:
    """What a letter is counted with, by its cap."""
    peer = about.pop("peer", "")
    raw = who.pens("b1-b3", dmarc=about.pop("dmarc", ""), headers=about)
    row = store_message(raw, sender="somebody@example.org", recipient=to, now=post.now, peer=peer)
    return row.account.partition(":")[0] + (f" {row.server}" if row.server else "")


def test_whoever_holds_a_sealed_address_is_counted_by_it(
    post: Post, match: Match, alice: Correspondent, charlie: Correspondent, stranger: Correspondent
) -> None:
    seat = alice.letter.reply_to
    assert account(post, alice, seat) == "seat"
    assert account(post, alice, seat, dmarc="fail") == "seat"
    assert account(post, charlie, seat) == "holders"
    assert account(post, charlie, seat, From="alice@example.org, charlie@example.org") == "holders"
    assert account(post, alice, alice.letter.envelope_sender) == "bounces"
    goodbye = str(alice.letter.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]
    assert account(post, charlie, goodbye) == "goodbye"
    stranger.writes("REGISTER Dora")
    assert account(post, charlie, stranger.letter.reply_to) == "question"
    revoke_tokens(Seat.objects.get(player=alice.player))
    assert account(post, alice, seat) == "holders"


def test_at_play_only_a_provider_makes_somebody_known(
    post: Post, alice: Correspondent, stranger: Correspondent
) -> None:
    """The name in From proves nothing; nor may the door tell who is registered."""
    assert account(post, alice, play_address(), dmarc="pass") == "player"
    for dmarc in ("", "none", "fail"):
        assert account(post, alice, play_address(), dmarc=dmarc) == "sender relay"
    assert account(post, stranger, play_address(), dmarc="pass") == "sender relay"


@pytest.mark.parametrize(
    ("peer", "server"),
    [
        ("", "relay"),
        ("127.0.0.1", "relay"),
        ("10.1.2.3", "relay"),
        ("::1", "relay"),
        ("a name", "relay"),
        ("8.8.4.4", "8.8.4.4"),
        ("2001:4860:4860::8844", "2001:4860:4860::/64"),
    ],
)
def test_strangers_are_counted_by_the_server_that_brings_them(
    post: Post, stranger: Correspondent, peer: str, server: str
) -> None:
    assert account(post, stranger, play_address(), peer=peer) == f"sender {server}"


def lying(count: int, at: datetime, **where: str) -> None:
    """So many letters that came at this time."""
    begin = InboundMail.objects.count()
    InboundMail.objects.bulk_create(
        InboundMail(raw=b"", digest=str(number), recipient="", queue_key="", received_at=at, **where)
        for number in range(begin, begin + count)
    )


@pytest.mark.parametrize("cap", LETTERS, ids=lambda cap: cap.name)
def test_the_last_letter_of_the_hour_is_taken_and_no_other(db: None, cap: Cap) -> None:
    if cap.name == "server":
        account, where = Account("sender", "charlie@example.org", "relay"), {"server": "relay"}
    else:
        account, where = Account(cap.name, 1), {"account": f"{cap.name}:1"}
    lying(cap.most - 1, MORNING, **where)
    assert not too_many(account, MORNING)
    lying(1, MORNING, **where)
    assert too_many(account, MORNING + timedelta(minutes=59))
    assert not too_many(account, MORNING + HOUR)
    assert not too_many(Account(cap.name, 2, "8.8.4.4"), MORNING), "somebody else has his own"


def test_a_letter_that_we_have_is_not_refused_and_a_door_that_cannot_speak_keeps_all(
    post: Post, charlie: Correspondent
) -> None:
    letters = [charlie.pens("HELP", dmarc="") for _ in range(22)]

    def brought(raw: bytes, *, may_refuse: bool) -> InboundMail:
        to, now = play_address(), post.now
        return store_message(raw, sender=charlie.email, recipient=to, now=now, may_refuse=may_refuse)

    first = [brought(raw, may_refuse=True) for raw in letters[:20]]
    with pytest.raises(Refused, match="rate_limited"):
        brought(letters[20], may_refuse=True)
    assert brought(letters[7], may_refuse=True) == first[7], "a server may repeat itself"
    assert brought(letters[21], may_refuse=False)


def test_a_check_looks_at_no_more_rows_than_the_cap_has_and_by_the_index(db: None) -> None:
    lying(50, MORNING, account="sender:charlie@example.org", server="relay")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        too_many(Account("sender", "dora@example.org", "relay"), MORNING)
    queries = [query["sql"] for query in asked]
    for query, most in zip(queries, (20, CAPS["server"].most), strict=True):
        assert f"LIMIT 1 OFFSET {most - 1}" in query
    with connection.cursor() as cursor:
        for query, index in zip(queries, ("inbound_account", "inbound_server"), strict=True):
            cursor.execute(f"EXPLAIN QUERY PLAN {query}")
            assert any(f"INDEX {index}" in str(line) for line in cursor.fetchall())


ARRIVALS = st.lists(
    st.tuples(st.integers(0, 2000), st.sampled_from(["alice", "charlie"]), st.sampled_from(["", "8.8.4.4"])),
    max_size=30,
)


@examples(60)
@given(ARRIVALS)
def test_in_no_hour_are_there_more_letters_than_the_cap_and_none_is_refused_below_it(
    db: None, monkeypatch: pytest.MonkeyPatch, arrivals: list[tuple[int, str, str]]
) -> None:
    """With small caps: 3 letters of a sender, 5 of a server. Times are seconds after the letter before."""
    monkeypatch.setitem(CAPS, "sender", replace(CAPS["sender"], most=3))
    monkeypatch.setitem(CAPS, "server", replace(CAPS["server"], most=5))
    InboundMail.objects.all().delete()
    now, kept = MORNING, []
    for number, (pause, name, peer) in enumerate(arrivals):
        now += timedelta(seconds=pause)
        raw = f"From: {name}@example.org\r\n\r\n{number}\r\n".encode()
        recent = [(who, server) for at, who, server in kept if now - HOUR < at]
        full = [who for who, _ in recent].count(name) >= 3 or [server for _, server in recent].count(
            peer
        ) >= 5
        try:
            store_message(raw, sender="", recipient=play_address(), now=now, peer=peer, may_refuse=True)
        except Refused:
            assert full
        else:
            assert not full
            kept.append((now, name, peer))
    assert InboundMail.objects.count() == len(kept)
