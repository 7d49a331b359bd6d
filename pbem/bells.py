"""Rings a bell after the commit. A bell may be lost: the sweep rings again, the row stays."""

from functools import partial
from typing import Any

from django.db import transaction


def ring(task: Any, pk: int) -> None:
    """Call the Celery task with the key once the transaction is committed; a broker that is away only logs."""
    transaction.on_commit(partial(task.delay, pk), robust=True)
