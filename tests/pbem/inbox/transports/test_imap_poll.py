"""The mailbox is watched on after every trouble."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from pbem.inbox.transports import imap
from pbem.network import Account


@pytest.mark.parametrize(
    ("trouble", "level"),
    [(OSError("hung up"), logging.WARNING), (IndexError("an answer that nobody foresaw"), logging.ERROR)],
)
def test_it_tries_again_whatever_the_server_says(
    trouble: Exception, level: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop, attempts = threading.Event(), list[Account]()

    def signed_in(account: Account) -> Any:
        attempts.append(account)
        if len(attempts) == 3:
            stop.set()
        raise trouble

    monkeypatch.setattr(imap, "signed_in", signed_in)
    monkeypatch.setattr(imap, "FIRST_PAUSE", 0.0)
    imap.watch(Account.parse("imaps://alice:secret@mail.example.org/INBOX"), stop)
    assert len(attempts) == 3
    assert {record.levelno for record in caplog.records} == {level}
