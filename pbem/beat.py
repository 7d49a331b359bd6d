"""Celery's beat alone, `celery -A pbem.beat beat`, with the names and times of tasks but without Django's
models: a quarter of the memory of `celery -A pbem beat`."""

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

app = Celery("pbem", fixups=[])  # the Django fixup would set Django up
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect  # Celery would log every failure in a hundred lines, in its own format
def _log(loglevel: int, **_: Any) -> None:
    logging.config.dictConfig(settings.LOGGING)
    logging.getLogger("celery").setLevel(loglevel)


@beat_init.connect
def _refuse(**_: object) -> None:
    try:
        refuse_unsafe_settings()
    except ImproperlyConfigured as mistakes:
        sys.exit(str(mistakes))  # Celery logs any other exception of a signal handler, and goes on
