"""The whole service in one process: web, mail door, Celery worker and beat, each in threads."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from celery.beat import EmbeddedService
from celery.worker import WorkController
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

from pbem.celery import app
from pbem.inbox.door import door

log = logging.getLogger(__name__)


class AddressTaken(Exception):
    """Somebody listens there already. The message says where and what to do."""


@contextmanager
def running(*, worker_threads: int = 2) -> Iterator[None]:
    """Everything is ready inside the block. Raises AddressTaken before anything has started."""
    with ExitStack() as stack:
        stack.enter_context(_web())
        stack.enter_context(_door())
        stack.enter_context(_worker(worker_threads))
        stack.enter_context(_beat())
        yield


@contextmanager
def _door() -> Iterator[None]:
    controller = door(settings.DOOR_LISTEN, settings.DOOR_PROTOCOL)
    try:
        controller.start()
    except OSError as taken:
        raise _taken("mail door", "DOOR_LISTEN", settings.DOOR_LISTEN, taken) from taken
    try:
        yield
    finally:
        controller.stop()


@contextmanager
def _web() -> Iterator[None]:
    host, _, port = settings.WEB_LISTEN.rpartition(":")
    try:
        server = ThreadedWSGIServer((host.strip("[]"), int(port)), _Quiet, ipv6=":" in host)
    except OSError as taken:
        raise _taken("web", "WEB_LISTEN", settings.WEB_LISTEN, taken) from taken
    server.set_app(WSGIHandler())
    thread = threading.Thread(target=server.serve_forever, name="web", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _worker(threads: int) -> Iterator[None]:
    worker = WorkController(
        app=app,
        pool="threads",
        concurrency=threads,
        without_heartbeat=True,
        without_gossip=True,
        without_mingle=True,
    )
    thread = threading.Thread(target=worker.start, name="worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        worker.stop(in_sighandler=False)
        thread.join(timeout=10)


@contextmanager
def _beat() -> Iterator[None]:
    beat: Any = EmbeddedService(app, thread=True, schedule_filename=str(settings.VAR / "beat"))
    beat.start()
    try:
        yield
    finally:
        beat.stop()


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        log.info(format, *args)


def _taken(what: str, setting: str, where: str, error: OSError) -> AddressTaken:
    return AddressTaken(
        f"The {what} cannot listen on {where}: {error.strerror or error}. Is the service running already? "
        f"Set {setting}=HOST:PORT to choose another address."
    )
