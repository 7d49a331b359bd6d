"""Web requesters who never end stop neither the web nor play."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from pbem.demo.play import ENGLISH, GAMES, ITALIAN, Cast
from tests.journeys.conftest import House

pytestmark = pytest.mark.prove

REQUESTERS = 20  # of each kind
PAUSE = 0.5  # seconds between two lines of a slow header


@pytest.fixture
def slow(house: House) -> Iterator[None]:
    """Connections that send a header without end, and connections that ask for pages and read none."""
    house.serve()
    ended = threading.Event()

    def send() -> None:
        while not ended.wait(PAUSE):
            for line in lines:
                with suppress(OSError):
                    line.sendall(b"X-Slow: 1\r\n")

    with ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(house.web)) for _ in range(REQUESTERS)]
        for line in lines:
            line.sendall(b"GET /health/ HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        for _ in range(REQUESTERS):
            deaf = stack.enter_context(socket.create_connection(house.web))
            deaf.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
        sender = threading.Thread(target=send)
        sender.start()
        yield
        ended.set()
        sender.join()


@pytest.mark.usefixtures("slow")
def test_a_plain_request_is_answered_and_a_game_is_played(house: House) -> None:
    assert house.health == 200
    players = {name: house.player(name) for name in ("Alice", "Bruno")}
    cast = Cast(players, {"Alice": ENGLISH, "Bruno": ITALIAN}, lambda line: None)
    for name in players:
        cast.sign_up(name)
    cast.play(GAMES[0])
    assert house.health == 200
