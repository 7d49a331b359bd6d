"""What a worker does before it forks."""

from __future__ import annotations

import gc

from celery.signals import worker_before_create_process

from pbem.inbox import tasks


def test_what_is_loaded_before_a_fork_is_not_scanned_for_garbage() -> None:
    gc.unfreeze()
    worker_before_create_process.send(tasks)
    assert gc.get_freeze_count() > 10_000
