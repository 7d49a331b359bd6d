"""Letters that mail providers bring: proved to be theirs, kept once with every octet, refused so that they stop."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from pbem.inbox.models import InboundMail
from pbem.mail.parsing.parts import HEADERS, LETTER
from pbem.refusals import Code, Refused
from tests.mail_fixtures import Correspondent, Post, play_address

KEY, SECRET = "key-of-mailgun", "provider:a long password of ours"
RAW = (
    b"From: alice@example.org\r\nTo: play@pbem.localhost\r\nMessage-ID: <1@example.org>\r\n"
    b"Content-Type: text/plain; charset=latin-1\r\n\r\nHELP\r\nperch\xe9 & =?%41\x00\r\n"
)
JSON = "application/json"
Bring = Callable[..., Any]


@pytest.fixture(autouse=True)
def configured(settings: Settings) -> None:
    settings.ANYMAIL = {
        "WEBHOOK_SECRET": [SECRET],
        "MAILGUN_WEBHOOK_SIGNING_KEY": KEY,
        "MAILERSEND_INBOUND_SECRET": KEY,
    }
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024


@pytest.fixture
def web(post: Post) -> Client:
    return Client(enforce_csrf_checks=True, raise_request_exception=True)


def basic(secret: str = SECRET) -> str:
    return "Basic " + b64encode(secret.encode()).decode()


def form(fields: dict[str, bytes]) -> tuple[bytes, str]:
    """As multipart/form-data, each octet as it is."""
    parts = [
        b'--edge\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value)
        for name, value in fields.items()
    ]
    return b"".join(parts) + b"--edge--\r\n", "multipart/form-data; boundary=edge"


def urlencoded(fields: dict[str, bytes]) -> tuple[bytes, str]:
    body = "&".join(f"{name}={quote_from_bytes(value)}" for name, value in fields.items())
    return body.encode(), "application/x-www-form-urlencoded"


@pytest.fixture
def mailgun(web: Client) -> Bring:
    """A route with forward("https://.../mail/mailgun/inbound_mime/"), and the password in the URL."""

    def bring(
        raw: bytes = RAW,
        to: str = "",
        *,
        age: float = 0,
        key: str = KEY,
        encode: Callable[[dict[str, bytes]], tuple[bytes, str]] = urlencoded,
        **fields: bytes,
    ) -> Any:
        signed_at, token = str(int(time.time() - age)), "9" * 50
        seal = hmac.new(key.encode(), f"{signed_at}{token}".encode(), hashlib.sha256).hexdigest()
        body, kind = encode(
            {
                "timestamp": signed_at.encode(),
                "token": token.encode(),
                "signature": seal.encode(),
                "recipient": (to or play_address()).encode(),
                "sender": b"alice@example.org",
                "from": b"Alice <alice@example.org>",
                "subject": b"",
                "body-mime": raw,
            }
            | fields
        )
        path = "/mail/mailgun/inbound_mime/"
        return web.post(path, body, content_type=kind, headers={"Authorization": basic()})

    return bring


@pytest.fixture
def postmark(web: Client) -> Bring:
    """An inbound stream with "include raw email content", and the password in the webhook URL."""

    def bring(raw: bytes = RAW, to: str = "", *, secret: str = SECRET, **fields: object) -> Any:
        event = {
            "FromName": "Alice",
            "MessageStream": "inbound",
            "From": "alice@example.org",
            "OriginalRecipient": to or play_address(),
            "MessageID": "22c74902-a0c1-4511-804f2-341342852c90",
            "Headers": [
                {"Name": "Return-Path", "Value": "<alice@example.org>"},
                {"Name": "Message-ID", "Value": "<1@example.org>"},
            ],
            "TextBody": "HELP",
            "RawEmail": raw.decode("utf-8", "replace"),
        } | fields
        headers = {"Authorization": basic(secret)}
        return web.post("/mail/postmark/inbound/", json.dumps(event), content_type=JSON, headers=headers)

    return bring


@pytest.fixture
def sendgrid(web: Client) -> Bring:
    """Inbound Parse with "POST the raw, full MIME message", and the password in the URL."""

    def bring(raw: bytes = RAW, to: str = "", *, secret: str = SECRET, **fields: bytes) -> Any:
        envelope = {"to": [to or play_address()], "from": "alice@example.org"}
        own = {"email": raw, "envelope": json.dumps(envelope).encode(), "dkim": b"none", "subject": b"\xe9"}
        body, kind = form(own | fields)
        headers = {"Authorization": basic(secret)}
        return web.post("/mail/sendgrid/inbound/", body, content_type=kind, headers=headers)

    return bring


@pytest.fixture
def mailersend(web: Client) -> Bring:
    """An inbound route, signed with its secret."""

    def bring(raw: bytes = RAW, to: str = "", *, key: str = KEY, **fields: object) -> Any:
        data = {
            "object": "message",
            "sender": {"email": "alice@example.org"},
            "recipients": {"rcptTo": [{"email": to or play_address()}]},
            "raw": raw.decode("utf-8", "replace"),
        } | fields
        body = json.dumps({"type": "inbound.message", "data": data}).encode()
        seal = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
        path = "/mail/mailersend/inbound/"
        return web.post(path, body, content_type=JSON, headers={"Signature": seal, "Authorization": basic()})

    return bring


@pytest.fixture
def sparkpost(web: Client) -> Bring:
    """A relay webhook, with the password in its URL; `more` letters come in the same request."""

    def bring(
        raw: bytes = RAW, to: str = "", *, secret: str = SECRET, more: Sequence[tuple[bytes, str]] = ()
    ) -> Any:
        events = [relayed(*letter) for letter in ((raw, to or play_address()), *more)]
        headers = {"Authorization": basic(secret)}
        return web.post("/mail/sparkpost/inbound/", json.dumps(events), content_type=JSON, headers=headers)

    return bring


def relayed(raw: bytes, to: str) -> dict[str, Any]:
    content = {"email_rfc822": b64encode(raw).decode(), "email_rfc822_is_base64": True}
    event = {"content": content, "protocol": "smtp", "msg_from": "alice@example.org", "rcpt_to": to}
    return {"msys": {"relay_message": event}}


@pytest.fixture(params=["mailgun", "postmark", "sendgrid", "mailersend", "sparkpost"])
def bring(request: pytest.FixtureRequest) -> Bring:
    bring: Bring = request.getfixturevalue(request.param)
    return bring


def kept() -> list[InboundMail]:
    return list(InboundMail.objects.order_by("pk"))


# -- taken -------------------------------------------------------------------------------------------


def test_a_letter_is_kept_before_the_provider_hears_200(bring: Bring) -> None:
    raw = RAW.replace(b"\xe9", "é".encode())
    answer = bring(raw)
    [row] = kept()
    assert (answer.status_code, answer.json()) == (200, {"kept": [row.pk]})
    assert (bytes(row.raw), row.sender, row.recipient) == (raw, "alice@example.org", play_address())


@pytest.mark.parametrize("encode", [urlencoded, form])
def test_mailgun_brings_every_octet(mailgun: Bring, encode: object) -> None:
    assert mailgun(encode=encode).status_code == 200
    assert bytes(kept()[0].raw) == RAW


def test_sendgrid_brings_every_octet(sendgrid: Bring) -> None:
    assert sendgrid().status_code == 200
    assert bytes(kept()[0].raw) == RAW


def test_what_is_tried_again_is_the_same_letter(bring: Bring) -> None:
    first, again = bring(), bring()
    assert first.json() == again.json()
    assert len(kept()) == 1


def test_a_letter_that_came_through_the_door_as_well_is_kept_once(post: Post, mailgun: Bring) -> None:
    row = post.keep(RAW, play_address(), "alice@example.org")
    assert mailgun(b"Received: by mailgun\n" + RAW.replace(b"\r\n", b"\n")).json() == {"kept": [row.pk]}


def test_sparkpost_brings_several_letters_at_once(
    sparkpost: Bring, web: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is refused keeps none of the others out; one that has to wait brings all of them again."""
    other = (RAW.replace(b"<1@", b"<2@"), play_address())
    assert sparkpost(more=[(RAW, "nobody@pbem.localhost"), other]).status_code == 200
    assert [bytes(row.raw) for row in kept()] == [RAW, other[0]]
    monkeypatch.setattr("pbem.inbox.transports.webhooks.disk_is_low", iter([False, True, False]).__next__)
    assert sparkpost(more=[(RAW, "nobody@pbem.localhost"), other]).status_code == 503
    headers = {"Authorization": basic()}
    asked = web.post("/mail/sparkpost/inbound/", '[{"msys":{}}]', content_type=JSON, headers=headers)
    assert (asked.status_code, asked.json()) == (200, {"kept": []})


