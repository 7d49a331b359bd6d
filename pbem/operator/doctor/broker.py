"""The broker: whether it hears us, and lets us write."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from redis import Redis, RedisError

from pbem.operator.problem import Problem

PATIENCE = 5.0  # seconds until it answers
SCHEMES = ("redis", "rediss")
HINT = "Write redis://HOST:6379/0, or leave it out and run everything in one process (pbem serve)."


def problems() -> Iterator[Problem]:
    url: str = settings.CELERY_BROKER_URL
    if url.startswith("memory:"):
        return
    try:
        if urlsplit(url).scheme not in SCHEMES:
            yield Problem("CELERY_BROKER_URL", "is no broker that is known here.", HINT)
            return
        broker = Redis.from_url(url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)
        broker.set("pbem:doctor", "was here", ex=1)
    except (RedisError, OSError, ValueError) as trouble:
        yield Problem(
            "CELERY_BROKER_URL",
            f"the broker cannot be used: {' '.join(str(trouble).split()).rstrip('.')}.",
            f"Is it running? {HINT}",
        )
