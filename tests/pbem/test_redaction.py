"""At WARNING and above the log holds nobody's address and no token of ours, wherever the words come from."""

from __future__ import annotations

import importlib
import json
import logging
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
from django.test import Client
from gunicorn.config import Config

from pbem.gunicorn import Log, Redaction, redacted
from pbem.inbox.transports.esp_events import sendgrid
from pbem.log import ByMail, Json
from pbem.mail.authentication.dmarc import Evidence, verify
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.network import Resolver
from pbem.outbox.delivery.bounces import came_back
from pbem.outbox.delivery.smtp import Refusal
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import write_to_player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post
from tests.pbem.inbox.test_views import page_of
from tests.pbem.operator.installation import surrounded_by

TOKEN = "eeaaaaaaaeaaaaaaa5zq7fjhk2m3xw4b"
SIGN_IN = "c5x2ab-0123456789abcdef0123456789abcdef"


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the handler writes that the settings have made."""
    [handler] = [each for each in logging.getLogger().handlers if type(each) is logging.StreamHandler]
    ours = StringIO()
    before = handler.setStream(ours)
    yield ours
    handler.setStream(before or handler.stream)


@pytest.fixture
def letter(post: Post, alice: Correspondent) -> OutboundMail:
    row = write_to_player(alice.player, cause="letter:1", section={"kind": "games"}, now=post.now)
    assert row is not None
    return row


@pytest.fixture
def path(alice: Correspondent) -> str:
    alice.writes("HELP")
    return page_of(alice.letter)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("550 5.1.1 <ada@example.org>: no such user", "550 5.1.1 <…@example.org>: no such user"),
        ("of 'ada.byron+pbem@example.org'", "of '…@example.org'"),
        ("rfc822;o'neil@mail.example.org", "rfc822;…@mail.example.org"),
        ('550 <"ada byron"@example.org>', "550 <…@example.org>"),
        ("-ada@o2.pl, ada@a1.net", "-…@o2.pl, …@a1.net"),
        ("<bounces-7-ada=example.org@relay.example>", "<…@relay.example>"),
        ("/players/?q=ada%40example.org", "/players/?…@example.org"),
        ("{'email': 'ada@exam", "{'email': '…@exam"),  # cut off
        (f"Not Found: /u/{TOKEN}/", "Not Found: […]"),
        (f"550 m+{TOKEN}@play.example.org is unknown", "550 […] is unknown"),
        (f"/u/{TOKEN.upper()}/ ", "[…] "),
        (f"Not Found: /admin/sign-in/1/{SIGN_IN}/", "Not Found: /admin/sign-in/1/…/"),
    ],
)
def test_addresses_and_tokens_are_cut_out(written: str, shown: str) -> None:
    assert redacted(written) == shown
    assert redacted(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "S01: letter 17 is sent later: [Errno 111] Connection refused",
        "e2-e4@d6 cannot be played. Nor can Ra1-a4*@c3.",
        "sign-in refused from 2001:db8::/64 (wrong) for 'olga'",
        "consumer: Cannot connect to redis://127.0.0.1:6379/0: Error 111.",
        "Task pbem.inbox.tasks.open_mail[1f8c9a52-6f0e-4d0b-9a55-0c8d7c3b2a10] raised unexpected: KeyError('x')",
        'File "/srv/pbem/inbox/services.py", line 3, in open_mail\n    @transaction.atomic\n',
        "the worker has not written down since 2026-05-04 09:00:00+02:00 that it lives",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "SynchronousOnlyOperation, ObjectDoesNotExist, AnymailWebhookValidationFailure, DisallowedModelAdminToField",
        "caffè, perché, «già»",
    ],
)
def test_ordinary_words_are_left_alone(text: str) -> None:
    assert redacted(text) == text


def says(log: StringIO, words: str, *secrets: str) -> None:
    text = log.getvalue()
    assert words in text
    assert [secret for secret in secrets if secret in text] == []


def test_a_letter_that_is_refused(
    post: Post, letter: OutboundMail, alice: Correspondent, log: StringIO
) -> None:
    post.mailboxes.failure = Refusal(f"550 5.1.1 <{alice.email}>: no such user")
    post.send()
    says(log, "was not taken: 550 5.1.1 <…@", alice.email)


def test_a_letter_that_cannot_be_written(
    post: Post, letter: OutboundMail, alice: Correspondent, log: StringIO
) -> None:
    post.mailboxes.failure = ValueError(f"to {alice.email}")
    post.send()
    says(log, "ValueError: to …@", alice.email)


def test_an_address_that_is_paused(post: Post, alice: Correspondent, log: StringIO) -> None:
    for _ in range(2):
        alice.writes("HELP")
    for sent in OutboundMail.objects.all():
        came_back(sent, Code.HARD, now=post.now, reply=f"550 {alice.email}?", report=sent.pk)
    says(log, "is paused", alice.email)


def test_a_sender_whose_domain_cannot_be_asked(alice: Correspondent, log: StringIO) -> None:
    def broken(*_: object) -> list[object]:
        raise RuntimeError(f"no answer for {alice.email}")

    raw = f"From: {alice.email}\r\n\r\nHELP\r\n".encode()
    verify(Evidence(ParsedMail(raw)), alice.email, Resolver(broken))
    says(log, "cannot be told", alice.email)


def test_what_a_provider_tells(alice: Correspondent, log: StringIO) -> None:
    events = [
        {"email": alice.email, "reason": "x" * 420, "to": alice.email},
        {"event": "bounce", "email": alice.email, "smtp-id": f"<{alice.email}>"},
    ]
    assert list(sendgrid(json.dumps(events).encode())) == []
    says(log, "an event that nobody can read", alice.email)
    says(log, "not named as ours", alice.email)


def test_a_page_that_is_not_there(path: str, log: StringIO) -> None:
    assert Client().get(f"/nowhere{path}").status_code == 404
    says(log, "Not Found: ", path.split("/")[2])


def test_a_page_that_stumbles(
    path: str, alice: Correspondent, log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"no such recipient: {alice.email}")

    monkeypatch.setattr("pbem.inbox.views.resolve_recipient", broken)
    assert Client(raise_request_exception=False).get(path).status_code == 500
    says(log, "Internal Server Error", path.split("/")[2])
    says(log, "RuntimeError: no such recipient: …@", alice.email)


def test_every_handler_has_it() -> None:
    with surrounded_by({"DEVELOPMENT": "1", "ERROR_EMAIL": "olga@example.org"}):
        handlers = importlib.import_module("pbem.settings").LOGGING["handlers"]
    assert {name: handler["filters"] for name, handler in handlers.items()} == {
        "stderr": ["redaction"],
        "letter": ["redaction"],
    }


@pytest.mark.parametrize("shown", [Json().format, ByMail()._text])
def test_in_every_form(shown: Callable[[logging.LogRecord], str]) -> None:
    info = ValueError, ValueError("of ada@example.org"), None
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "to %s", ("ada@example.org",), info)
    assert Redaction().filter(record)
    text = shown(record)
    assert "ada@" not in text
    assert text.count("…@example.org") == 2


def test_gunicorn_has_it() -> None:
    log = Log(Config())
    [handler] = log.error_log.handlers
    handler.setStream(stream := StringIO())
    log.error("Error handling request %s", f"/u/{TOKEN}/")
    says(stream, "Error handling request […]", TOKEN)
    log.error_log.removeHandler(handler)


def test_a_line_that_is_no_warning_is_as_it_was() -> None:
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "to %s", ("ada@example.org",), None)
    assert Redaction().filter(record)
    assert record.getMessage() == "to ada@example.org"


def test_a_line_that_cannot_be_put_together_stops_nobody() -> None:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "%d", ("many",), None)
    assert Redaction().filter(record)
