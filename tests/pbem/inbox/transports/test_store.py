"""A letter is kept as it came, once, and opened later."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.models import OPEN_MAIL, InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches.services import start
from tests.broker import Enqueued
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address

LETTER = b"From: alice@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nb1-b3\r\n"


def test_every_byte_is_kept(post: Post) -> None:
    raw = bytes(range(256)) + LETTER
    row = post.keep(raw, play_address(), "alice@example.org")
    row.refresh_from_db()
    assert bytes(row.raw) == raw
    assert (row.sender, row.recipient, row.received_at) == ("alice@example.org", play_address(), MORNING)
    assert (row.verdict, row.attempts) == ("", 0)


@pytest.mark.parametrize(
    "again",
    [
        LETTER,
        b"Received: from relay.test\r\n" + LETTER,
        LETTER.replace(b"From: alice", b"X-Spam: no\r\nFrom: alice"),
        LETTER.replace(b"\r\n", b"\n"),  # through a pipe
        LETTER + b"\r\n",
    ],
)
def test_a_repeated_delivery_is_the_same_letter(post: Post, again: bytes) -> None:
    assert post.keep(LETTER, play_address()) == post.keep(again, play_address().upper())
    assert InboundMail.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        LETTER.replace(b"b1-b3", b"b1-b4"),
        LETTER.replace(b"<1@", b"<2@"),
        LETTER.replace(b"Message-ID: <1@example.org>\r\n", b""),
    ],
)
def test_another_letter_is_another_letter(post: Post, other: bytes) -> None:
    assert post.keep(LETTER, play_address()) != post.keep(other, play_address())


def test_one_letter_to_two_addresses_is_kept_for_each(post: Post, alice: Correspondent) -> None:
    rows = {post.keep(LETTER, to).pk for to in (play_address(), "other@example.org")}
    assert len(rows) == 2


@pytest.mark.parametrize(
    ("peer", "kept"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:DB8::7", "2001:db8::7"),
        ("fe80::1%eth0", "fe80::1"),
        ("", None),
        ("/run/pbem.sock", None),
        ("nonsense\0", None),
    ],
)
def test_who_handed_it_over_is_kept_with_it(post: Post, peer: str, kept: str | None) -> None:
    row = store_message(
        LETTER, sender="", recipient=play_address(), now=MORNING, peer=peer, helo="mx\0.example"
    )
    row.refresh_from_db()
    assert (row.peer, row.helo) == (kept, "mx.example")


def test_without_a_message_id_the_whole_letter_counts(post: Post) -> None:
    bare = LETTER.replace(b"Message-ID: <1@example.org>\r\n", b"")
    assert post.keep(bare, play_address()) == post.keep(bare, play_address())
    assert post.keep(bare, play_address()) != post.keep(b"Date: today\r\n" + bare, play_address())


def test_the_lane_is_the_match_or_the_sender(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    assert post.keep(alice.pens("b1-b3"), alice.letter.reply_to).queue_key == f"match:{match.pk}"
    assert (
        post.keep(alice.pens("b1-b3"), play_address(), "Alice@Example.org").queue_key
        == "from:alice@example.org"
    )


def test_a_letter_is_enqueued_after_the_commit(
    post: Post,
    enqueued: Enqueued,
    django_capture_on_commit_callbacks: Callable[..., object],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        row = post.keep(LETTER, play_address())
        assert enqueued[OPEN_MAIL] == []
    assert enqueued[OPEN_MAIL] == [row.pk]


@examples(60)
@given(raw=st.binary(max_size=300), sender=st.text(max_size=400), recipient=st.text(max_size=400))
def test_anything_can_be_kept(db: None, raw: bytes, sender: str, recipient: str) -> None:
    clean = str.maketrans(dict.fromkeys(map(chr, [0, *range(0xD800, 0xE000)])))
    sender, recipient = sender.translate(clean), recipient.translate(clean)
    row = store_message(raw, sender=sender, recipient=recipient, now=MORNING)
    row.refresh_from_db()
    assert bytes(row.raw) == raw
