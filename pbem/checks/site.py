"""The site: its address, its proxy, its folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error


def mistakes() -> Iterator[Error]:
    yield from _site()
    yield from _proxies()
    yield from _folder()


def _site() -> Iterator[Error]:
    try:
        site = urlsplit(settings.SITE_URL)
        known = site.scheme in ("http", "https") and bool(site.hostname) and not site.query
    except ValueError:
        known = False
    if not known:
        yield Error(
            f"SITE_URL is {settings.SITE_URL!r}, which is no address of a site.",
            hint="Write it with its scheme, for instance https://play.example.org.",
            id="pbem.E063",
        )


def _proxies() -> Iterator[Error]:
    for proxy in settings.TRUSTED_PROXIES:
        try:
            ip_address(proxy)
        except ValueError:
            yield Error(
                f"TRUSTED_PROXIES: {proxy!r}", hint="Write IP addresses, with commas.", id="pbem.E060"
            )


def _folder() -> Iterator[Error]:
    """Tried, since root may write where nobody can. In development it is made when it is needed."""
    var = settings.VAR
    there = next(filter(os.path.exists, (var, *var.parents))) if settings.DEVELOPMENT else var
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as trouble:
        yield Error(
            f"VAR is {str(var)!r}, where nothing can be written: {trouble.strerror}.",
            hint="Name a folder that the service's user owns: install --directory --owner pbem FOLDER makes one.",
            id="pbem.E065",
        )