def test_what_we_do_not_listen_to_is_no_page(web: Client) -> None:
    headers = {"Authorization": basic()}
    path = "/mail/sparkpost/tracking/"
    assert web.post(path, "[]", content_type=JSON, headers=headers).status_code == 404


def test_it_is_opened_like_any_other(post: Post, alice: Correspondent, mailgun: Bring) -> None:
    raw = alice.pens("GAMES")
    assert mailgun(raw).status_code == 200
    post.open()
    post.send()
    assert alice.letters


def test_one_letter_to_two_addresses_of_ours(post: Post, alice: Correspondent, sendgrid: Bring) -> None:
    alice.writes("HELP")
    [out] = re.findall("mailto:([^>?]+)", alice.letter.message["List-Unsubscribe"])
    to = json.dumps({"to": [play_address(), out, "list@example.org"], "from": ""}).encode()
    assert len(sendgrid(envelope=to).json()["kept"]) == 2
    assert {row.recipient for row in kept()[-2:]} == {play_address(), out}


def test_a_bounce_has_no_sender(mailgun: Bring, postmark: Bring) -> None:
    mailgun(sender=b"<>")
    other = RAW.replace(b"<1@", b"<2@").replace(b"\xe9", b"e")
    postmark(other, Headers=[{"Name": "Return-Path", "Value": "<>"}])
    assert [row.sender for row in kept()] == ["", ""]


