"""`python -m pbem.inbox.reading_child`: opens the letters named on standard input, prints their tasks."""

from __future__ import annotations

import gc
import json
import os
import sys
from functools import cache
from typing import BinaryIO

import django
from django.conf import settings
from django.db import close_old_connections
from django.template.loader import get_template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from pbem.budget import unlimited
from pbem.intents import answers, remarks
from pbem.queue.enqueue import gathered

# Compiles patterns and templates, loads the classifiers and the public suffixes before the first letter.
WARMING = ("I would like to play with Bruno, please", "vorrei giocare con Anna, per favore")


def main() -> None:
    django.setup()
    warm()
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # other output goes to standard error
    answer(sys.stdin.buffer, told)


@cache
def warm() -> None:
    """Loads what takes longer than a letter, and sets it aside from garbage collection, which would copy it."""
    from pbem.inbox.understanding.near_misses import near_misses  # noqa: PLC0415 - models exist only now
    from pbem.mail.authentication.dkim import organisation  # noqa: PLC0415
    from pbem.outbox.rendering.links import partials  # noqa: PLC0415
    from pbem.outbox.rendering.sections import builders  # noqa: PLC0415

    organisation(settings.MAIL_DOMAIN)
    with unlimited():
        for said in WARMING:
            near_misses([said], is_move=lambda text, number: False, own=None, legal=None)
            answers(said)
            remarks(said)
    builders()
    for suffix in ("txt", "html"):
        partials(suffix)
        get_template(f"mail/letter.{suffix}")
    for language in dict(settings.LANGUAGES):
        with override(language):
            date_format(timezone.now())
    gc.collect()
    gc.freeze()


def answer(keys: BinaryIO, told: BinaryIO) -> None:
    """Opens the letter of each line and answers with its tasks, until there are no more lines."""
    from pbem.inbox.services import open_leased  # noqa: PLC0415

    for line in keys:
        close_old_connections()
        with gathered() as tasks:
            open_leased(int(line), now=timezone.now())
        told.write(json.dumps(tasks).encode() + b"\n")
        told.flush()


if __name__ == "__main__":
    main()
