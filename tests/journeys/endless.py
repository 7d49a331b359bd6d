"""Settings under which a step of understanding does not come back from a line that asks for it."""

from __future__ import annotations

import re
from typing import Any
from unittest.mock import patch

from django.apps import AppConfig

from pbem.settings import *  # noqa: F403
from pbem.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.journeys.endless.Endless"]
PATTERN = re.compile(r"(?:(?:no|no no)(?: |$))+")


def pattern(text: str) -> object:
    """Of which `re` tries each way; it lets no other thread run meanwhile."""
    return PATTERN.fullmatch("no " * 80 + "xq")


def loop(text: str) -> object:
    while True:
        len(text)


PLANTED = {"planted pattern": pattern, "planted loop": loop}


class Endless(AppConfig):
    name = "tests.journeys"
    label = "endless"

    def ready(self) -> None:
        from pbem.inbox.commands.nearest import Nearest  # noqa: PLC0415

        read = Nearest._near_as_written

        def endless(self: Nearest, text: str) -> Any:
            for said, step in PLANTED.items():
                if said in text:
                    step(text)
            return read(self, text)

        patch.object(Nearest, "_near_as_written", endless).start()
