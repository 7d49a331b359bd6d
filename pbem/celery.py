"""Celery carries no letters: a task holds the primary key of a row, and the rows are the queue."""

import gc
import os
import sys
import threading

from celery import Celery
from celery.signals import beat_init, celeryd_init, task_postrun, task_prerun, worker_before_create_process
from django.core.exceptions import ImproperlyConfigured
from django.db import close_old_connections

from pbem.checks import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # Django's would load the web; ours are in _refuse below


def application(name: str, *, current: bool = False) -> Celery:
    """Each knows all tasks and queues. A worker chooses the queues of its application, so each needs one of its own."""
    made = Celery(name, set_as_current=current)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks()
    # Celery closes connections, and the pool of PostgreSQL, before and after each task: a fifth of the time of a move
    # on SQLite. Django's own rule instead: each is kept as long as its settings say, if it still works.
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
        sys.exit(str(mistakes))  # Celery writes any other exception of a signal handler down, and goes on


@beat_init.connect
def _refuse_beat(**_: object) -> None:
    if threading.current_thread() is threading.main_thread():  # not in the thread inside manage.py serve
        _refuse()


@worker_before_create_process.connect
def _freeze(**_: object) -> None:
    """What is there before a worker forks is no garbage: to look for it there would make a copy of each page."""
    gc.collect()
    gc.freeze()
