"""What must not reach production: settings that cannot work and unsafe defaults, with a hint for each.

A mistake is an Error and not an exception of the module of settings, so that an operator hears of all of them at once,
and what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from pbem.checks import mail, numbers, production, site


def refuse_unsafe_settings(*, one_process: bool = False) -> None:
    """Raises ImproperlyConfigured with every mistake: for processes that run no system checks."""
    mistakes = list(_mistakes())
    if not one_process and settings.CELERY_BROKER_URL == "memory://":
        mistakes.append(_DEAF)
    if mistakes:
        raise ImproperlyConfigured("\n".join(f"{m.msg}\n  {m.hint}" for m in mistakes))


@register()
def check_settings(app_configs: Any, **_: Any) -> list[CheckMessage]:
    return list(_mistakes())


def _mistakes() -> Iterator[Error]:
    yield from mail.mistakes()
    yield from numbers.mistakes()
    yield from site.mistakes()
    if not settings.DEVELOPMENT:
        yield from production.mistakes()


_DEAF = Error(
    "CELERY_BROKER_URL is memory://, which no other process hears.",
    hint="Set CELERY_BROKER_URL=redis://..., or run everything in one process: manage.py serve.",
    id="pbem.E013",
)
