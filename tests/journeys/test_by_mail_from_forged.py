"""What another customer of Alice's provider can send: it signs all that Mallory writes, if the mailbox that it reads in
From is Mallory's. Nothing is done in her name, whichever of several mailboxes we would read there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.journeys.test_by_mail_replays import everything
from tests.mail_fixtures import Correspondent, Post, found, play_address
from tests.nameserver import Zone, served

BESIDE = (
    # Another mailbox in the name, in a comment, in a group, before or behind.
    "alice@example.org <mallory@example.org>",
    '"alice@example.org" <mallory@example.org>',
    "mallory@example.org (alice@example.org)",
    "=?utf-8?q?alice=40example.org?= <mallory@example.org>",
    "=?utf-8?q?=3Calice=40example.org=3E?= <mallory@example.org>",
    "alice@example.org =?utf-8?q?mallory@example.org?=",
    "mallory@example.org, alice@example.org",
    "mallory@example.org; alice@example.org",
    "<mallory@example.org> <alice@example.org>",
    "<alice@example.org>mallory@example.org",
    "Mallory <mallory@example.org>\r\n <alice@example.org>",
    "Us: mallory@example.org, alice@example.org;",
    "Us: alice@example.org; <mallory@example.org>",
    # Written as our eyes do not read it.
    'alice@example.org <"mallory"@example.org>',
    "alice@example.org <mallory @ example.org>",
    "alice@example.org <mallory@(at)example.org>",
    "alice@example.org <mallory(at)@example.org>",
    "alice@example.org <@evil.example:mallory@example.org>",
    '"mallory"@example.org <alice@example.org>',
    "mallory@example.org\\ <alice@example.org>",
    "alice@example.org <mallory@[192.0.2.1]>",
    # Quotation marks and brackets that end elsewhere, or never.
    r'"a\" <alice@example.org>" <mallory@example.org>',
    r"mallory(\) <alice@example.org> )@example.org",
    '"x" (a " b) <mallory@example.org> (c " <alice@example.org> " d)',
    "alice@example.org (x <mallory@example.org>",
    "mallory@example.org (x <alice@example.org>",
    '"mallory@example.org <alice@example.org>',
    "alice@example.org <mallory@example.org",
    # Where some see an end.
    "mallory@example.org\x0b<alice@example.org>",
    "mallory@example.org\xa0<alice@example.org>",
    "alice@example.org\0 <mallory@example.org>",
    f"alice@example.org,{' ' * 9000}mallory@example.org",
    f"alice@example.org {'(x)' * 9000} <mallory@example.org>",
    # Another one, which is not hers.
    "alice@example.org.",
    "alice@example.org@example.org",
    "al\u0131ce@example.org",
    "alice@ex\u0430mple.org",
    "ALI\u0421E@example.org",
)
FIELDS = (
    "From: mallory@example.org\r\nFrom: alice@example.org",
    "From: alice@example.org\r\nFrom: mallory@example.org",
    "From: mallory@example.org\r\nFrom : alice@example.org",
    "From\t: alice@example.org\r\nFrom: mallory@example.org",
    "From: mallory@example.org\r\nfRoM: alice@example.org",
    "From: mallory@example.org\r\n=?utf-8?q?From?=: alice@example.org",
    "From: mallory@example.org\r\nSender: alice@example.org\r\nReply-To: alice@example.org",
    "From: mallory@example.org\r\nResent-From: alice@example.org",
    "From: mallory@example.org\r\nX-Original-From: alice@example.org",
    "From: mallory@example.org\r\nFrom\xa0: alice@example.org",
    "From: mallory@example.org\rFrom: alice@example.org",
)
FORGED = [*(f"From: {value}" for value in BESIDE), *FIELDS]


MALLORY = "mallory@example.org"
Bring = Callable[[str, str], InboundMail]


@pytest.fixture(params=["here", "in front"])
def bring(request: pytest.FixtureRequest, post: Post, zertz: Match, settings: Settings) -> Iterator[Bring]:
    """Their provider hands a letter over, so that SPF vouches for it: we look, or the server in front of us has."""
    if request.param == "in front":
        raw = f"Authentication-Results: {found('pass', MALLORY)}\r\n"
        yield lambda letter, to: post.deliver((raw + letter).encode(), to, MALLORY)
        return
    zone = Zone()
    zone.txt("_dmarc.example.org", "v=DMARC1; p=reject")
    zone.txt("example.org", "v=spf1 ip4:8.8.8.8 -all")
    with served(zone):
        settings.AUTHSERV_IDS = []
        settings.VERIFY_SENDERS = True
        settings.DNS_SERVERS = [zone.server]
        yield lambda letter, to: handed_over(post, letter.encode(), to)


def handed_over(post: Post, raw: bytes, to: str) -> InboundMail:
    row = store_message(
        raw, sender=MALLORY, recipient=to, now=post.now, peer="8.8.8.8", helo="mail.example.org"
    )
    post.open()
    post.send()
    row.refresh_from_db()
    return row


def letter(fields: str, to: str, name: str, subject: str, body: str) -> str:
    head = f"{fields}\r\nTo: {to}\r\nSubject: {subject}\r\nDate: Mon, 04 May 2026 08:59:00 +0000\r\n"
    return f"{head}Message-ID: <{name}@example.org>\r\n\r\n{body}\r\n"


def test_nobody_writes_in_her_name(
    bring: Bring, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    own = alice.letter.reply_to
    before = everything()
    for number, fields in enumerate(FORGED):
        for to in (play_address(), own):
            row = bring(letter(fields, to, f"{number}.{to[0]}", "DRAW", f"{zertz.pk} Wd4, a1"), to)
            assert row.verdict != "ok", fields
            assert everything() == before, fields
    assert bruno.kinds() == []
    assert set(alice.kinds()) <= {"confirm"}


@pytest.mark.parametrize(
    "author",
    [
        "alice@example.org <alice@example.org>",
        '"Alice \\"A.\\" (x" <Alice@Example.org> (she (herself) \\))',
        "=?utf-8?q?Alic=C3=A9?=\r\n <alice@example.org>",
    ],
)
def test_she_herself_does(author: str, bring: Bring, zertz: Match) -> None:
    """In any way that is plain: else the letters above were doubted for something else."""
    row = bring(letter(f"From: {author}", f"PBeM <{play_address()}>", "a", "STATUS", ""), play_address())
    assert (row.verdict, row.reading["dmarc"], row.reading["doubt"]) == ("ok", "pass", "no")


TO = (
    'play@pbem.localhost <"bruno"@example.org>',
    '(") <bruno@example.org>, (") <play@pbem.localhost>',
    "play@pbem.localhost, bruno @ example.org",
    "play@pbem.localhost (x, bruno@example.org",
    "us: play@pbem.localhost;",
    "play@pbem.localhost. , bruno@[192.0.2.1]",
)


@pytest.mark.parametrize("to", TO)
def test_what_went_to_somebody_else_as_well_waits(
    to: str, bring: Bring, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    before = everything()
    row = bring(letter("From: alice@example.org", to, "b", "DRAW", ""), play_address())
    assert (row.verdict, row.reading["dmarc"], row.reading["doubt"]) == (
        Code.CONFIRM_NEEDED,
        "pass",
        "copied",
    )
    assert everything() == before
