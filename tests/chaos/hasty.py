"""The service broken on purpose: settings under which the door says 250 before it has kept the letter."""

import threading
import time
from typing import Any
from unittest.mock import patch

from django.apps import AppConfig

from pbem.settings import *  # noqa: F403
from pbem.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.chaos.hasty.HastyDoor"]
LATER = 0.3  # seconds


class _Promised:
    pk = "soon"


class HastyDoor(AppConfig):
    name = "tests.chaos"
    label = "chaos"

    def ready(self) -> None:
        from pbem.inbox.transports import smtp_server  # noqa: PLC0415 - there are no models before

        keep = smtp_server.store_message

        def promise(*args: Any, **kwargs: Any) -> Any:
            def later() -> None:
                time.sleep(LATER)
                keep(*args, **kwargs)

            threading.Thread(target=later).start()
            return _Promised

        patch.object(smtp_server, "store_message", promise).start()
