"""The heart of a Celery worker: a thread of its own beside the letters, however many of them wait."""

from __future__ import annotations

import atexit
from contextlib import ExitStack

from celery.signals import worker_process_init, worker_ready

from pbem.inbox import reading_process
from pbem.inbox.transports.heartbeat import Heart
from pbem.matches.models import Component

_beating = ExitStack()


@worker_process_init.connect  # each process of a pool of processes, which Celery forks
def _begin(**_: object) -> None:
    _beating.enter_context(Heart(Component.WORKER, starts=True).beating())
    atexit.register(_beating.close)


@worker_ready.connect  # not sent by the worker inside manage.py serve
def _begin_with_threads(sender: object = None, **_: object) -> None:
    """A pool of threads, or none. Of processes the parent must not talk to the database: it forks more of them."""
    pool = type(getattr(sender, "pool", None)).__module__
    if not pool.endswith(("prefork", "solo")):  # solo has sent the other signal as well
        _begin()
        reading_process.use()
        atexit.register(reading_process.stop)
