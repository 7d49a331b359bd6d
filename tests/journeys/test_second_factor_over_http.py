"""Somebody who knows a password of the staff, and has no second factor, reads no page of the desk, however they ask."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from tests.journeys.conftest import House
from tests.journeys.proxies import is_installed, proxy
from tests.processes import TIMEOUT, Process

pytestmark = pytest.mark.prove

PAGE = "/admin/auth/user/"
SECRET = "Zenobia"  # stands on that page
PASSWORD = "one that was found out"
NO_BROKER = "redis://127.0.0.1:1"  # nobody has to hear of what is asked here
FRONT = ("", "/x", "/admin/login", "/admin/sign-in", "/static")
NAMES = ("SCRIPT_NAME", "Script-Name", "script_name", "X_SCRIPT_NAME", "X-Script-Name", "X-Forwarded-Prefix")
ROUNDABOUT = (
    f"/{PAGE}",
    f"/{PAGE.upper()}",
    "/ADMIN/auth/user/",
    "/admin/login/../auth/user/",
    "/admin/login/%2e%2e/auth/user/",
    "/x/../admin/auth/user/",
    "/./admin/auth/user/",
    "/%61dmin/auth/user/",
    "/admin;x/auth/user/",
    "/admin/login;/auth/user/",
    "/admin/auth/user/;x",
    "/admin%2fauth/user/",
    "/admin//auth/user/",
    "/admin/auth/user",
    "/admin/auth/user/?next=/admin/login/",
    "/admin/login/?next=/admin/auth/user/",
    "/%0a/admin/auth/user/",
    "http://localhost/admin/auth/user/",
    "http://localhost//admin/auth/user/",
    "*",
)


def ways() -> Iterator[tuple[str, str, str]]:
    """The first line without the version, and more of the head."""
    for method in ("GET", "HEAD", "POST"):
        yield method, PAGE, ""
    for before in FRONT:
        for name in NAMES:
            yield "GET", f"{before}{PAGE}", f"{name}: {before or '/admin'}\r\n"
    for name in ("PATH_INFO", "Path-Info", "X-Original-URL", "X-Rewrite-URL", "SCRIPT_URL", "REDIRECT_URL"):
        yield "GET", "/", f"{name}: {PAGE}\r\n"
        yield "GET", PAGE, f"{name}: /\r\n"
    for name in ("REMOTE_USER", "Remote-User", "X-Remote-User"):
        yield "GET", PAGE, f"{name}: olga\r\n"
    for name in ("X-HTTP-Method-Override", "X-Method-Override"):
        yield "POST", PAGE, f"{name}: GET\r\n"
    for path in ROUNDABOUT:
        yield "GET", path, ""


def gunicorn(house: House) -> Process:
    words = ["pbem.wsgi", "--config", "python:pbem.gunicorn"]
    process = house.start("-m", "gunicorn", *words, CELERY_BROKER_URL=NO_BROKER)
    process.is_ready("Booting worker")
    return process


def gunicorn_alone(house: House) -> Process:
    """As it is when somebody starts it without our settings for it."""
    words = ["pbem.wsgi", "--bind", "{}:{}".format(*house.web)]
    process = house.start("-m", "gunicorn", *words, CELERY_BROKER_URL=NO_BROKER)
    process.is_ready("Booting worker")
    return process


WEBS: dict[str, tuple[Callable[[House], Process], str]] = {
    "serve": (House.serve, ""),
    "gunicorn": (gunicorn, ""),
    "gunicorn alone": (gunicorn_alone, ""),
    "caddy": (gunicorn_alone, "caddy"),
    "nginx": (gunicorn_alone, "nginx"),
}


@contextmanager
def web(house: House, name: str) -> Iterator[tuple[str, int]]:
    """Where it listens, or the proxy before it."""
    start, before = WEBS[name]
    if before and not is_installed(before):
        pytest.skip(f"Debian's package {before} is not installed")
    with ExitStack() as stack:
        house.stack.callback(start(house).stop)
        yield stack.enter_context(proxy(before, house.folder, house.web)) if before else house.web


def asked(address: tuple[str, int], head: str) -> tuple[int, str]:
    """The status, 0 where the line was cut, and all that was answered."""
    with socket.create_connection(address, timeout=TIMEOUT) as line:
        line.sendall(head.encode())
        answer = b"".join(iter(lambda: line.recv(65536), b"")).decode("utf-8", "replace")
    found = re.match(r"HTTP/1\.[01] (\d+)", answer)
    return int(found[1]) if found else 0, answer


def signed_in(address: tuple[str, int]) -> str:
    """The cookies of somebody who has written the password."""
    base = "Host: localhost\r\nConnection: close\r\n"
    _, page = asked(address, f"GET /admin/login/ HTTP/1.1\r\n{base}\r\n")
    token = cookie(page, "csrftoken")
    form = urlencode(
        {"username": "olga", "password": PASSWORD, "csrfmiddlewaretoken": token.partition("=")[2]}
    )
    head = f"{base}Cookie: {token}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    _, page = asked(
        address, f"POST /admin/login/ HTTP/1.1\r\n{head}Content-Length: {len(form)}\r\n\r\n{form}"
    )
    return f"{token}; {cookie(page, 'sessionid')}"


def cookie(answer: str, name: str) -> str:
    found = re.search(f"(?i)^Set-Cookie: *({name}=[^;]+)", answer, re.MULTILINE)
    assert found, answer.splitlines()[0]
    return found[1]


@pytest.mark.parametrize("name", WEBS)
def test_no_request_walks_around_it(house: House, name: str, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]  # as the service has it
    with house.rows():
        olga = User.objects.create_superuser("olga", first_name=SECRET, password=PASSWORD)
    with web(house, name) as address:
        base = f"Host: localhost\r\nConnection: close\r\nCookie: {signed_in(address)}\r\n"
        status, page = asked(address, f"GET {PAGE} HTTP/1.1\r\n{base}\r\n")
        assert status == 200
        assert SECRET in page, "what is hidden from here on"
        with house.rows():
            TOTPDevice.objects.create(user=olga)
        status, page = asked(address, f"GET {PAGE} HTTP/1.1\r\n{base}\r\n")
        assert (status, "Location: /admin/second-factor/" in page) == (302, True)
        status, _ = asked(address, f"GET /x/ HTTP/1.1\r\n{base}SCRIPT_NAME: /x\r\n\r\n")
        assert status == (302 if name == "gunicorn alone" else 404), "who asks does not write the environment"
        shown = []
        for method, path, more in ways():
            length = "Content-Length: 0\r\n" if method == "POST" else ""
            for version, host in (("1.1", base), ("1.0", base.replace("Host: localhost\r\n", ""))):
                status, page = asked(address, f"{method} {path} HTTP/{version}\r\n{host}{length}{more}\r\n")
                if SECRET in page or (status == 200 and method == "HEAD"):
                    shown.append((method, path, version, more.strip()))
        assert shown == []
