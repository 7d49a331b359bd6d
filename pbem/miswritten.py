"""Settings whose value is plainly not what they ask for, each with what to write instead. Part of `pbem.safety`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error


def miswritten() -> Iterator[Error]:
    yield from _domain()
    yield from _site()
    yield from _organiser()
    for proxy in settings.TRUSTED_PROXIES:
        try:
            ip_address(proxy)
        except ValueError:
            yield Error(
                f"TRUSTED_PROXIES: {proxy!r}", hint="Write IP addresses, with commas.", id="pbem.E060"
            )
    if not settings.SWEEP_SECONDS > 0:
        yield Error(
            f"SWEEP_SECONDS is {settings.SWEEP_SECONDS:g}: nothing would ever rest.",
            hint="Write more than 0, or leave it out: 15.",
            id="pbem.E061",
        )


def folder() -> Iterator[Error]:
    """Outside development alone: there it is made when it is needed."""
    var = str(settings.VAR)
    if not os.path.isdir(var):
        yield Error(
            f"VAR is {var!r}, which is no folder.",
            hint="Make it, and let the service's user own it: install --directory --owner pbem FOLDER.",
            id="pbem.E065",
        )
    elif not os.access(var, os.W_OK | os.X_OK):
        yield Error(
            f"VAR is {var!r}, where nothing can be written.",
            hint="Let the user of the service own it: chown pbem FOLDER.",
            id="pbem.E065",
        )


def _domain() -> Iterator[Error]:
    if not re.fullmatch(r"[\w-]+(\.[\w-]+)*", settings.MAIL_DOMAIN):
        yield Error(
            f"MAIL_DOMAIN is {settings.MAIL_DOMAIN!r}, which is no domain.",
            hint="Write what stands after the @ of play@, for instance play.example.org.",
            id="pbem.E062",
        )


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


def _organiser() -> Iterator[Error]:
    """Letters to the organiser would come to the program, which writes to the organiser about it."""
    local, _, domain = settings.ORGANISER_EMAIL.lower().rpartition("@")
    name, separator, _token = local.partition(settings.MAIL_SEPARATOR)
    if domain == settings.MAIL_DOMAIN and (local == "play" or (separator and len(name) == 1)):
        yield Error(
            f"ORGANISER_EMAIL is {settings.ORGANISER_EMAIL!r}, which this service reads itself.",
            hint="Write the address of a person.",
            id="pbem.E064",
        )
