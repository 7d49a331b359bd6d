"""Some letters come by way of a mail provider, which brings them to the web by HTTP (the words are Postmark's)."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from http.client import HTTPConnection, HTTPException

from tests.chaos.faults.scene import Scene
from tests.chaos.relay import TIMEOUT, Submission, Way, break_at, note
from tests.smtp_fixtures import Address, free_port

SHARE = 0.3
SECRET = "postmark:a long password of ours"
PAGE = "/mail/postmark/inbound/"
HEADERS = {
    "Authorization": f"Basic {b64encode(SECRET.encode()).decode()}",
    "Content-Type": "application/json",
}
GUNICORN = [sys.executable, "-m", "gunicorn", "pbem.wsgi", "--threads", "4", "--log-level", "warning"]


def bring_by_web(scene: Scene) -> None:
    web = ("127.0.0.1", free_port())
    scene.house.settings["ANYMAIL_WEBHOOK_SECRET"] = SECRET
    scene.house.add("web", [*GUNICORN, "--bind", "{}:{}".format(*web)])
    scene.relay.ways.append(Way("webhook", SHARE, lambda letter: True, lambda letter: _bring(web, letter)))


def _bring(web: Address, letter: Submission) -> None:
    """One attempt; anyone who hears nothing, or that it is too early, brings it again."""
    event = {
        "OriginalRecipient": letter.to,
        "Headers": [{"Name": "Return-Path", "Value": f"<{letter.sender}>"}],
        "RawEmail": letter.raw.decode(),
    }
    connection = HTTPConnection(*web, timeout=TIMEOUT)
    try:
        connection.connect()
        break_at("RCPT", letter)
        request = json.dumps(event).encode()
        connection.putrequest("POST", PAGE)
        for name, value in (HEADERS | {"Content-Length": str(len(request))}).items():
            connection.putheader(name, value)
        connection.endheaders(request[: len(request) // 2])
        break_at("DATA", letter)
        connection.send(request[len(request) // 2 :])
        answer = connection.getresponse()
        said = answer.read()
    except HTTPException as fell:
        raise ConnectionError(f"the web said {fell!r}") from fell
    finally:
        connection.close()
    break_at(".", letter)
    if answer.status == 200:
        letter.heard_yes()
    else:
        note(letter, 550 if answer.status in (403, 406) else 450, said)
