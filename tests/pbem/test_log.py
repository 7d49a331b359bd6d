"""The log as objects, and the first error of an hour by mail."""

from __future__ import annotations

import json
import logging
import os
import threading
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.mail import EmailMessage

from pbem import log


@pytest.fixture
def sent(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    settings.VAR, settings.ERROR_EMAIL = tmp_path, "olga@example.org"
    sent: list[str] = []
    monkeypatch.setattr(log, "_send", sent.append)
    monkeypatch.setattr(threading.Thread, "start", lambda thread: thread._target(*thread._args))
    return sent


def error(handler: logging.Handler, text: str, *, logger: str = "pbem.inbox") -> None:
    try:
        raise ValueError(text)
    except ValueError as trouble:
        exc_info = (type(trouble), trouble, trouble.__traceback__)
        handler.handle(
            logging.LogRecord(logger, logging.ERROR, __file__, 1, "it %s", ("stumbled",), exc_info)
        )


def test_the_first_error_of_an_hour_is_mailed_whichever_process_has_it(
    sent: list[str], tmp_path: Path
) -> None:
    one, other = log.ByMail(), log.ByMail()
    for text in ("the first", "the second", "the third"):
        error(one, text)
        error(other, text)
    [letter] = sent
    assert "ERROR pbem.inbox: it stumbled" in letter
    assert "ValueError: the first" in letter
    stamp = tmp_path / "error-mail"
    os.utime(stamp, (stamp.stat().st_mtime - 3601,) * 2)
    error(one, "an hour later")
    assert len(sent) == 2
    assert "2 other errors of this process were not mailed" in sent[1]


def test_an_error_of_mailing_it_is_not_mailed(sent: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.current_thread(), "name", "ByMail")
    error(log.ByMail(), "the relay is away")
    assert sent == []


def test_a_relay_that_is_away_stops_nobody(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ERROR_EMAIL = "olga@example.org"

    def away(letter: EmailMessage) -> int:
        raise ConnectionRefusedError("nobody is there")

    monkeypatch.setattr(EmailMessage, "send", away)
    log._send("a text")
    assert "could not be mailed: nobody is there" in caplog.text


def test_a_line_of_the_log_as_an_object() -> None:
    record = logging.LogRecord("pbem.outbox", logging.WARNING, __file__, 1, "caffè\nfor %s", ("Ada",), None)
    said = json.loads(log.Json().format(record))
    assert (said["level"], said["logger"], said["message"]) == ("WARNING", "pbem.outbox", "caffè\nfor Ada")
    assert "\n" not in log.Json().format(record)
