"""The Celery applications. Tasks carry primary keys, never letters: the rows are the queue."""

import os
import sys
import threading

from celery import Celery
from celery.signals import beat_init, celeryd_init, task_postrun, task_prerun
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections

from pbem.checks import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # Django's would load the web; ours are in _refuse below


def application(name: str, *, current: bool = False) -> Celery:
    """Returns an application with all tasks and queues. A worker needs its own, to select queues."""
    made = Celery(name, set_as_current=current)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks()
    # Celery closes the connections and PostgreSQL's pool around each task, which takes a fifth of the time of
    # a move on SQLite. Django's rule instead: connections live as long as the settings say, if they still
    # work.
    made.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize
    return made


app = application("pbem", current=True)


@task_prerun.connect
@task_postrun.connect
def _keep_what_works(**_: object) -> None:
    close_old_connections()


@celeryd_init.connect  # sent by `celery worker`, not by the worker inside manage.py serve
def _refuse(**_: object) -> None:
    try:
        refuse_unsafe_settings()
    except ImproperlyConfigured as mistakes:
        sys.exit(str(mistakes))  # Celery logs any other exception of a signal handler, and goes on


@beat_init.connect
def _refuse_beat(**_: object) -> None:
    if threading.current_thread() is threading.main_thread():  # not in the thread inside manage.py serve
        _refuse()
