"""Each task takes up one letter: where more wait, by turns the oldest and the newest."""

import pytest
from django.test import TestCase

from pbem.queue.enqueue import TaskName
from pbem.queue.models import claim_in_order
from tests.broker import Enqueued

pytestmark = pytest.mark.django_db


def work(task: TaskName, pk: int, waiting: list[int], in_hands: tuple[int, ...] = ()) -> int | None:
    """A task that was enqueued for `pk` takes a letter out of those that wait, the oldest first; which one."""
    taken: list[int] = []

    def attempt(pk: int) -> bool:
        if pk in waiting and pk not in in_hands:
            waiting.remove(pk)
            taken.append(pk)
        return bool(taken)

    with TestCase.captureOnCommitCallbacks(execute=True):
        claim_in_order(
            task,
            pk,
            attempt=attempt,
            newest=lambda: waiting[-1] if waiting else None,
            oldest=lambda: waiting[0] if waiting else None,
        )
    return taken[0] if taken else None


def test_every_other_task_takes_the_newest(enqueued: Enqueued) -> None:
    task, waiting = TaskName("every other"), [1, 2, 3, 4, 5]
    enqueued[task] = [0]
    assert [work(task, pk, waiting) for pk in (1, 2, 3, 4, 5, 6)] == [1, 5, 2, 4, 3, None]


def test_nothing_waits_for_ever_while_more_comes(enqueued: Enqueued) -> None:
    """A letter comes for each that is taken: so it is where many play at the same time."""
    task, backlog, tasks, rounds = TaskName("more comes"), 5, 200, {}
    waiting = list(range(backlog))
    enqueued[task] = [0]
    for number in range(tasks):
        taken = work(task, number, waiting)
        assert taken is not None
        rounds[taken] = number
        waiting.append(backlog + number)
    assert not [pk for pk in range(tasks - 3 * backlog) if pk not in rounds]
    assert max(number - (pk - backlog) for pk, number in rounds.items()) <= 3 * backlog


def test_whose_letter_is_in_other_hands_takes_another(enqueued: Enqueued) -> None:
    task, waiting = TaskName("another"), [1, 2, 3]
    enqueued[task] = [0]
    assert work(task, 1, waiting, in_hands=(1,)) == 3


def test_a_task_too_few_is_made_up_for(enqueued: Enqueued) -> None:
    task, waiting = TaskName("too few"), [1, 2]
    work(task, 1, waiting)
    assert enqueued == {task: [2]}
    work(task, 2, waiting)
    assert enqueued == {task: [2]}, "nothing waits any more"


def test_none_is_enqueued_beside_another(enqueued: Enqueued) -> None:
    task, waiting = TaskName("beside"), [1, 2]
    enqueued[task] = [2]
    work(task, 1, waiting)
    assert enqueued == {task: [2]}
