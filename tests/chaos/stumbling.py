"""Settings under which reading stumbles over a letter with the header `STUMBLES_OVER`, until it is opened again.

The pauses of production are shortened so that a run ends today. With `HOLDS=no` the service is broken on purpose: what
is set aside does not hold its match.
"""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

from django.apps import AppConfig

from pbem.settings import *  # noqa: F403
from pbem.settings import INSTALLED_APPS, env

INSTALLED_APPS = [*INSTALLED_APPS, "tests.chaos.stumbling.Stumbling"]
STUMBLES_OVER = env.str("STUMBLES_OVER")
HOLDS = env.bool("HOLDS", True)
RETRY = (timedelta(seconds=0.2),)
BEATS = timedelta(seconds=1)
KEEPING = timedelta(seconds=2)  # the longest that a letter is being kept


class Stumbling(AppConfig):
    name = "tests.chaos"
    label = "chaos"

    def ready(self) -> None:
        from pbem.inbox import services, shunt, time_forfeits  # noqa: PLC0415
        from pbem.inbox.transports import heartbeat as heart  # noqa: PLC0415
        from pbem.matches.clock import outages  # noqa: PLC0415

        patch.multiple(services, RETRY=RETRY).start()
        patch.multiple(heart, PERIOD=BEATS).start()
        patch.multiple(outages, PERIOD=BEATS, WAKING=timedelta()).start()
        patch.multiple(time_forfeits, LONGEST_KEEPING=KEEPING).start()
        interpret = services.interpret

        def stumble(row: Any) -> Any:
            if f"\r\n{STUMBLES_OVER}: ".encode() in bytes(row.raw) and services.RELEASED not in row.reading:
                raise LookupError("what nobody has thought of")
            return interpret(row)

        patch.object(services, "interpret", stumble).start()
        if not HOLDS:
            patch.object(shunt, "hold", lambda match, since: None).start()