@pytest.mark.prove
def test_the_largest_letter_is_taken(bring: Bring) -> None:
    raw = RAW.replace(b"\xe9", b"e").replace(b"\x00", b"")
    raw += (b"x" * 998 + b"\r\n") * ((LETTER - len(raw)) // 1000)
    assert bring(raw).status_code == 200
    assert bytes(kept()[0].raw) == raw


def test_a_letter_of_control_characters_may_be_too_large_when_it_is_written_as_json(postmark: Bring) -> None:
    answer = postmark(RAW + b"\x01\x02" * (LETTER // 2 - 1000))
    assert ends(answer)
    assert "larger than 10 MiB" in answer.content.decode()


# -- proved ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", ["provider:another password", "", "provider"])
def test_a_wrong_password_brings_nothing(
    postmark: Bring, sendgrid: Bring, sparkpost: Bring, mailersend: Bring, secret: str
) -> None:
    assert [bring(secret=secret).status_code for bring in (postmark, sendgrid, sparkpost)] == [403] * 3
    assert mailersend(key=secret).status_code == 403
    assert kept() == []


@pytest.mark.parametrize(
    "how",
    [
        {"key": "another key"},
        {"signature": b"0" * 64},
        {"signature": b"\xff"},
        {"token": b"\xff"},
        {"age": 13 * 3600},
        {"age": -13 * 3600},
        {"timestamp": b"yesterday"},
    ],
    ids=str,
)
def test_a_signature_that_is_not_mailguns_or_too_old_brings_nothing(
    mailgun: Bring, how: dict[str, Any]
) -> None:
    for encode in (urlencoded, form):
        assert mailgun(encode=encode, **how).status_code in (400, 403)
    assert kept() == []


def test_mailgun_may_try_for_eight_hours(mailgun: Bring) -> None:
    assert mailgun(age=8 * 3600).status_code == 200


def test_without_its_secret_there_is_no_such_door(bring: Bring, settings: Settings) -> None:
    settings.ANYMAIL = {}
    assert bring().status_code == 404


def test_who_asks_whether_anybody_is_there_hears_yes(web: Client) -> None:
    for path in ("/mail/mailgun/inbound_mime/", "/mail/postmark/inbound/", "/mail/sendgrid/inbound/"):
        assert web.head(path).status_code == 200
        assert web.get(path).status_code == 405
    assert web.head("/mail/pigeon/inbound/").status_code == 404


# -- refused -----------------------------------------------------------------------------------------


def ends(answer: Any) -> bool:
    """Whether the provider does not try again, as each of them documents it."""
    provider = answer.request["PATH_INFO"].split("/")[2]
    yes = {"mailgun": 406, "postmark": 403, "sendgrid": 406, "mailersend": 200, "sparkpost": 200}
    return bool(answer.status_code == yes[provider])


def test_a_letter_to_nobody_here_ends_there(bring: Bring) -> None:
    for to in ("nobody@pbem.localhost", "m+" + "a" * 32 + "@pbem.localhost", "play@elsewhere.example", ""):
        answer = bring(to=to or "@")
        assert ends(answer), to
    assert "No such address here" in answer.content.decode()
    assert kept() == []


@pytest.mark.parametrize("raw", [b"X: y\r\n" * (HEADERS + 1) + RAW, RAW + b"x" * LETTER], ids=len)
def test_a_letter_that_is_too_much_ends_there(bring: Bring, raw: bytes) -> None:
    assert ends(bring(raw.replace(b"\xe9", b"e")))
    assert kept() == []


def test_a_request_that_is_too_much_is_not_even_read(sendgrid: Bring) -> None:
    answer = sendgrid(RAW + b"x" * 32 * 1024 * 1024, secret="unknown yet")
    assert ends(answer)
    assert "larger than 10 MiB" in answer.content.decode()


def test_our_own_trouble_is_not_the_end(
    bring: Bring, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("the database is away")

    def hurried(*_: object, **__: object) -> None:
        raise Refused(Code.RATE_LIMITED)

    for trouble in (away, hurried):
        monkeypatch.setattr("pbem.inbox.transports.webhooks.store_message", trouble)
        assert bring().status_code == 503
    monkeypatch.undo()
    settings.DISK_RESERVE = 10**9
    assert bring().status_code == 503
    settings.DISK_RESERVE = 0
    assert bring().status_code == 200


def test_a_provider_that_was_not_told_to_send_whole_letters_keeps_them(
    web: Client, postmark: Bring, caplog: pytest.LogCaptureFixture
) -> None:
    """It tries for hours, and the log says what to do."""
    assert postmark(RawEmail="").status_code == 503
    assert "Tell postmark to send the whole letter" in caplog.text
    headers = {"Authorization": basic()}
    body, kind = form({"headers": b"From: alice@example.org", "text": b"HELP"})
    assert web.post("/mail/sendgrid/inbound/", body, content_type=kind, headers=headers).status_code == 503


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b"\xff", b'{"RawEmail": 7}', b'{"RawEmail":"x","Headers":[7]}']
)
def test_what_nobody_can_read_is_no_fault_of_ours(web: Client, body: bytes) -> None:
    for name, kind in (
        ("postmark", JSON),
        ("sparkpost", JSON),
        ("mailersend", JSON),
        ("sendgrid", "multipart/form-data; boundary=x"),
        ("mailgun", JSON),
    ):
        headers = {"Authorization": basic()}
        answer = web.post(f"/mail/{name}/inbound/", body, content_type=kind, headers=headers)
        no_letters = (name, body) == ("sparkpost", b"[]")
        assert answer.status_code in (400, 403, 503) or no_letters
    assert kept() == []
