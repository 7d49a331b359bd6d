"""An installation as its environment says: what the settings make of it, and what the doctor finds."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from django.conf import Settings, settings
from django.utils import timezone

from pbem.operator import setting_up
from pbem.operator.management.commands.doctor import diagnose
from pbem.operator.problem import Problem
from tests.nameserver import Zone
from tests.relay import Relay
from tests.smtp_fixtures import free_port

KEY = "0123456789abcdef" * 4
DOMAIN = "play.example.org"
OURS = ("DJANGO_ALLOW_ASYNC_UNSAFE",)  # of the tests: a browser of earlier ones has its loop in this thread


@dataclass
class Installation:
    """`env` is the environment of one that is well; `file` its settings file, which is not there at first."""

    folder: Path
    env: dict[str, str]
    zone: Zone
    file: Path = field(init=False)

    def __post_init__(self) -> None:
        self.file = self.folder / "pbem.env"

    def problems(self, **changed: str | None) -> list[Problem]:
        env = {name: value for name, value in (self.env | changed).items() if value is not None}
        with surrounded_by(env) as refused, read_anew() as known:
            return list(
                diagnose(path=self.file, around=env, known=known, refused=refused(), now=timezone.now())
            )


@contextmanager
def surrounded_by(env: Mapping[str, str]) -> Iterator:
    """The settings are read from this environment, as by a process of its own; what they refuse is found out first."""
    refused: list[Problem] = []
    with ExitStack() as stack:
        ours = {name: os.environ[name] for name in OURS if name in os.environ}
        stack.enter_context(patch.dict(os.environ, env | ours, clear=True))
        stack.enter_context(_imported_anew("pbem.settings"))
        refused.extend(setting_up.refused())
        yield lambda: refused


@contextmanager
def _imported_anew(name: str) -> Iterator[None]:
    """This module alone: of any other there would be two, and classes that are not each other's."""
    own = sys.modules.pop(name, None)
    try:
        yield
    finally:
        sys.modules.pop(name, None)
        if own:
            sys.modules[name] = own


@contextmanager
def read_anew() -> Iterator[list[str]]:
    """Django has them; the names that they read."""
    source = importlib.import_module("pbem.settings")
    with patch.dict(settings.__dict__, {"_wrapped": Settings("pbem.settings")}, clear=True):
        yield sorted(source.env.dump())


def settings_of(var: Path, relay: Relay, names: Zone) -> dict[str, str]:
    """As `pbem setup` leaves them, before the first start."""
    return {
        "SECRET_KEY": KEY,
        "MAIL_TOKEN_KEYS": f"1:{KEY}",
        "MAIL_DOMAIN": DOMAIN,
        "SITE_URL": f"https://{DOMAIN}",
        "ORGANISER_EMAIL": "olga@example.org",
        "EMAIL_URL": relay.url,
        "VERIFY_SENDERS": "1",
        "SMTP_PROTOCOL": "lmtp",
        "SMTP_LISTEN": f"127.0.0.1:{free_port()}",
        "WEB_LISTEN": f"127.0.0.1:{free_port()}",
        "DKIM_SELECTORS": "pbem",
        "DNS_SERVERS": names.server,
        "VAR": str(var),
        "PATH": "/usr/bin",
        "LANGUAGE": "it",
    }


def zone() -> Zone:
    """A domain that has all that it should."""
    zone = Zone()
    zone.add(DOMAIN, "MX", f"10 {DOMAIN}.")
    zone.add(DOMAIN, "A", "192.0.2.1")
    zone.txt(DOMAIN, "v=spf1 mx -all")
    zone.txt(f"_dmarc.{DOMAIN}", "v=DMARC1; p=quarantine")
    zone.txt(f"pbem._domainkey.{DOMAIN}", "v=DKIM1; k=rsa; p=MIGf")
    zone.add("1.2.0.192.in-addr.arpa", "PTR", f"{DOMAIN}.")
    return zone
