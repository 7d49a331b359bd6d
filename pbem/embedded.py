"""The whole service in one process: web, mail door, Celery workers and beat, each in threads."""

from __future__ import annotations

import gc
import logging
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from socket import AF_INET, AF_INET6
from typing import Any

from celery.beat import EmbeddedService
from celery.worker import WorkController
from celery.worker.state import active_requests
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import connection
from waitress.server import create_server
from waitress.wasyncore import close_all

from pbem.analysis.models import AnalysisJob
from pbem.celery import app, application
from pbem.inbox import reading_child, reading_process
from pbem.inbox import services as inbox
from pbem.inbox import tasks as inbox_tasks
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.inbox.transports.imap import watching
from pbem.inbox.transports.smtp_server import open_listener
from pbem.matches import tasks as match_tasks
from pbem.matches.models import Component
from pbem.network import listening
from pbem.outbox import sending as outbox
from pbem.outbox import tasks as outbox_tasks
from pbem.parts import Parts
from pbem.robots.models import EngineJob

log = logging.getLogger(__name__)
WEB: Mapping[str, Any] = {
    "threads": 4,  # more would slow players down; further visitors wait
    "connection_limit": 500,
    "asyncore_use_poll": True,  # select() fails beyond 1,024 files
    "channel_timeout": 10,  # seconds for a client that sends nothing, or reads nothing
    "cleanup_interval": 5,
    "max_request_header_size": 64 * 1024,
    "max_request_body_size": 64 * 1024 * 1024,  # a webhook may bring 32 MiB
    "clear_untrusted_proxy_headers": False,  # Django reads them, of TRUSTED_PROXIES only
    "log_socket_errors": False,
    "ident": "PBeM",  # hides the version
}
# All threads of a Python process share one core: 20 visitors who ask without end took three quarters of it.
RESTS = 60  # times what an answer took, and at most a second


@contextmanager
def running(*, worker_threads: int | None = None) -> Iterator[Parts]:
    """Runs the service inside the block. Raises AddressTaken before anything has started."""
    logging.getLogger("kombu.connection").setLevel(logging.ERROR)  # it warns that memory:// has no host name
    reading_child.warm()
    with ExitStack() as stack:
        stack.callback(reading_process.stop)
        reading_process.use(reading_child.answer)
        parts = [*stack.enter_context(_web()), *stack.enter_context(open_listener())]
        _release_leases()
        for queue, threads in _threads(worker_threads).items():
            parts += stack.enter_context(_worker(queue, threads))
        parts += stack.enter_context(
            HeartbeatThread(Component.WORKER, starts=True).beating()
        )  # not behind the letters
        parts += stack.enter_context(_beat())
        parts += stack.enter_context(watching(settings.IMAP_URL))
        match_tasks.beat.delay()
        inbox_tasks.sweep.delay()  # now, for what the last process left
        outbox_tasks.sweep.delay()
        gc.collect()
        gc.freeze()  # what stays is not looked through again: 0.2 s each time, while a move waits
        yield parts


def _threads(asked: int | None) -> Mapping[str, int]:
    """Returns the threads for each queue. SQLite has one writer, so that a second thread would only slow
    opening down. Two send: one may wait for a slow mail server."""
    opening = asked or (1 if connection.vendor == "sqlite" else 2)
    return {"inbound": opening, "outbound": asked or 2, "clock": 1, "robots": 1}


def _release_leases() -> None:
    """Releases leases of a killed process. With memory:// this is the only process, and has just begun; with
    several, leases expire instead.

    Should a second `serve` run on the same rows, no letter is carried out twice: it is locked, and its
    verdict checked first. A letter may be sent twice, with the same Message-ID.
    """
    if settings.CELERY_BROKER_URL == "memory://":
        inbox.release_leases()
        outbox.release_leases()
        EngineJob.objects.release_leases()
        AnalysisJob.objects.release_leases()


_visit = threading.local()


def _begin(*, environ: Mapping[str, Any], **_: Any) -> None:
    _visit.began = time.perf_counter()
    _visit.reads = environ["REQUEST_METHOD"] in ("GET", "HEAD")  # a POST may be a webhook that brings letters


def _rest(**_: Any) -> None:
    """Lets the thread that answered a visitor rest while letters are at work, so that play goes first."""
    if active_requests and _visit.reads:
        time.sleep(min(RESTS * (time.perf_counter() - _visit.began), 1))


@contextmanager
def _web() -> Iterator[Parts]:
    with listening("web", "WEB_LISTEN", settings.WEB_LISTEN) as (host, port):
        bound = socket.create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns when it is missing
    connections: dict[int, Any] = {}
    server = create_server(WSGIHandler(), connections, sockets=[bound], server_name=host, **WEB)
    thread = threading.Thread(target=server.run, name="web", daemon=True)
    thread.start()
    request_started.connect(_begin)
    request_finished.connect(_rest)
    answering = [each for each in threading.enumerate() if each.name.startswith("waitress-")]
    try:
        yield (thread, *answering)
    finally:
        request_started.disconnect(_begin)
        request_finished.disconnect(_rest)
        server.trigger.pull_trigger(lambda: close_all(connections))  # in its thread, which then ends
        thread.join(timeout=10)
        server.task_dispatcher.shutdown()


@contextmanager
def _worker(queue: str, threads: int) -> Iterator[Parts]:
    """Runs a worker for one queue, so that a slow mail server does not delay the opening of letters."""
    worker = WorkController(
        app=application(queue),
        hostname=f"{queue}@pbem",
        queues=[queue],
        pool="threads",
        concurrency=threads,
        without_heartbeat=True,
        without_gossip=True,
        without_mingle=True,
    )
    thread = threading.Thread(target=worker.start, name=f"{queue} worker", daemon=True)
    thread.start()
    try:
        yield (thread,)
    finally:
        worker.stop(in_sighandler=False)
        thread.join(timeout=10)


@contextmanager
def _beat() -> Iterator[Parts]:
    # The plain scheduler: the times of sweeps need not survive a restart.
    beat: Any = EmbeddedService(app, thread=True, scheduler_cls="pbem.queue.timer:Scheduler")
    beat.start()
    try:
        yield (beat,)
    finally:
        beat.service.stop(wait=False)  # it may sleep until the next sweep, and has nothing to save
