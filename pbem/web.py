"""The web server inside `manage.py serve`: a few threads, with time limits for clients."""

from __future__ import annotations

import logging
import queue
import socket
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import Any

from django.core.servers.basehttp import ServerHandler, WSGIRequestHandler, WSGIServer

log = logging.getLogger(__name__)
THREADS = 4  # more would slow players down; further visitors wait
HEAD = 5.0  # seconds for the head of a request, and between two parts of the rest
WHOLE = 60.0  # seconds for the whole request: a webhook may bring 32 MiB
GLANCE = 0.5  # seconds between two looks for slow clients


NAME = "PBeM"  # hides the versions of Python and of this server
ServerHandler.server_software = NAME


class _Handler(WSGIRequestHandler):
    timeout = HEAD
    server_version, sys_version = NAME, ""

    def parse_request(self) -> bool:
        """Reads the head of a request, and extends the deadline."""
        if not super().parse_request():
            return False
        server: Any = self.server
        server.has_asked(self.connection)
        return True

    def log_message(self, format: str, *args: object) -> None:
        log.info(format, *args)


class Web(WSGIServer):
    """Django's own server, which closes each connection after a response, with a pool of threads."""

    request_queue_size = 64

    def __init__(self, host: str, port: int) -> None:
        self._coming: queue.Queue[tuple[socket.socket, Any] | None] = queue.Queue(1)
        self._until: dict[socket.socket, float] = {}
        self._lock = threading.Lock()
        self._ends = False
        super().__init__((host, port), _Handler, ipv6=":" in host)
        self.threads = [
            threading.Thread(target=self._answer_all, name=f"web {number}", daemon=True)
            for number in range(THREADS)
        ]
        for thread in self.threads:
            thread.start()

    def process_request(self, request: Any, client_address: Any) -> None:
        while not self._ends:
            try:
                self._coming.put((request, client_address), timeout=GLANCE)
                return
            except queue.Full:
                self.service_actions()
        self.shutdown_request(request)

    def has_asked(self, request: socket.socket) -> None:
        """Extends the deadline: the head of the request has come."""
        self._wait_for(request, WHOLE)

    def service_actions(self) -> None:
        """Stops reading from slow clients; the response is still written."""
        now = monotonic()
        with self._lock:
            late = [request for request, until in self._until.items() if until < now]
            for request in late:
                del self._until[request]
        for request in late:
            with suppress(OSError):
                request.shutdown(socket.SHUT_RD)

    def shutdown(self) -> None:
        self._ends = True
        super().shutdown()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores clients that disconnect or time out."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def _answer_all(self) -> None:
        while (came := self._coming.get()) is not None:
            self._answer(*came)

    def _answer(self, request: socket.socket, client_address: Any) -> None:
        self._wait_for(request, HEAD)
        try:
            self.finish_request(request, client_address)
        except Exception:
            self.handle_error(request, client_address)
        finally:
            with self._lock:
                self._until.pop(request, None)
            self.shutdown_request(request)

    def _wait_for(self, request: socket.socket, seconds: float) -> None:
        with self._lock:
            self._until[request] = monotonic() + seconds
