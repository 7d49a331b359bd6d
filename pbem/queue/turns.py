"""Whose turn it is: a task takes up that letter, whichever it was enqueued for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from pbem.queue.enqueue import TaskName, enqueue_on_commit, tasks_waiting

Chosen = Callable[[], int | None]


def take_turn(
    task: TaskName, pk: int, *, attempt: Callable[[int], bool], newest: Chosen, oldest: Chosen
) -> None:
    """What a task does that was enqueued for `pk`: as many tasks as letters, in any order. `attempt` says whether there
    was one.

    Where more tasks wait, one takes the newest letter, so that what has just come never waits behind a backlog, and
    the next one the oldest, so that nothing waits for ever: not its own, for those whose tasks took the newest would
    have none.
    """
    ways: Sequence[Chosen] = (lambda: pk, oldest, newest)
    if tasks_waiting(task):
        ways = (newest, oldest) if next(_turns[task]) % 2 else (oldest, newest)
    for way in ways:
        chosen = way()
        if chosen is not None and attempt(chosen):
            break
    if (
        not tasks_waiting(task) and (more := oldest()) is not None
    ):  # one found its letter in other hands, and was lost
        enqueue_on_commit(task, more)


_turns: defaultdict[TaskName, Iterator[int]] = defaultdict(count)  # from 0; two threads never draw the same
