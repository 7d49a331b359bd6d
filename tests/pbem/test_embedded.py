"""The whole service in one process."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem import embedded


@pytest.mark.parametrize(
    ("vendor", "asked", "opening", "sending"),
    [("sqlite", None, 1, 2), ("postgresql", None, 2, 2), ("sqlite", 3, 3, 3), ("postgresql", 1, 1, 1)],
)
def test_who_may_write_alone_opens_letters_alone(
    monkeypatch: pytest.MonkeyPatch, vendor: str, asked: int | None, opening: int, sending: int
) -> None:
    connection: Any = type("Connection", (), {"vendor": vendor})
    monkeypatch.setattr(embedded, "connection", connection)
    threads = embedded._threads(asked)
    assert (threads["inbound"], threads["outbound"]) == (opening, sending)
    assert (threads["clock"], threads["robots"]) == (1, 1)


@pytest.mark.parametrize(
    ("method", "at_work", "rests"),
    [("GET", True, True), ("HEAD", True, True), ("POST", True, False), ("GET", False, False)],
)
def test_who_reads_the_web_waits_for_the_letters_at_work(
    monkeypatch: pytest.MonkeyPatch, method: str, at_work: bool, rests: bool
) -> None:
    moments, slept = iter((10.0, 10.004)), list[float]()
    monkeypatch.setattr(embedded, "active_requests", {"a letter"} if at_work else set())
    monkeypatch.setattr(
        embedded, "time", SimpleNamespace(perf_counter=lambda: next(moments), sleep=slept.append)
    )
    embedded._begin(environ={"REQUEST_METHOD": method})
    embedded._rest()
    assert slept == ([pytest.approx(0.24)] if rests else [])
