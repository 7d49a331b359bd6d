"""What could not be written down is, before anything else; what never can be is in nobody's way."""

import pytest
from django.db import OperationalError

from pbem.queue.enqueue import DeferredWrites

pytestmark = pytest.mark.django_db  # a connection that is broken is closed


def test_what_could_not_be_written_is_written_before_anything_else() -> None:
    owed, away, written = DeferredWrites(), [True], []

    def note() -> None:
        if away:
            raise OperationalError("database is locked")
        written.append(1)

    owed.write(note)
    with pytest.raises(OperationalError):
        owed.flush()
    assert written == []
    away.clear()
    owed.flush()
    owed.flush()
    assert written == [1]


def test_a_fault_of_ours_is_not_put_off() -> None:
    with pytest.raises(ZeroDivisionError):
        DeferredWrites().write(lambda: 1 / 0)


def test_what_can_never_be_written_does_not_keep_the_process_from_its_work() -> None:
    owed, written = DeferredWrites(), []

    def note() -> None:
        raise ValueError("a string cannot contain NUL")

    owed._notes.append(note)
    owed._notes.append(lambda: written.append(1))
    owed.flush()
    assert written == [1]
