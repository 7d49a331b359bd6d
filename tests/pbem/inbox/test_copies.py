"""One message at the reply address and at play@: it acts once and is answered once, whatever the order."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_again
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, play_address

Begin = Callable[..., Match]


def to_all(who: Correspondent, letter: Delivery, body: str, cc: str = "", dmarc: str = "pass") -> bytes:
    name = str(letter.message["Message-ID"])
    headers = {"To": letter.reply_to, "In-Reply-To": name, "References": name}
    return who.pens(body, dmarc=dmarc, headers=headers | ({"Cc": cc} if cc else {}))


def verdicts(*rows: InboundMail) -> list[str]:
    for row in rows:
        row.refresh_from_db()
    return [row.verdict for row in rows]


@pytest.mark.parametrize("body", ["Wd4, a1\n\nHello!", "Let me think until Sunday.", "Wd4, d3", "STATUS"])
@pytest.mark.parametrize("first_kept", ["reply address", "play@"])
@pytest.mark.parametrize("first_opened", ["reply address", "play@"])
def test_both_have_come(
    zertz: Match, post: Post, alice: Correspondent, body: str, first_kept: str, first_opened: str
) -> None:
    letter = alice.letter
    raw = to_all(alice, letter, body)
    order = [letter.reply_to, play_address()]
    kept = [
        post.keep(raw, to, alice.email) for to in (order if first_kept == "reply address" else order[::-1])
    ]
    own, public = kept if first_kept == "reply address" else kept[::-1]
    for row in (own, public) if first_opened == "reply address" else (public, own):
        post.open_one(row.pk)
    post.send()
    assert verdicts(public) == [Code.DUPLICATE]
    assert verdicts(own) != [Code.DUPLICATE]
    assert len(alice.reads()) == 1


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_the_copy_at_play_is_opened_before_the_other_has_come(
    zertz: Match, post: Post, alice: Correspondent, dmarc: str
) -> None:
    """To says that it will come."""
    letter = alice.letter
    raw = to_all(alice, letter, "Wd4, a1", cc=play_address(), dmarc=dmarc)
    public = post.deliver(raw, play_address(), alice.email)
    assert (public.verdict, public.attempts) == ("", 0)
    assert alice.reads() == []
    own = post.deliver(raw, letter.reply_to, alice.email)
    assert own.verdict == "ok"
    assert alice.kinds() == ["played"]
    post.wait(minutes=3)
    post.open()
    post.send()
    assert verdicts(public, own) == [Code.DUPLICATE, "ok"]
    assert alice.reads() == []


def test_the_other_never_comes(zertz: Match, post: Post, alice: Correspondent) -> None:
    raw = to_all(alice, alice.letter, "Wd4, a1", cc=play_address())
    public = post.deliver(raw, play_address(), alice.email)
    post.wait(minutes=3)
    post.open()
    post.send()
    assert verdicts(public)[0] in ("ok", Code.CONFIRM_NEEDED)
    assert len(alice.reads()) == 1


def test_the_other_comes_after_all(
    zertz: Match, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """A blind copy: what was done is not done again; what was only asked about is done now."""
    letter = alice.letter
    raw = to_all(alice, letter, f"{zertz.pk} Wd4, a1\n\nHello!").replace(
        f"To: {letter.reply_to}".encode(), f"To: {play_address()}".encode()
    )
    public = post.deliver(raw, play_address(), alice.email)
    own = post.deliver(raw, letter.reply_to, alice.email)
    assert verdicts(public, own) in (["ok", Code.DUPLICATE], [Code.CONFIRM_NEEDED, "ok"])
    assert Match.objects.get(pk=zertz.pk).ply == 1
    assert bruno.kinds() == ["turn"]


def test_opened_again_it_is_still_a_copy(zertz: Match, post: Post, alice: Correspondent) -> None:
    raw = to_all(alice, alice.letter, "Wd4, a1")
    own = post.deliver(raw, alice.letter.reply_to, alice.email)
    public = post.deliver(raw, play_address(), alice.email)
    open_again(public)
    post.open()
    assert verdicts(own, public) == ["ok", Code.DUPLICATE]


def test_nobody_silences_another(
    zertz: Match, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    """To Bruno's reply address comes from Bruno what bears the name of Alice and of her message."""
    raw = alice.pens("STATUS")
    forged = post.deliver(raw, bruno.letter.reply_to, "bruno@example.org")
    assert forged.verdict != Code.DUPLICATE
    assert post.deliver(raw, play_address(), alice.email).verdict == "ok"


def test_two_messages_without_a_name_are_two(zertz: Match, post: Post, alice: Correspondent) -> None:
    raw = to_all(alice, alice.letter, "STATUS")
    nameless = b"\r\n".join(line for line in raw.split(b"\r\n") if not line.startswith(b"Message-ID"))
    first = post.deliver(nameless, alice.letter.reply_to, alice.email)
    second = post.deliver(nameless, play_address(), alice.email)
    assert [first.verdict, second.verdict] == ["ok", "ok"]


def test_yes_to_a_question_is_no_answer_to_anything_else(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    """Alice resigns, is asked, and answers From: a draw that Bruno offers meanwhile is not accepted."""
    match, _ = begin(), begin("loa")
    alice.writes(f"{match.pk} RESIGN")
    asked = alice.letter
    bruno.writes(f"PATTA {match.pk}")
    alice.answers(asked, "YES", to=play_address())
    assert Match.objects.get(pk=match.pk).status == Match.Status.PLAYING


KNOWN = {"Message-ID": "<known-before@example.org>"}


@pytest.mark.parametrize("body", ["STATUS", "STATUS\n\nHello!", "HELP"])
def test_what_nobody_vouches_for_is_no_copy_of_what_comes_to_her_reply_address(
    zertz: Match, post: Post, alice: Correspondent, bruno: Correspondent, body: str
) -> None:
    """Somebody knows the Message-ID that her program will write, even the words."""
    letter = alice.letter
    assert alice.writes(body, dmarc="none", headers=KNOWN).verdict == "ok"
    true = body if "Hello" in body else "Wd4, a1"
    assert alice.writes(true, to=letter.reply_to, headers=KNOWN).verdict == "ok"
    assert bruno.kinds() == ["message" if "Hello" in body else "turn"]


@pytest.mark.parametrize("headers", [{}, {"Auto-Submitted": "auto-replied"}])
def test_what_was_held_or_heard_by_nobody_is_no_copy_either(
    zertz: Match, post: Post, alice: Correspondent, headers: dict[str, str]
) -> None:
    """Somebody has her reply address, too, and is not believed; or looks like a machine, and says what she will."""
    forged = "STATUS" if headers else "DRAW"
    held = alice.writes(forged, to=alice.letter.reply_to, dmarc="fail", headers=KNOWN | headers)
    assert held.verdict == (Code.AUTO_REPLY if headers else Code.DMARC_FAIL)
    alice.reads()
    assert alice.writes("STATUS", headers=KNOWN).verdict == "ok"
    assert alice.kinds() == ["games"]
