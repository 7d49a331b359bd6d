"""Celery carries bells, never letters: every task holds one primary key of a row that is the queue."""

import os
import sys
import threading

from celery import Celery
from celery.signals import beat_init, celeryd_init
from django.core.exceptions import ImproperlyConfigured

from pbem.safety import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")

app = Celery("pbem")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect  # sent by `celery worker`, not by the worker inside manage.py serve
def _refuse(**_: object) -> None:
    try:
        refuse_unsafe_settings()
    except ImproperlyConfigured as mistakes:
        sys.exit(str(mistakes))  # Celery writes any other exception of a signal handler down, and goes on


@beat_init.connect
def _refuse_beat(**_: object) -> None:
    if threading.current_thread() is threading.main_thread():  # not in the thread inside manage.py serve
        _refuse()
