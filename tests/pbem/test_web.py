"""The web of `manage.py serve` under people who ask without end, or never finish asking."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from pbem import web
from pbem.web import THREADS, Web
from tests.processes import wait_until


class Site:
    """A WSGI application that counts who is in it at once."""

    def __init__(self) -> None:
        self.inside = self.most = 0
        self.lock = threading.Lock()
        self.pause = 0.0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        body = environ["wsgi.input"].read()
        time.sleep(self.pause)
        with self.lock:
            self.inside -= 1
        start_response("200 OK", [("Content-Length", "4")])
        return [b"well" if not body else b"read"]


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def server(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setattr(web, "HEAD", 0.5)
    monkeypatch.setattr(web._Handler, "timeout", 0.5)
    monkeypatch.setattr(web, "GLANCE", 0.05)
    server = Web("127.0.0.1", 0)
    server.set_app(site)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join(timeout=10)
    assert not thread.is_alive()


def get(server: Web, body: bytes | None = None) -> bytes:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.request("POST" if body else "GET", "/", body)
    answer = connection.getresponse()
    assert answer.getheader("Connection") == "close", "nobody keeps a thread"
    return answer.read()


def test_it_answers(server: Web) -> None:
    assert get(server) == b"well"
    assert get(server, b"x" * 100_000) == b"read"


def test_no_more_than_a_few_at_once_and_everybody_in_the_end(server: Web, site: Site) -> None:
    site.pause = 0.02
    said: list[bytes] = []
    threads = [threading.Thread(target=lambda: said.append(get(server))) for _ in range(5 * THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [b"well"] * 5 * THREADS
    assert site.most == THREADS


def test_whoever_never_finishes_asking_is_not_waited_for(server: Web) -> None:
    before = threading.active_count()
    halves = [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(3 * THREADS)]
    for half in halves:
        half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
    assert get(server) == b"well", "after some seconds"
    assert threading.active_count() == before
    for half in halves:
        half.close()


def test_nor_whoever_says_a_letter_now_and_then(server: Web) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=5) as slow:
        slow.sendall(b"GET ")

        def ended() -> bool:
            try:
                slow.sendall(b"/")
                time.sleep(0.1)
                slow.setblocking(False)
                return slow.recv(1) == b""
            except BlockingIOError:
                return False
            except OSError:
                return True

        wait_until(ended, "the server hangs up", patience=10)
