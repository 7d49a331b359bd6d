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
        from pbem.inbox.understanding import candidates, interpreter  # noqa: PLC0415

        read = candidates.candidates

        def endless(text: str, context: candidates.Context) -> Any:
            for said, step in PLANTED.items():
                if said in text:
                    step(text)
            return read(text, context)

        patch.object(interpreter, "candidates", endless).start()
