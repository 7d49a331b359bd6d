"""The whole service in one process."""

from __future__ import annotations

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
