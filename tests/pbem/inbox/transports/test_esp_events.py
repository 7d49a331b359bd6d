"""What mail providers tell of our letters: proved to be theirs, kept once, counted like what mail servers send back."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from pbem.inbox.models import InboundMail
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Address
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, registered
from tests.returned_mail import comes_back

KEY, SECRET = "key-of-mailgun", "provider:a long password of ours"
GMAIL = "The email account that you tried to reach does not exist"
Tell = Callable[..., Any]
Event = dict[str, Any]


@pytest.fixture(autouse=True)
def configured(settings: Settings) -> None:
    settings.ANYMAIL = {"WEBHOOK_SECRET": [SECRET], "MAILGUN_WEBHOOK_SIGNING_KEY": KEY}


def reader(post: Post, name: str, language: str) -> Correspondent:
    """Somebody who has had a letter."""
    who = registered(post, name, language)
    write_to_player(who.player, cause="any", section={"kind": "notice"}, now=post.now)
    post.send()
    return who


@pytest.fixture
def alice(post: Post) -> Correspondent:
    return reader(post, "Alice", "en")


@pytest.fixture
def bruno(post: Post) -> Correspondent:
    return reader(post, "Bruno", "it")


@pytest.fixture
def web(post: Post) -> Client:
    return Client(enforce_csrf_checks=True)


def post_json(web: Client, name: str, body: object, secret: str = SECRET) -> Any:
    headers = {"Authorization": "Basic " + b64encode(secret.encode()).decode()}
    raw = body if isinstance(body, bytes) else json.dumps(body)
    return web.post(f"/mail/{name}/tracking/", raw, content_type="application/json", headers=headers)


# -- the events, as each provider tells them -----------------------------------------------------------


def mailgun(letter: Delivery, kind: str) -> Event:
    base: Event = {
        "id": "G9Bn5sl1TC6nu79C8C0bwg",
        "timestamp": 1521233195.375624,
        "recipient": letter.to,
        "message": {
            "headers": {"to": letter.to, "message-id": str(letter.message["Message-ID"]).strip("<>")}
        },
        "user-variables": {},
    }
    failed = {"event": "failed", "severity": "permanent"}
    full = {"code": 552, "message": "5.2.2 Mailbox full", "description": ""}
    return (
        base
        | {
            "hard": failed
            | {"delivery-status": {"code": 550, "message": f"5.1.1 {GMAIL}", "description": ""}},
            "again": failed
            | {"reason": "suppress-bounce"}
            | {"delivery-status": {"code": 605, "message": "", "description": "previously bounced address"}},
            "full": failed | {"delivery-status": full},
            "blocked": failed | {"delivery-status": {"code": 550, "message": "5.7.1 blocked using Spamhaus"}},
            "late": failed | {"severity": "temporary", "delivery-status": full},
            "arrived": {"event": "delivered", "delivery-status": {"code": 250, "message": "OK"}},
            "spam": {"event": "complained"},
            "goodbye": {"event": "unsubscribed"},
            "opened": {"event": "opened"},
        }[kind]
    )


def postmark(letter: Delivery, kind: str) -> Event:
    name = str(letter.message["Message-ID"]).strip("<>").partition("@")[0]
    base: Event = {
        "MessageID": "00000000-0000-0000-0000-000000000000",
        "Email": letter.to,
        "BouncedAt": "2026-05-04T09:00:00Z",
        "Metadata": {"letter": name},
    }
    bounce = base | {"RecordType": "Bounce", "ID": 42}
    silenced = base | {"RecordType": "SubscriptionChange", "SuppressSending": True}
    return {
        "hard": bounce | {"Type": "HardBounce", "Details": f"smtp;550 5.1.1 {GMAIL}"},
        "again": bounce | {"Type": "HardBounce", "Details": "", "Description": "The server was unable"},
        "full": bounce | {"Type": "SoftBounce", "Details": "", "Description": "Unable to deliver"},
        "blocked": bounce | {"Type": "Blocked", "Details": "smtp;550 5.7.1 blocked using Spamhaus"},
        "late": bounce | {"Type": "Transient", "Details": "smtp;451 4.4.1 wait"},
        "arrived": base | {"RecordType": "Delivery", "Recipient": letter.to, "Details": "250 OK"},
        "spam": bounce | {"RecordType": "SpamComplaint", "Type": "SpamComplaint"},
        "goodbye": silenced | {"SuppressionReason": "ManualSuppression", "Recipient": letter.to},
        "opened": base | {"RecordType": "Open", "Recipient": letter.to},
    }[kind]


def sendgrid(letter: Delivery, kind: str) -> Event:
    name = str(letter.message["Message-ID"]).strip("<>").partition("@")[0]
    base: Event = {
        "email": letter.to,
        "timestamp": 1513299569,
        "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
        "sg_event_id": "sg-1",
        "letter": name,
    }
    bounce = base | {"event": "bounce", "type": "bounce"}
    return {
        "hard": bounce | {"reason": f"550 5.1.1 {GMAIL}", "status": "5.1.1"},
        "again": base | {"event": "dropped", "reason": "Bounced Address", "status": "5.0.0"},
        "full": bounce | {"type": "blocked", "reason": "452 4.2.2 Mailbox full", "status": "4.2.2"},
        "blocked": bounce | {"type": "blocked", "reason": "550 5.7.1 blocked using Spamhaus"},
        "late": base | {"event": "deferred", "response": "451 wait"},
        "arrived": base | {"event": "delivered", "response": "250 OK"},
        "spam": base | {"event": "spamreport"},
        "goodbye": base | {"event": "group_unsubscribe"},
        "opened": base | {"event": "open"},
    }[kind]


@pytest.fixture(params=["mailgun", "postmark", "sendgrid"])
def tell(request: pytest.FixtureRequest, web: Client) -> Tell:
    """What a provider tells of a letter."""
    name = request.param

    def tells(letter: Delivery, kind: str, *, key: str = KEY, secret: str = SECRET, age: float = 0) -> Any:
        event = {"mailgun": mailgun, "postmark": postmark, "sendgrid": sendgrid}[name](letter, kind)
        return post_json(web, name, enveloped(name, event, key, age), secret)

    return tells


def enveloped(name: str, event: Event, key: str = KEY, age: float = 0) -> object:
    if name == "mailgun":
        moment, token = str(int(time.time() - age)), "9" * 50
        seal = hmac.new(key.encode(), f"{moment}{token}".encode(), hashlib.sha256).hexdigest()
        return {"signature": {"timestamp": moment, "token": token, "signature": seal}, "event-data": event}
    return [event] if name == "sendgrid" else event


def score(who: Correspondent) -> int:
    return Address.objects.get(email=who.email).bounce_score


def verdicts(post: Post) -> list[str]:
    """Of what was told: opened now, and no sooner."""
    told = InboundMail.objects.filter(sender="").order_by("pk")
    assert not told.exclude(verdict="").exists()
    post.open()
    return list(told.values_list("verdict", flat=True))


# -- what follows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "verdict", "fate", "points"),
    [
        ("hard", Code.BOUNCE, Code.HARD, 2),
        ("again", Code.BOUNCE, Code.HARD, 2),
        ("full", Code.BOUNCE, "O0", 1),
        ("blocked", Code.BOUNCE, Code.POLICY, 0),
    ],
)
def test_a_bounce(
    post: Post, bruno: Correspondent, tell: Tell, kind: str, verdict: str, fate: str, points: int
) -> None:
    letter = bruno.letter
    assert tell(letter, kind).status_code == 200
    assert score(bruno) == 0  # nothing is done in the request
    assert verdicts(post) == [verdict]
    row = BouncedMail.objects.get()
    assert (row.fate[: len(fate)], row.points, score(bruno)) == (fate, points, points)
    assert row.letter.message_id == letter.message["Message-ID"]


def test_what_is_told_again_and_what_the_mail_server_says_too_counts_once(
    post: Post, bruno: Correspondent, tell: Tell
) -> None:
    letter = bruno.letter
    assert tell(letter, "hard").json() == tell(letter, "hard").json()
    post.open()
    comes_back(post, letter)
    assert score(bruno) == 2
    assert sorted(BouncedMail.objects.values_list("points", flat=True)) == [0, 2]


def test_a_complaint_and_a_goodbye(
    post: Post, alice: Correspondent, bruno: Correspondent, tell: Tell
) -> None:
    tell(alice.letter, "goodbye")
    tell(bruno.letter, "spam")
    assert verdicts(post) == [Code.COMPLAINT, Code.COMPLAINT]
    assert (alice.player.complained_at, bruno.player.complained_at) == (None, post.now)
    assert alice.player.silent_since == bruno.player.silent_since == post.now


def test_what_arrived_is_noted_and_what_else_happens_is_not_kept(
    post: Post, bruno: Correspondent, tell: Tell
) -> None:
    for kind in ("late", "opened"):
        assert tell(bruno.letter, kind).json() == {"kept": []}
    tell(bruno.letter, "arrived")
    assert verdicts(post) == [Code.RECEIPT]
    row = OutboundMail.objects.get(message_id=bruno.letter.message["Message-ID"])
    assert (row.delivered_at, row.status, score(bruno)) == (post.now, "sent", 0)


def test_a_letter_that_we_never_sent(post: Post, bruno: Correspondent, tell: Tell) -> None:
    bruno.letter.message.replace_header("Message-ID", "<0123456789abcdef@pbem.localhost>")
    assert len(tell(bruno.letter, "hard").json()["kept"]) == 1
    assert verdicts(post) == [Code.BOUNCE]
    assert score(bruno) == 0


@pytest.mark.parametrize(
    "name", ["x\nFinal-Recipient: rfc822; a@b.example", "", 7, None, "<x>", "x@y"], ids=str
)
def test_a_name_that_is_none(web: Client, bruno: Correspondent, name: object) -> None:
    event = sendgrid(bruno.letter, "hard") | {"letter": name}
    answer = post_json(web, "sendgrid", [event])
    assert len(answer.json()["kept"]) == (1 if name == 7 else 0)


def test_another_service_with_the_same_account(web: Client, bruno: Correspondent) -> None:
    event = sendgrid(bruno.letter, "hard")
    del event["letter"]
    assert post_json(web, "sendgrid", [event]).json() == {"kept": []}


def test_many_at_once_and_some_that_nobody_can_read(post: Post, web: Client, bruno: Correspondent) -> None:
    event = sendgrid(bruno.letter, "hard")
    many: list[object] = [event | {"timestamp": 1513299569 + number % 3} for number in range(50)]
    many[7:7] = [None, {}, {"event": 7}, "event"]
    assert len(set(post_json(web, "sendgrid", many).json()["kept"])) == 3
    assert verdicts(post) == [Code.BOUNCE] * 3
    assert score(bruno) == 2
    assert post_json(web, "sendgrid", [event] * 6000).status_code == 400


# -- proved, or not kept --------------------------------------------------------------------------------


def test_who_is_not_the_provider_tells_nothing(bruno: Correspondent, tell: Tell) -> None:
    forged: dict[str, Any] = {"secret": "provider:a long guess"}
    assert tell(bruno.letter, "hard", **forged).status_code == 403
    assert not InboundMail.objects.filter(sender="").exists()


@pytest.mark.parametrize("forged", [{"key": "a guess"}, {"age": 13 * 3600}], ids=str)
@pytest.mark.parametrize("tell", ["mailgun"], indirect=True)
def test_a_seal_that_is_wrong_or_old(bruno: Correspondent, tell: Tell, forged: Any) -> None:
    assert tell(bruno.letter, "hard", **forged).status_code == 403
    assert not InboundMail.objects.filter(sender="").exists()


@pytest.mark.parametrize("name", ["mailgun", "postmark", "sendgrid"])
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"7", b'"x"', b"\xff", b"[" * 10**5])
def test_what_nobody_can_read(web: Client, name: str, body: bytes) -> None:
    answer = post_json(web, name, body)
    assert answer.status_code in (200, 400, 403)
    assert answer.status_code != 200 or answer.json() == {"kept": []}


def test_our_own_trouble_is_not_the_end(
    bruno: Correspondent, tell: Tell, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("the database is away")

    monkeypatch.setattr("pbem.inbox.transports.webhooks.store_batch", away)
    assert tell(bruno.letter, "hard").status_code == 503
    monkeypatch.undo()
    settings.DISK_RESERVE = 10**9
    assert tell(bruno.letter, "hard").status_code == 503


def test_where_nothing_is_set_up_there_is_no_such_page(web: Client, settings: Settings) -> None:
    assert web.get("/mail/postmark/tracking/").status_code == 405
    assert web.head("/mail/postmark/tracking/").status_code == 200
    settings.ANYMAIL = {"WEBHOOK_SECRET": [], "MAILGUN_WEBHOOK_SIGNING_KEY": ""}
    assert post_json(web, "postmark", {}).status_code == 404


# -- what we tell them ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("smtp.eu.mailgun.org", {"X-Mailgun-Track"}),
        (
            "smtp.postmarkapp.com",
            {"X-PM-KeepID", "X-PM-Metadata-letter", "X-PM-TrackOpens", "X-PM-TrackLinks"},
        ),
        ("smtp.sendgrid.net", {"X-SMTPAPI"}),
        ("localhost", set()),
    ],
)
def test_a_provider_reads_in_each_letter_how_it_is_named(
    alice: Correspondent, settings: Settings, host: str, names: set[str]
) -> None:
    settings.EMAIL_URL = f"smtps://user:password@{host}:465"
    alice.writes("HELP")
    message = alice.letter.message
    told = {name for name, _ in message.items() if name.startswith(("X-M", "X-PM", "X-S"))}
    assert told == names
    name = str(message["Message-ID"]).strip("<>").partition("@")[0]
    if host == "smtp.sendgrid.net":
        assert json.loads(str(message["X-SMTPAPI"]))["unique_args"] == {"letter": name}
    if host == "smtp.postmarkapp.com":
        assert message["X-PM-Metadata-letter"] == name
