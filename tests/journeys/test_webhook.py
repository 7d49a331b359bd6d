"""A letter that a mail provider brings to the running service is answered like any other."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64encode
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from pbem.inbox.models import InboundMail
from pbem.mail.parsing.parts import LETTER
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY
from tests.journeys.conftest import House
from tests.processes import TIMEOUT

pytestmark = pytest.mark.prove

SECRET = "postmark:a long password of ours"


def brought(house: House, raw: bytes, secret: str = SECRET) -> int:
    """What Postmark hears."""
    event = {
        "OriginalRecipient": PLAY,
        "Headers": [{"Name": "Return-Path", "Value": f"<{ALICE}>"}],
        "RawEmail": raw.decode(),
    }
    headers = {
        "Authorization": f"Basic {b64encode(secret.encode()).decode()}",
        "Content-Type": "application/json",
    }
    url = "http://{}:{}/mail/postmark/inbound/".format(*house.web)
    with urlopen(Request(url, json.dumps(event).encode(), headers), timeout=TIMEOUT) as answer:
        return int(answer.status)


def test_a_letter_comes_in_by_webhook_and_its_answer_leaves(house: House) -> None:
    house.serve(ANYMAIL_WEBHOOK_SECRET=SECRET)
    register = LETTER_OF_ALICE.replace(b"HELP", b"REGISTER Alice")
    assert brought(house, register) == 200
    assert house.player("Alice").read().message["Reply-To"].addresses[0].addr_spec.startswith("c+")
    assert brought(house, register) == 200, "once more, after a timeout"
    largest = LETTER_OF_ALICE.replace(b"<1@", b"<2@") + b"a picture in text\r\n" * (LETTER // 20)
    assert brought(house, largest) == 200
    with pytest.raises(HTTPError, match="403"):
        brought(house, register, "postmark:another password")


def signed_by_mailgun(house: House, raw: bytes, key: str) -> int:
    """What a route with forward(".../inbound_mime/") posts, as Mailgun documents it."""
    at, token = str(int(time.time())), "b76e1a2f0c5d4e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e"
    fields = {
        "recipient": PLAY,
        "sender": ALICE,
        "from": f"Alice <{ALICE}>",
        "subject": "Sign up",
        "domain": "pbem.localhost",
        "X-Mailgun-Incoming": "Yes",
        "message-headers": json.dumps(
            [["X-Mailgun-Incoming", "Yes"], ["From", f"Alice <{ALICE}>"], ["To", PLAY]]
        ),
        "body-mime": raw.decode(),
        "timestamp": at,
        "token": token,
        "signature": hmac.new(key.encode(), f"{at}{token}".encode(), hashlib.sha256).hexdigest(),
    }
    return posted(house, "mailgun/inbound_mime", urlencode(fields).encode(), {})


def signed_by_mailersend(house: House, raw: bytes, key: str) -> int:
    """An inbound route's event, as MailerSend documents it: all of the body is signed, in the header Signature."""
    message = {
        "object": "message",
        "id": "62a0d9f3b4a5c6d7e8f90a1b",
        "sender": {"email": ALICE},
        "recipients": {"rcptTo": [{"email": PLAY}], "to": {"raw": PLAY, "data": [{"email": PLAY}]}},
        "from": {"name": "Alice", "email": ALICE, "raw": f"Alice <{ALICE}>"},
        "subject": "Sign up",
        "spf_check": {"code": "+", "value": None},
        "dkim_check": False,
        "raw": raw.decode(),
    }
    event = {
        "type": "inbound.message",
        "inbound_id": "inbound-1",
        "url": "https://play.example.org/mail/mailersend/inbound/",
        "created_at": "2026-03-02T12:00:00.000000Z",
        "data": message,
    }
    body = json.dumps(event).encode()
    seal = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
    return posted(house, "mailersend/inbound", body, {"Signature": seal, "Content-Type": "application/json"})


def posted(house: House, path: str, body: bytes, headers: dict[str, str]) -> int:
    url = "http://{}:{}/mail/{}/".format(*house.web, path)
    with urlopen(Request(url, body, headers), timeout=TIMEOUT) as answer:
        return int(answer.status)


def test_providers_that_sign_are_known_by_that(house: House) -> None:
    key = "a signing key of theirs"
    house.serve(ANYMAIL_MAILGUN_WEBHOOK_SIGNING_KEY=key, ANYMAIL_MAILERSEND_INBOUND_SECRET=key)
    register = LETTER_OF_ALICE.replace(b"HELP", b"REGISTER Alice")
    for signed in (signed_by_mailgun, signed_by_mailersend):
        with pytest.raises(HTTPError, match="403"):
            signed(house, register, "another key")
        assert signed(house, register, key) == 200
    assert house.player("Alice").read().message["Reply-To"].addresses[0].addr_spec.startswith("c+")
    with house.rows():
        assert InboundMail.objects.count() == 1, "two providers have brought the same email"


def test_where_no_provider_is_set_up_there_is_no_such_page(house: House) -> None:
    house.serve()
    with pytest.raises(HTTPError, match="404"):
        brought(house, LETTER_OF_ALICE)
