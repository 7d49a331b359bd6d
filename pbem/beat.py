"""Celery's beat alone, `celery -A pbem.beat beat`: it knows of tasks nothing but their names and when they are due.

Without Django's models, and all that hangs on them, it takes a quarter of the memory that `celery -A pbem beat` takes.
"""

import logging.config
import os
import sys
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from pbem.checks import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")

app = Celery("pbem", fixups=[])  # one of which would set Django up
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect  # Celery would write every failure down in a hundred lines, in a form of its own
def _log(loglevel: int, **_: Any) -> None:
    logging.config.dictConfig(settings.LOGGING)
    logging.getLogger("celery").setLevel(loglevel)


@beat_init.connect
def _refuse(**_: object) -> None:
    try:
        refuse_unsafe_settings()
    except ImproperlyConfigured as mistakes:
        sys.exit(str(mistakes))  # Celery writes any other exception of a signal handler down, and goes on
