"""People whose mailbox or Subject looks like a machine's play like all others; machines are answered by nobody."""

from __future__ import annotations

from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

LOCAL_PARTS = ["postmaster", "delivery", "mta", "nobody", "bounce", "bounces+alice", "noreply"]
SUBJECTS = [
    "Delivery problem",
    "On holiday!",
    "Away from home",
    "In ferie da lunedì",
    "Failure notice",
    "Fuori sede",
]


@pytest.fixture
def oddly_named(request: pytest.FixtureRequest, post: Post, bruno: Correspondent) -> Correspondent:
    email = f"{getattr(request, 'param', 'postmaster')}@example.org"
    register(name="Edda", email=email, language="en", now=post.now)
    edda = Correspondent(post, "Edda", email)
    start(first=edda.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return edda


@pytest.mark.parametrize("oddly_named", LOCAL_PARTS, indirect=True)
def test_people_with_odd_mailboxes_play(oddly_named: Correspondent) -> None:
    assert oddly_named.answers(oddly_named.letter, "b1-b3", dmarc="").verdict == "ok"
    assert Match.objects.get().ply == 1
    assert oddly_named.writes("HELP").verdict == "ok"
    assert oddly_named.letter.kind == "help"
    row = oddly_named.writes(
        "HELP", dmarc=""
    )  # nobody vouches for the mailbox, and no letter of ours is answered
    assert row.verdict in (Code.AUTO_REPLY, Code.BOUNCE)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_people_with_odd_subjects_play(subject: str, loa: Match, alice: Correspondent) -> None:
    row = alice.writes("b1-b3", subject=subject, to=alice.letter.reply_to, dmarc="")
    assert row.verdict == "ok"
    loa.refresh_from_db()
    assert loa.ply == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Subject": "Automatic reply: [105]"},
        {"Subject": "Risposta automatica: [105]"},
        {"X-Autoreply": "yes"},
        {"Content-Type": "multipart/report; report-type=delivery-status; boundary=x"},
        {"X-Failed-Recipients": "bruno@example.org"},
    ],
    ids=str,
)
def test_what_declares_itself_is_believed(headers: dict[str, str], oddly_named: Correspondent) -> None:
    letter = oddly_named.letter
    oddly_named.reads()
    raw = oddly_named.pens(
        "b1-b3", subject="x", headers={k: v for k, v in headers.items() if k != "Content-Type"}
    )
    if kind := headers.get("Content-Type"):
        raw = raw.replace(b'Content-Type: text/plain; charset="utf-8"', f"Content-Type: {kind}".encode())
    assert oddly_named.post.deliver(raw, letter.reply_to, oddly_named.email).verdict in (
        Code.AUTO_REPLY,
        Code.BOUNCE,
    )
    assert oddly_named.reads() == []
    assert Match.objects.get().ply == 0


@pytest.mark.parametrize("sender", ["delivery@example.org", "charlie@example.org"])
def test_of_others_it_is_still_guessed(
    sender: str, oddly_named: Correspondent, charlie: Correspondent
) -> None:
    forged = {"From": sender, "Subject": "Delivery problem"}
    assert oddly_named.writes("b1-b3", to=oddly_named.letter.reply_to, headers=forged).verdict == Code.BOUNCE
    assert Match.objects.get().ply == 0


def test_somebody_called_delivery_signs_up(post: Post) -> None:
    dora = Correspondent(post, "Dora", "delivery@example.org")
    assert dora.writes("REGISTER Dora", dmarc="").verdict == Code.BOUNCE
    assert dora.writes("REGISTER Dora").verdict == Code.CONFIRM_NEEDED
    assert dora.answers(dora.letter, "YES", dmarc="").verdict == "ok"
    assert Player.objects.called("Dora")
    assert dora.letter.kind == "welcome"
