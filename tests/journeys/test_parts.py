"""A part of the service that ends by itself ends the process, so that what started it starts it anew."""

from __future__ import annotations

import os
import smtplib
import socket
import time
from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone

from pbem.matches.models import Component, Heartbeat
from tests.journeys.conftest import House
from tests.processes import TIMEOUT, Process, wait_until

pytestmark = pytest.mark.prove

# `manage.py COMMAND`, in whose thread of this name something goes wrong two seconds after it has begun.
FATAL = """
import ctypes, runpy, sys, threading, time
def strike():
    named = []
    while not named:
        time.sleep(0.1)
        named = [each for each in threading.enumerate() if each.name == {name!r} and each.is_alive()]
    while named[0].is_alive():  # once may be too little: asyncio survives what is raised as it writes
        time.sleep(2)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(named[0].ident), ctypes.py_object({error}))
threading.Thread(target=strike, daemon=True).start()
sys.argv = ["manage.py", {command!r}]
runpy.run_path("manage.py", run_name="__main__")
"""


def fatal(house: House, command: str, name: str, error: str = "RuntimeError", **env: str) -> Process:
    return house.start("-c", FATAL.format(command=command, name=name, error=error), **env)


def ends(house: House, process: Process) -> int:
    """Its status. Somebody asks and knocks all the time, so that no thread sleeps for ever."""
    end = time.monotonic() + TIMEOUT
    while process.ended is None and time.monotonic() < end:
        with suppress(OSError), socket.create_connection(house.web, timeout=1) as line:
            line.sendall(b"GET / HTTP/1.0\r\n\r\n")
        with suppress(OSError, smtplib.SMTPException):
            smtplib.SMTP(*house.door, timeout=1).close()
        time.sleep(0.2)
    assert process.ended is not None, f"it goes on without a part of it:\n{process.said}"
    return process.ended


@pytest.mark.parametrize(
    "name", ["web", "waitress-0", "mail door", "inbound worker", "clock worker", "worker heart", "Beat"]
)
def test_the_whole_service_ends_with_any_of_its_parts(house: House, name: str) -> None:
    process = fatal(house, "serve", name, "SystemExit" if name.endswith("heart") else "RuntimeError")
    assert ends(house, process) == os.EX_SOFTWARE, process.said
    assert (
        f"CRITICAL pbem.parts a part of the service has ended, and so does all of it: {name}" in process.said
    )


# What is due is sent by a thread that waits for ever from then on.
HANGS = """
import runpy, sys, threading
from pathlib import Path
from celery.beat import Scheduler
def send(self, *more, send=Scheduler.apply_entry, **named):
    if Path({file!r}).exists():
        threading.Event().wait()
    return send(self, *more, **named)
Scheduler.apply_entry = send
sys.argv = ["manage.py", "serve"]
runpy.run_path("manage.py", run_name="__main__")
"""


def test_what_hangs_is_missed_though_the_heart_beats(house: House) -> None:
    file = house.folder / "hang"
    process = house.start("-c", HANGS.format(file=str(file)), HEALTH_SECONDS="0.1", SWEEP_SECONDS="0.5")
    process.is_ready("web on ")
    wait_until(lambda: house.health == 200, "all is well")
    file.touch()
    wait_until(lambda: house.health == 503, "what is due is missed")
    assert process.ended is None
    with house.rows():
        last = Heartbeat.objects.filter(component=Component.WORKER).latest("beat_at").beat_at
        assert timezone.now() - last < timedelta(minutes=1), "the worker is not missed"


def test_a_door_of_its_own_ends_with_its_thread(house: House) -> None:
    process = fatal(house, "door", "mail door", CELERY_BROKER_URL="redis://127.0.0.1:1")
    assert ends(house, process) == os.EX_SOFTWARE, process.said
    assert "so does all of it: mail door" in process.said
