"""A letter that a mail provider brings to the running service is answered like any other."""

from __future__ import annotations

import json
from base64 import b64encode
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from pbem.mail.parsing.limits import LETTER
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY
from tests.journeys.conftest import House
from tests.processes import PATIENCE

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
    with urlopen(Request(url, json.dumps(event).encode(), headers), timeout=PATIENCE) as answer:
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


def test_where_no_provider_is_set_up_there_is_no_such_page(house: House) -> None:
    house.serve()
    with pytest.raises(HTTPError, match="404"):
        brought(house, LETTER_OF_ALICE)
