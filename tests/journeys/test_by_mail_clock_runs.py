"""Anyone who stops the letters of a match whose clock runs is told once more, and how to have them again."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest
from django.test import Client

from pbem.inbox.models import InboundMail
from pbem.matches.models import Note
from pbem.players.models import Player
from pbem.players.subscriptions import Subscription
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post
from tests.returned_mail import complaint as report


def way_out(letter: Delivery) -> tuple[str, str]:
    """The page and the address of the header that mail programs use."""
    page, mail = (part.strip().strip("<>") for part in str(letter.message["List-Unsubscribe"]).split(","))
    return "/" + page.partition("://")[2].partition("/")[2], mail.removeprefix("mailto:").partition("?")[0]


def gets_turns(who: Correspondent) -> bool:
    return Player.objects.get(name=who.name).wants(Subscription.TURNS)


@pytest.fixture
def timed(alice: Correspondent, bruno: Correspondent) -> Delivery:
    """The letter that tells Alice that it is her turn, and when her time is over."""
    alice.writes("CHALLENGE Bruno loa first 3d/move")
    bruno.answers(bruno.letter, "SÌ")
    alice.reads()
    bruno.reads()
    return alice.letter


def press(who: Correspondent, letter: Delivery, form: dict[str, str]) -> None:
    with patch("pbem.inbox.views.timezone.now", return_value=who.post.now):
        assert Client().post(way_out(letter)[0], form).status_code == 200
    who.post.send()


def one_click(who: Correspondent, letter: Delivery) -> None:
    press(who, letter, {"List-Unsubscribe": "One-Click"})


def page(who: Correspondent, letter: Delivery) -> None:
    press(who, letter, {"choice": "these", "news": "on"})


def mail(who: Correspondent, letter: Delivery) -> None:
    who.writes("", to=way_out(letter)[1], subject="unsubscribe", dmarc="")


def complaint(who: Correspondent, letter: Delivery, kind: str = "abuse") -> None:
    raw = report(letter, kind).replace(b"complaint", f"complaint {who.post.written}".encode(), 1)
    who.post.written += 1
    who.post.deliver(raw, letter.envelope_sender, "fbl@provider.example")


def opt_out(who: Correspondent, letter: Delivery) -> None:
    complaint(who, letter, "opt-out")


def command(who: Correspondent, letter: Delivery) -> None:
    who.writes("STOP ALL" if who.name == "Alice" else "BASTA TUTTO")


WAYS = [one_click, page, mail, complaint, opt_out, command]


@pytest.mark.parametrize("stop", WAYS)
def test_it_is_said_once_and_taken_back_by_an_answer(
    stop: Callable[[Correspondent, Delivery], None], timed: Delivery, alice: Correspondent
) -> None:
    for _ in range(2):
        stop(alice, timed)
    assert not gets_turns(alice)
    [notice] = [letter for letter in alice.reads() if letter.kind == "clock_runs"]
    assert notice.subject == "You get no turn letters, but your clock runs"
    assert "Bruno" in notice.text
    assert "    GO ON" in notice.text.splitlines()
    assert alice.answers(notice, "go on!", dmarc="").verdict == "ok"
    assert gets_turns(alice)
    assert "complained" not in alice.kinds()
    stop(alice, timed)
    assert "clock_runs" in alice.kinds()  # another stop, another letter


def test_in_italian(timed: Delivery, bruno: Correspondent) -> None:
    one_click(bruno, bruno.letter)
    [notice] = bruno.reads()
    assert "il tuo tempo corre" in " ".join(notice.text.split())
    assert "    CONTINUO" in notice.text.splitlines()
    assert bruno.answers(notice, "Continuo", dmarc="").verdict == "ok"
    assert gets_turns(bruno)


def test_a_complaint_about_the_notice_itself_is_not_answered(timed: Delivery, alice: Correspondent) -> None:
    complaint(alice, timed)
    [notice] = alice.reads()
    for _ in range(3):
        complaint(alice, notice)
        one_click(alice, notice)
        mail(alice, notice)
    assert alice.reads() == []


def test_without_a_clock_nothing_is_said(loa: object, post: Post, alice: Correspondent) -> None:
    one_click(alice, alice.letter)
    assert not gets_turns(alice)
    assert alice.reads() == []


def test_of_other_letters_nothing_is_said(timed: Delivery, alice: Correspondent) -> None:
    alice.answers(timed, "b1-b3")
    [receipt] = alice.reads()
    one_click(alice, receipt)
    assert gets_turns(alice)
    assert alice.reads() == []


def test_at_the_board_go_on_is_talk(timed: Delivery, alice: Correspondent, bruno: Correspondent) -> None:
    one_click(alice, timed)
    alice.reads()
    alice.answers(timed, "b1-b3\n\nGO ON\nGo on!")
    assert "GO ON" in bruno.letter.text


def test_a_link_of_hers_does_not_reach_the_opponent(
    timed: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    """She pastes the foot of our letter below her move, as some mail programs do by themselves."""
    page, address = way_out(timed)
    foot = f"http://127.0.0.1:8000{page} <mailto:{address.upper()}> answer to {timed.reply_to}"
    assert alice.writes(f"MESSAGE Bruno: hello\n{foot}").verdict == "ok"
    assert alice.writes(f"NOTE {foot}").verdict == "ok"
    assert alice.answers(timed, f"b1-b3\n\nNice game!\n{foot}").verdict == "ok"
    secrets = (
        page.split("/")[2],
        *(to.partition("+")[2].partition("@")[0] for to in (address, timed.reply_to)),
    )
    message, turn = bruno.reads()
    assert "Nice game!" in turn.text
    said = [letter.text + letter.html for letter in (message, turn)] + [Note.objects.get().text]
    said += [str(facts) for facts in InboundMail.objects.values_list("reading__chat", flat=True)]
    assert not [secret for secret in secrets for text in said if secret in text.lower()]


def test_go_on_counts_only_at_the_address_of_that_letter(
    timed: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    """Somebody has another reply address of hers, and knows what our letter was called."""
    bruno.writes("MESSAGE Alice: how are you?")
    [message] = [letter for letter in alice.reads() if letter.reply_to.startswith("w+")]
    one_click(alice, timed)
    [notice] = [letter for letter in alice.reads() if letter.kind == "clock_runs"]
    headers = {"In-Reply-To": str(notice.message["Message-ID"]), "References": ""}
    row = alice.writes("START TURNS", to=message.reply_to, dmarc="none", headers=headers)
    assert row.verdict == Code.CONFIRM_NEEDED
    assert not gets_turns(alice)
