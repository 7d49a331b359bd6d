"""A player for whom a program plays: it may answer by itself, with the token of a letter and with a command alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from games.registry import find
from pbem.demo.post_office import PostOffice
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.matches.plies import asked
from pbem.ratings.service import why_not
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, found, play_address
from tests.smtp_fixtures import free_port

ROOT = Path(__file__).parents[2]
OURS = (sys.executable, "-m", "games.engine", "answer")

BY_ITSELF: tuple[Mapping[str, str], ...] = (
    {"Auto-Submitted": "auto-generated"},
    {"Auto-Submitted": "auto-replied"},
)


def begun(alice: Correspondent, bruno: Correspondent) -> Match:
    """Bruno, who plays by a program, moves first."""
    bruno.writes("ROBOT SÌ")
    assert bruno.player.program
    alice.writes("CHALLENGE Bruno zertz second")
    bruno.answers(bruno.letter, "SÌ", headers=dict(BY_ITSELF[1]))
    assert alice.letter.kind == "turn", "a YES is a command, too"
    return Match.objects.get()


def move(match: Match) -> str:
    match.refresh_from_db()
    return str(next(iter(match.current().moves())))


def test_it_is_asked_as_our_own_are_and_answers_by_itself(alice: Correspondent, bruno: Correspondent) -> None:
    match = begun(alice, bruno)
    assert "Bruno is a robot: a program plays." in " ".join(alice.letter.text.split())
    for headers in BY_ITSELF:
        [told] = [json.loads(text) for name, text in bruno.letter.attachments.items() if "position" in name]
        game, rules = find(told["game"])
        assert game.position(rules, told["position"]) == match.current()
        assert told == {"match": match.pk} | asked(match)
        row = bruno.answers(bruno.letter, move(match), headers=dict(headers))
        assert row.verdict == "ok", "in canonical form, whatever its language"
        alice.answers(alice.letter, move(match))
        match.refresh_from_db()
    assert match.ply == 4
    assert why_not(match) == "robot"


def test_what_it_answers_by_itself_counts_nowhere_else(
    alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    """Without its token, from somebody else's mailbox, or without a command: nothing is done and nobody told."""
    match = begun(alice, bruno)
    letter, said = bruno.letter, move(match)
    alice.reads(), bruno.reads()
    thief = Correspondent(post, "Bruno", "thief@example.org")
    rows = [
        bruno.writes(f"{match.pk} {said}", to=play_address(), headers=dict(BY_ITSELF[0])),
        thief.answers(letter, said, headers=dict(BY_ITSELF[0])),
        bruno.answers(
            letter, "I am on holiday until Monday, and will read this then.", headers=dict(BY_ITSELF[1])
        ),
        bruno.answers(letter, said, headers=dict(BY_ITSELF[0]) | {"X-PBeM-Letter": "turn"}),
    ]
    assert [row.verdict for row in rows] == [Code.AUTO_REPLY, Code.AUTO_REPLY, Code.AUTO_REPLY, Code.LOOP]
    assert (alice.reads(), bruno.reads(), thief.reads(), Match.objects.get().ply) == ([], [], [], 0)
    bruno.writes("ROBOT NO")
    bruno.reads()
    assert bruno.answers(letter, said, headers=dict(BY_ITSELF[0])).verdict == Code.AUTO_REPLY
    assert bruno.reads() == []


@pytest.mark.prove
def test_one_that_answers_nonsense_for_ever_is_answered_twenty_times(
    alice: Correspondent, bruno: Correspondent
) -> None:
    begun(alice, bruno)
    alice.reads()
    count = 0
    while letters := bruno.reads():
        for letter in letters:
            count += 1
            assert count < 60, "this never ends"
            bruno.answers(letter, "e7xc7", headers=dict(BY_ITSELF[1]))
    refused = InboundMail.objects.exclude(verdict__in=("ok", Code.AUTO_REPLY))
    assert (refused.count(), count) == (22, 23), (
        "three letters were there before; of refusals twenty are told"
    )
    assert alice.reads() == []


@pytest.mark.prove
def test_the_example_connects_an_engine(alice: Correspondent, bruno: Correspondent, tmp_path: Path) -> None:
    """`docs/robot_by_mail.py`, with an engine of a few lines and with our own, from letter to letter."""
    match = begun(alice, bruno)
    port = free_port()
    office = PostOffice(f"127.0.0.1:{port}", tmp_path)
    engines = [sys.executable, str(ROOT / "tests/games/engine/first_move.py")], list(OURS)
    with office.opened():
        for engine in engines:
            expected = move(match)
            ran = by_pipe(bruno.letter.raw, port, engine)
            assert ran.returncode == 0, ran.stderr
            answer = office.next_letter(bruno.letter.reply_to, timeout=10)
            assert (answer.message["Auto-Submitted"], answer.message["From"]) == ("auto-replied", bruno.email)
            assert engine == list(OURS) or answer.text.strip() == expected
            raw = f"Authentication-Results: {found('pass', bruno.email)}\n".encode() + answer.raw
            assert bruno.post.deliver(raw, bruno.letter.reply_to, bruno.email).verdict == "ok"
            alice.answers(alice.letter, move(match))
        match.refresh_from_db()
        assert match.ply == 4
        forged = bruno.letter.raw.replace(b"PBeM <play@", b"PBeM <plot@")
        for other in (alice.letter.raw, forged, b"Subject: Hello\n\nposition-1.json?\n"):
            assert by_pipe(other, port, ["false"]).returncode == 0, "no engine was asked"


def by_pipe(raw: bytes, port: int, engine: list[str]) -> subprocess.CompletedProcess[bytes]:
    script = [sys.executable, str(ROOT / "docs/robot_by_mail.py"), "bruno@example.org", play_address()]
    env = {"SMTP_PORT": str(port), "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]}
    return subprocess.run([*script, *engine], input=raw, env=env, capture_output=True, check=False)
