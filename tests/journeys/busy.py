"""Settings of a service that lives faster: its hearts beat twice a second, and seconds without one are an outage.

Where BUSY_SECONDS says so, every letter that is read and every sweep of the clocks holds its slot for so long.
"""

import time
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from django.apps import AppConfig
from environs import env

from pbem.settings import *  # noqa: F403
from pbem.settings import INSTALLED_APPS, VAR

INSTALLED_APPS = [*INSTALLED_APPS, "tests.journeys.busy.Busy"]
BUSY_SECONDS = env.float("BUSY_SECONDS", 0.0)
FIFTY_TIMES = 50


class Busy(AppConfig):
    name = "tests.journeys"
    label = "busy"
    path = str(Path(__file__).parent)

    def ready(self) -> None:
        from pbem.inbox import services  # noqa: PLC0415 - there are no models before
        from pbem.inbox.transports import heartbeat as heart  # noqa: PLC0415
        from pbem.matches import tasks  # noqa: PLC0415
        from pbem.matches.clock import outages  # noqa: PLC0415

        hurried = {name: getattr(outages, name) / FIFTY_TIMES for name in ("PERIOD", "GAP", "WAKING")}
        patch.multiple(outages, **hurried).start()
        patch.multiple(heart, FIRST=0.1, PERIOD=hurried["PERIOD"]).start()
        if BUSY_SECONDS:
            patch.multiple(services, interpret=work).start()
            patch.multiple(tasks, sweep_clocks=work).start()


def work(*_: Any, **__: Any) -> None:
    """Leaves a file as long as it lasts."""
    sign = Path(VAR, f"{uuid4()}.busy")
    sign.touch()
    time.sleep(BUSY_SECONDS)
    sign.unlink()
