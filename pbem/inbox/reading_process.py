"""The child process that opens letters in free wording, while threads open all others.

A hanging pattern would block the interpreter of all threads, whereas a process can be interrupted and killed.
The holder of the lease sends the key and waits. Plain moves do not need it.

The first child is a copy of its parent, made before any thread or connection, and shares its memory. One that was
killed is replaced by a new process: locks that other threads hold would stay locked in a copy.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, TypeAlias

from django.conf import settings
from django.db import connections

from pbem.queue.enqueue import TaskName, enqueue_on_commit

CHILD = "pbem.inbox.reading_child"
_GIVEN = ("SITE_URL", "SMTP_LISTEN", "WEB_LISTEN", "TRUST_LOCAL_SENDERS", "EMAIL_URL")
TIMEOUT = 60.0  # seconds of wall time, for code that ignores signals

FAILPOINT = "DIE_AT"  # for the parent alone
_LAST_LETTER = 10.0  # seconds for the current letter when the service ends


# Reads keys, a line each, and writes a line of tasks for each.
Answer: TypeAlias = Callable[[BinaryIO, BinaryIO], None]


class Ended(Exception):
    """The process has ended while it opened the letter."""


class Silent(Exception):
    """The process did not respond and was killed."""


class _Copy:
    """A child that begins as a copy of this process, with what is used here of `subprocess.Popen`."""

    def __init__(self, answer: Answer) -> None:
        keys, self.stdin = _pipe()
        self.stdout, answers = _pipe()
        forking = multiprocessing.get_context("fork")
        self._process = forking.Process(target=self._run, args=(answer, keys, answers), daemon=True)
        self._process.start()
        keys.close()
        answers.close()

    def _run(self, answer: Answer, keys: BinaryIO, answers: BinaryIO) -> None:
        self.stdin.close()  # else the keys would not end with the parent
        self.stdout.close()
        os.setsid()
        os.dup2(2, 1)
        os.environ.pop(FAILPOINT, None)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        answer(keys, answers)

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> None:
        self._process.join(timeout)
        if timeout is not None and self.poll() is None:
            raise subprocess.TimeoutExpired(CHILD, timeout)


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    out, into = os.pipe()
    return os.fdopen(out, "rb"), os.fdopen(into, "wb")


_Child: TypeAlias = "_Copy | subprocess.Popen[bytes]"


class _Reader:
    """The child process, shared by all threads and restarted when it has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: _Child | None = None

    def copy(self, answer: Answer) -> None:
        """Starts the child as a copy where that is safe, otherwise as a new process."""
        if self._child is None and sys.platform == "linux" and threading.active_count() == 1:
            connections.close_all()
            self._child = _Copy(answer)
        else:
            self.start()

    def start(self) -> _Child:
        if self._child is None or self._child.poll() is not None:
            self._child = subprocess.Popen(
                [sys.executable, "-m", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_environment(),
                start_new_session=True,  # it ends with its standard input
            )
        return self._child

    def stop(self) -> None:
        child, self._child = self._child, None
        if child and child.stdin and child.stdout:
            with suppress(BrokenPipeError):
                child.stdin.close()
            try:
                child.wait(timeout=_LAST_LETTER)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            child.stdout.close()

    def ask(self, pk: int) -> bytes:
        """Opens the letter and returns the response line. Raises Ended or Silent."""
        with self._lock:
            child = self.start()
            assert child.stdin
            assert child.stdout
            burnt = threading.Event()
            fuse = threading.Timer(TIMEOUT, _end, [child, burnt])
            fuse.start()
            try:
                with suppress(BrokenPipeError):
                    child.stdin.write(b"%d\n" % pk)
                    child.stdin.flush()
                said = child.stdout.readline()
            finally:
                fuse.cancel()
            if not said:
                self.stop()
                self.start()
                raise Silent if burnt.is_set() else Ended
            return said


def _end(child: _Child, burnt: threading.Event) -> None:
    burnt.set()
    child.kill()


_reader = _Reader()
_used = False


def use(answer: Answer) -> None:
    """Starts the child in a process with threads that open letters; a copy of it answers there."""
    global _used
    _used = True
    _reader.copy(answer)


def stop() -> None:
    global _used
    _used = False
    _reader.stop()


def is_used() -> bool:
    return _used and threading.current_thread() is not threading.main_thread()


def open_there(pk: int) -> None:
    """Opens the letter in the child and enqueues its tasks. Raises Ended or Silent."""
    for task, key in json.loads(_reader.ask(pk)):
        enqueue_on_commit(TaskName(task), key)


def _environment() -> dict[str, str]:
    """The environment with the settings given to `serve` and `demo`, without failpoints."""
    said = {name: str(getattr(settings, name)) for name in _GIVEN}
    said["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(settings.ROOT), *filter(None, sys.path)]))
    return {name: value for name, value in (os.environ | said).items() if name != FAILPOINT}
