"""The sink has its bad moments by seed alone, and remembers what it took."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.chaos.sink import FAULTS, Sink
from tests.smtp_fixtures import Address, Letter, mailboxes

LETTER = b"Message-ID: <1@pbem.localhost>\r\nX-PBeM-Letter: turn\r\n\r\nYour move.\r\n"
ASKED = 400


@contextmanager
def opened(seed: int, calm: bool = False) -> Iterator[tuple[Sink, Address]]:
    read: list[Letter] = []
    sink = Sink(seed, read.append, calm=calm)
    with mailboxes(sink.connection) as address:
        yield sink, address
    assert read == sink.copies


def send(door: Address, to: str) -> tuple[int, bytes]:
    with smtplib.SMTP(*door, timeout=30) as smtp:
        smtp.mail("b+1@pbem.localhost")
        code, answer = smtp.rcpt(to)
        return (code, answer) if code >= 400 else smtp.data(LETTER)


def test_a_calm_sink_takes_everything_but_for_mailboxes_that_are_gone() -> None:
    with opened(1, calm=True) as (sink, door):
        assert send(door, "first0@players.localhost")[0] == 250
        assert send(door, "full-1@strangers.localhost")[0] == 250, "somebody has tidied up"
        assert send(door, "gone-1@strangers.localhost")[0] == 550
        assert send(door, "closed-1@strangers.localhost")[0] == 550
    assert [copy.to for copy in sink.copies] == ["first0@players.localhost", "full-1@strangers.localhost"]
    assert sink.copies[0].sender == "b+1@pbem.localhost"


def test_the_seed_decides_what_goes_wrong_for_whom() -> None:
    def faults(seed: int) -> list[object]:
        sink = Sink(seed, lambda letter: None)
        return [
            sink.fault(verb, "first0@players.localhost")
            for verb in ("MAIL", "RCPT", ".")
            for _ in range(ASKED)
        ]

    assert faults(1) == faults(1)
    assert faults(1) != faults(2)
    assert {fault for seed in range(5) for fault in faults(seed)} >= {
        fault for fault in FAULTS if fault.verb in ("MAIL", "RCPT", ".")
    }


def test_a_letter_whose_reply_was_dropped_is_in_the_log() -> None:
    to = "first0@players.localhost"
    seed = next(seed for seed in range(ASKED) if _faults_at(seed, to) == ["takes"])
    with opened(seed) as (sink, door), pytest.raises(smtplib.SMTPServerDisconnected):
        send(door, to)
    assert (len(sink.copies), sink.dropped) == (1, {"<1@pbem.localhost>": 1})


def _faults_at(seed: int, to: str) -> list[str]:
    """What goes wrong for the first letter."""
    sink = Sink(seed, lambda letter: None)
    met = [
        sink.fault(verb, who) for verb, who in (("", ""), ("MAIL", ""), ("RCPT", to), ("DATA", to), (".", to))
    ]
    return ["takes" if fault.takes else "other" for fault in met if fault]
