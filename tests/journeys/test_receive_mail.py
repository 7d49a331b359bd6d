"""The pipe of a mail server: what `manage.py receive_mail` answers, in the words of sysexits.h."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.mail.parsing.parts import HEADERS, LETTER
from pbem.players.tokens import Keyring, Purpose, Token, mint
from tests.journeys.conftest import House
from tests.processes import ROOT

pytestmark = pytest.mark.prove

PLAY = "play@pbem.localhost"
LETTER_OF_ALICE = b"From: alice@players.localhost\nMessage-ID: <1@alice>\n\nHELP\n\xe9\n.\n"


def piped(house: House, raw: bytes, *arguments: str, **env: str) -> int:
    """The status; a process for each letter has no time to load the desk."""
    command = [sys.executable, "-X", "importtime", "manage.py", "receive_mail", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=house.env | env, input=raw, capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert b"import time:" in done.stderr
    assert b"unfold.admin" not in done.stderr
    return done.returncode


@pytest.fixture
def rows(house: House) -> Iterator[None]:
    with house.rows():
        yield


def test_a_letter_is_kept_as_it_came(house: House, rows: None) -> None:
    status = piped(house, LETTER_OF_ALICE, "--sender", "alice@players.localhost", PLAY)
    row = InboundMail.objects.get()
    assert (status, bytes(row.raw), row.sender) == (os.EX_OK, LETTER_OF_ALICE, "alice@players.localhost")


def test_the_mail_server_may_say_who_handed_it_over(house: House, rows: None) -> None:
    assert piped(house, LETTER_OF_ALICE, "--peer", "192.0.2.7", "--helo", "mx.example", PLAY) == os.EX_OK
    row = InboundMail.objects.get()
    assert (row.peer, row.helo) == ("192.0.2.7", "mx.example")


def test_a_letter_that_is_too_large_goes_back(house: House, rows: None) -> None:
    assert piped(house, b"x" * (LETTER + 1), PLAY) == os.EX_DATAERR == 65
    assert not InboundMail.objects.exists()


def test_a_letter_that_no_program_writes_goes_back(house: House, rows: None) -> None:
    assert piped(house, b"X: y\n" * (HEADERS + 1) + b"\nHELP\n", PLAY) == os.EX_DATAERR
    assert not InboundMail.objects.exists()


def test_before_the_disk_is_full_the_mail_server_keeps_the_letter(house: House, rows: None) -> None:
    assert piped(house, LETTER_OF_ALICE, PLAY, DISK_RESERVE=str(10**9)) == os.EX_TEMPFAIL
    assert not InboundMail.objects.exists()


def test_one_unknown_recipient_and_nothing_is_kept(house: House, rows: None) -> None:
    assert piped(house, LETTER_OF_ALICE, PLAY, "nobody@pbem.localhost") == os.EX_NOUSER == 67
    assert not InboundMail.objects.exists()


@pytest.mark.parametrize(
    "env",
    [{"DATABASE_URL": "sqlite:////nowhere/pbem.sqlite3"}, {"MAIL_TOKEN_KEYS": "1:short"}],
    ids=["database away", "settings wrong"],
)
def test_what_is_our_fault_is_tried_again(house: House, env: dict[str, str]) -> None:
    sealed = mint(Keyring({1: bytes(32)}), Token(Purpose.MOVE, 1), bytes(16))
    assert piped(house, LETTER_OF_ALICE, f"m+{sealed}@pbem.localhost", **env) == os.EX_TEMPFAIL == 75


@pytest.mark.parametrize(
    ("arguments", "note", "sender"),
    [
        ([], b"", "alice@players.localhost"),
        ([], b"Return-Path: <alice@work.example>\n", "alice@work.example"),
        ([], b"Return-Path: <>\n", ""),
        (["--sender", ""], b"Return-Path: <alice@work.example>\n", ""),
    ],
)
def test_without_an_envelope_sender_the_letter_says_who_sent_it(
    house: House, rows: None, arguments: list[str], note: bytes, sender: str
) -> None:
    """Only who says that there is none means a bounce, which is never answered."""
    assert piped(house, note + LETTER_OF_ALICE, *arguments, PLAY) == os.EX_OK
    assert InboundMail.objects.get().sender == sender


def test_one_letter_too_many_is_tried_again(house: House, rows: None) -> None:
    for number in range(20):
        letter = LETTER_OF_ALICE + b"%d" % number
        store_message(letter, sender="", recipient=PLAY, now=timezone.now())
    assert piped(house, LETTER_OF_ALICE, PLAY) == os.EX_TEMPFAIL == 75
    assert InboundMail.objects.count() == 20


@pytest.mark.parametrize("arguments", [[], ["--from", "alice", PLAY]], ids=["no recipient", "no such option"])
def test_called_wrongly(house: House, arguments: list[str]) -> None:
    assert piped(house, LETTER_OF_ALICE, *arguments) == os.EX_USAGE == 64
