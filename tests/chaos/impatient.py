"""The settings of the house, and what has no variable of its own, shortened so that a run ends today."""

from datetime import timedelta
from unittest.mock import patch

from django.apps import AppConfig

from pbem.settings import *  # noqa: F403
from pbem.settings import CELERY_BEAT_SCHEDULE, INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.chaos.impatient.Impatient"]
DIGESTS = 2.0  # seconds between two looks at whose is due
CELERY_BEAT_SCHEDULE = CELERY_BEAT_SCHEDULE | {
    "digests": CELERY_BEAT_SCHEDULE["digests"] | {"schedule": DIGESTS, "options": {"expires": DIGESTS}}
}
CPU_SECONDS = 10  # of what a robot looks into; a killed one's lease is some three times as long
MARGIN = timedelta(seconds=3)


class Impatient(AppConfig):
    name = "tests.chaos"
    label = "chaos"

    def ready(self) -> None:
        from pbem.robots import studies  # noqa: PLC0415 - there are no models before
        from pbem.robots.engine import Limits  # noqa: PLC0415

        patch.multiple(
            studies,
            CHILDREN=dict.fromkeys(studies.CHILDREN, "tests.chaos.shallow"),
            LIMITS=dict.fromkeys(studies.LIMITS, Limits(CPU_SECONDS)),
            MARGIN=MARGIN,
        ).start()
