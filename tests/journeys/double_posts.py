"""A process that posts moves at boards, each at the same moment as another process does."""

from __future__ import annotations

import os
from multiprocessing.synchronize import Barrier
from queue import Queue


def post_all(url: str, cookie: str, posts: list[tuple[str, str]], together: Barrier, said: Queue) -> None:
    """Posts each move, and puts the statuses into the queue."""
    os.environ |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings", "DEVELOPMENT": "1"}
    import django  # noqa: PLC0415 - the process sets it up

    django.setup()
    from django.test import Client  # noqa: PLC0415 - as above

    from pbem.site.browsers import COOKIE  # noqa: PLC0415 - as above

    client = Client()
    client.cookies[COOKIE] = cookie
    found = []
    for path, move in posts:
        together.wait(60)
        found.append(
            client.post(path, {"deed": "play", "move": move}, headers={"host": "localhost"}).status_code
        )
    said.put(found)
