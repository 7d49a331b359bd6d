"""Celery carries bells, never letters: every task holds one primary key of a row that is the queue."""

import os

from celery import Celery
from celery.signals import beat_init, celeryd_init

from pbem.safety import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")

app = Celery("pbem")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect  # of `celery worker`, not of the worker inside manage.py serve
@beat_init.connect
def _refuse(**_: object) -> None:
    refuse_unsafe_settings()
