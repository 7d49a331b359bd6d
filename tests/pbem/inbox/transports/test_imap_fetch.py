"""What a mailbox tells of a letter: whom it is for, and when it arrived."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django import Settings

from pbem.inbox.transports.imap import arrival, recipient_of
from pbem.matches.clock import outages
from pbem.matches.models import Component
from pbem.network import Account
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address

MINUTE = timedelta(minutes=1)


@pytest.fixture
def sealed(alice: Correspondent) -> str:
    """An address with a token: where the reply to an answer of ours goes."""
    alice.writes("RESIGN 1")
    alice.writes("GAMES")
    return next(letter.envelope_sender for letter in alice.letters)


@pytest.mark.parametrize(
    ("headers", "user", "sealed_one"),
    [
        ("Delivered-To: {play}\nTo: {sealed}", "{play}", True),
        (
            "X-Original-To: {sealed}\nDelivered-To: club@example.org\nTo: Friends <list@example.org>",
            "club",
            True,
        ),
        ("To: Charlie <charlie@example.org>, {play}, {sealed}", "club", True),
        ("Delivered-To: {play}\nTo: somebody@example.org", "club", False),
        ("Cc: {play}", "club", False),
        ("To: somebody@example.org", "{play}", False),
    ],
)
def test_whom_a_letter_is_for(post: Post, sealed: str, headers: str, user: str, sealed_one: bool) -> None:
    names = {"play": play_address(), "sealed": sealed}
    raw = f"{headers.format(**names)}\nSubject: x\n\nHELP\n".encode()
    assert recipient_of(raw, user.format(**names), post.now) == (sealed if sealed_one else play_address())


@pytest.mark.parametrize(
    ("to", "user"), [("nobody@{domain}", "play@{domain}"), ("bruno@example.org", "club"), ("", "club")]
)
def test_a_letter_for_nobody_here(post: Post, to: str, user: str) -> None:
    domain = play_address().partition("@")[2]
    raw = f"To: {to.format(domain=domain)}\n\nHELP\n".encode()
    assert recipient_of(raw, user.format(domain=domain), post.now) == ""


@pytest.mark.parametrize(
    ("told", "minutes"),
    [
        (b'1 (INTERNALDATE "04-May-2026 10:50:00 +0200" UID 7)', -10),
        (b'1 (INTERNALDATE " 4-May-2026 08:59:00 +0000" UID 7)', -1),
        (b'1 (INTERNALDATE "04-May-2027 08:50:00 +0000")', 0),
        (b"1 (UID 7)", 0),
    ],
    ids=["a while ago", "a minute ago", "in the future", "not told"],
)
def test_a_letter_arrived_when_the_mail_server_took_it_but_never_later_than_now(
    told: bytes, minutes: int
) -> None:
    assert arrival(told, MORNING) == MORNING + minutes * MINUTE


def test_no_clock_runs_out_before_the_mailbox_was_looked_into(post: Post, settings: Settings) -> None:
    settings.IMAP_URL = "imaps://play:secret@mail.example.org/INBOX"
    outages.beat(Component.MAILBOX, now=post.now - 4 * MINUTE)
    outages.beat(Component.WORKER, now=post.now)
    assert outages.up_until(post.now) == post.now - 4 * MINUTE
    settings.IMAP_URL = ""
    assert outages.up_until(post.now) == post.now


def test_an_account_never_shows_its_password() -> None:
    account = Account.parse("imap+starttls://play%40example.org:s%2Fecret@mail.example.org/Club%20mail")
    assert (account.user, account.password, account.port) == ("play@example.org", "s/ecret", 143)
    assert str(account) == "play@example.org at mail.example.org:143, folder Club mail"
    assert "ecret" not in repr(account)


@pytest.mark.parametrize(
    "url", ["imaps://mail.example.org", "pop3://a:secret@b", "imaps://a:secret@", "nonsense"]
)
def test_what_is_no_account(url: str) -> None:
    with pytest.raises(ValueError, match="imaps://USER:PASSWORD@HOST/FOLDER") as mistake:
        Account.parse(url)
    assert "secret" not in str(mistake.value)
