"""The site: its address, its proxy, its language."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error


def mistakes() -> Iterator[Error]:
    yield from _site()
    yield from _proxies()
    yield from _language()


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


def _language() -> Iterator[Error]:
    if settings.LANGUAGE_CODE not in dict(settings.LANGUAGES):
        yield Error(
            f"LANGUAGE_CODE is {settings.LANGUAGE_CODE!r}",
            hint=f"Write one of {', '.join(dict(settings.LANGUAGES))}.",
            id="pbem.E004",
        )
