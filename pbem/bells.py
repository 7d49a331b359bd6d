"""Rings a bell after the commit. A bell may be lost: the sweep rings again, the row stays."""

from typing import Any

from django.db import transaction

from pbem.moments import reach


def ring(task: Any, pk: int) -> None:
    """Call the Celery task with the key once the transaction is committed; a broker that is away only logs."""

    def call() -> None:  # not a partial: Django's log of a robust hook wants its name
        reach("ringing")
        task.delay(pk)

    transaction.on_commit(call, robust=True)
