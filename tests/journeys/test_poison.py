"""A letter that ends the process whenever it is touched: after three times the others go on without it."""

from __future__ import annotations

import json
import signal
import smtplib
from contextlib import suppress
from email.utils import parseaddr
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.matches import services as matches
from pbem.outbox.models import OutboundMail
from pbem.players.services import register
from pbem.refusals import Code
from tests.journeys.conftest import House
from tests.processes import wait_until

pytestmark = pytest.mark.prove

KILLED = -signal.SIGKILL


@pytest.fixture
def playing(house: House) -> House:
    """A match has begun; nobody has heard of it yet."""
    now = timezone.now()
    with house.rows():
        alice, bruno = (
            register(name=name, email=house.player(name).address, language=language, now=now)
            for name, language in (("Alice", "en"), ("Bruno", "it"))
        )
        matches.start(first=alice, second=bruno, game="loa", now=now, rng=Random(0))
    return house


def killed(house: House, moment: str, times: int) -> None:
    """The oldest letter is always the first to be taken up."""
    for _ in range(times):
        assert house.start("manage.py", "serve", "--threads", "1", DIE_AT=moment).status() == KILLED


def shunted(house: House, *arguments: str) -> Any:
    said = house.start("manage.py", "shunted", *arguments)
    assert said.status() == 0, said.said
    return json.loads(said.said) if "--json" in arguments else said.said


def quiet(house: House) -> None:
    with house.rows():
        wait_until(lambda: not InboundMail.objects.unopened().exists(), "all letters opened")
        wait_until(lambda: not OutboundMail.objects.filter(status="waiting").exists(), "all letters sent")


def test_killed_twice_while_a_letter_is_written_and_it_goes_out_plain(playing: House) -> None:
    killed(playing, "taken-up", 2)
    playing.serve()
    quiet(playing)
    first, second = sorted(playing.delivered, key=lambda letter: letter.is_multipart())
    assert first.get_content_type() == "text/plain"
    assert "| X |" in first.get_content(), "the board is there"
    assert parseaddr(str(first["Reply-To"]))[1].startswith("m+"), "and can be answered"
    assert second.is_multipart(), "the others are what they always are"
    with playing.rows():
        assert set(OutboundMail.objects.values_list("verdict", flat=True)) == {"", Code.RENDER_FAILED}


def test_killed_three_times_and_the_letter_is_set_aside_until_somebody_says_again(playing: House) -> None:
    killed(playing, "taken-up", 3)
    service = playing.serve()
    quiet(playing)
    assert len(playing.delivered) == 1, "the other one is not held up"
    [line] = shunted(playing, "--json")
    assert (line["code"], line["kind"], line["attempts"]) == (Code.POISON, "turn", 3)
    assert line["trouble"] == "the process ended at work on it"
    assert "goes back in its queue" in shunted(playing, "again", line["number"])
    wait_until(lambda: len(playing.delivered) == 2, "the letter")
    assert all(letter.is_multipart() for letter in playing.delivered)
    assert shunted(playing, "--json") == []
    assert service.end() == 0


def test_killed_three_times_over_a_letter_that_came_and_its_sender_hears_that_it_is_our_fault(
    playing: House,
) -> None:
    service = playing.serve()
    quiet(playing)
    [turn] = [letter for letter in playing.delivered if "alice@" in letter["To"]]
    assert service.end() == 0
    dying = playing.serve(DIE_AT="claimed")
    with suppress(OSError, smtplib.SMTPException):  # it may die before it says 250
        playing.player("Alice").write(parseaddr(str(turn["Reply-To"]))[1], "c1-c3")
    assert dying.status() == KILLED
    killed(playing, "claimed", 2)
    playing.serve()
    quiet(playing)
    [line] = shunted(playing, "--json")
    assert (line["code"], line["from"]) == (Code.POISON, playing.player("Alice").address)
    apology = playing.delivered[-1]
    assert apology["X-PBeM-Letter"] == "refused"
    text = apology.get_body(("plain",))
    assert text is not None
    assert "organiser" in text.get_content()
    shunted(playing, "again", "--all")
    wait_until(lambda: len(playing.delivered) == 5, "her receipt, and Bruno's turn")
    assert {letter["X-PBeM-Letter"] for letter in playing.delivered[3:]} == {"played", "turn"}
