"""Whatever arrives ends in one verdict, and only a legal move moves anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.commands.line import plain
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.refusals import REFUSALS
from tests.examples import examples
from tests.mail_fixtures import Correspondent, Post, play_address

EVERYDAY = [
    line
    for language in ("en", "it")
    for line in (Path(__file__).parents[1] / f"pbem/inbox/everyday.{language}.txt")
    .read_text("utf-8")
    .splitlines()
    if line
]
NEARLY = [
    "b1-b4",
    "a2-c2",
    "b1",
    "b1-",
    "-b3",
    "b1-b3?",
    "I play b1-b3",
    "> b1-b3",
    "xb3",
    "pass",
    "#1",
    "1",
    "MOVE",
]
LEGAL = ["b1-b3", "B1-B3.", "MOVE g1-g3", "c1–c3", "b1-b3#1"]
VERBS = ["SHOW", "HELP", "GAMES", "YES", "NO", "DRAW", "SAY: hello", "END", "--", "HELP loa", "SHOW AT 7"]

lines = st.sampled_from(EVERYDAY + NEARLY + LEGAL * 8 + VERBS) | st.text(max_size=60)
anything = examples(60)


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return match


@contextmanager
def one_example() -> Iterator[None]:
    """Nothing of it remains for the next one."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def recipients(alice: Correspondent) -> tuple[str, str]:
    return play_address(), alice.letters[0].reply_to


@pytest.mark.prove
@anything
@given(raw=st.binary(max_size=2000), sender=st.sampled_from(["", "alice@example.org"]))
def test_any_octets(post: Post, match: Match, alice: Correspondent, raw: bytes, sender: str) -> None:
    for recipient in recipients(alice):
        with one_example():
            row = post.deliver(raw, recipient, sender)
            assert row.verdict in REFUSALS
            assert Match.objects.get().ply == 0


@pytest.mark.prove
@anything
@given(
    head=st.lists(
        st.sampled_from(
            [
                b"From: alice@example.org",
                b"From: Alice <alice@example.org>, x@example.org",
                b"Content-Type: text/html",
                b"Content-Type: multipart/mixed; boundary=x",
                b"Content-Transfer-Encoding: base64",
                b"Subject: =?utf-8?b?YjEtYjM=?=",
                b"Subject: Re: [1] Lines of Action",
                b"Authentication-Results: mx.pbem.test; dmarc=pass",
            ]
        )
        | st.binary(max_size=60)
    ),
    body=st.binary(max_size=500),
)
def test_any_letter_with_half_a_head(
    post: Post, match: Match, alice: Correspondent, head: list[bytes], body: bytes
) -> None:
    for recipient in recipients(alice):
        with one_example():
            row = post.deliver(b"\r\n".join([*head, b"", body]), recipient)
            assert row.verdict == "ok" or row.verdict in REFUSALS
            assert Match.objects.get().ply <= any(b"YjEtYjM=" in line for line in head)


@pytest.mark.prove
@anything
@given(body=st.lists(lines, min_size=1, max_size=8))
def test_only_a_line_that_is_a_legal_move_moves(
    post: Post, match: Match, alice: Correspondent, bruno: Correspondent, body: list[str]
) -> None:
    typed = [line for text in body for line in text.splitlines()]
    for recipient in recipients(alice):
        with one_example():
            raw = alice.pens("\n".join(typed).encode("utf-8", "replace").decode())
            row = post.deliver(raw, recipient, alice.email)
            assert row.verdict == "ok" or row.verdict in REFUSALS
            turns = list(Match.objects.get().turns.values_list("move", flat=True))
            assert set(turns) <= {move for line in typed for move in legal_in(line)}
            assert len(turns) <= 1
            assert InboundMail.objects.unopened().count() == 0


def legal_in(line: str) -> list[str]:
    words = plain(line).lower().removeprefix("move ").partition("#")[0]
    return [move for move in ("b1-b3", "g1-g3", "c1-c3") if words == move]
