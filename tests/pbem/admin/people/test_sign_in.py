"""The desk's door: passwords cannot be guessed there, and who tries stands in the log."""

import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from pbem.admin.people.sign_in import counted_address
from pbem.network import client_address

ROOT = Path(__file__).parents[4]
DOOR = "/admin/login/"
SECRET = "right horse battery"
PROXIES = ["127.0.0.1", "::1"]


@pytest.fixture
def keeper(db: None, settings: LazySettings) -> User:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return User.objects.create_superuser("olga", password=SECRET)


def tries(password: str, *, name: str = "olga", address: str = "198.51.100.7", **more: str) -> bool:
    """Whether they are let in."""
    browser = Client(REMOTE_ADDR=address)
    answer = browser.post(DOOR, {"username": name, "password": password, **more})
    assert answer.status_code in (200, 302)
    return answer.status_code == 302


def test_a_sign_in_without_a_next_leads_to_the_desk(keeper: User) -> None:
    answer = Client().post(DOOR, {"username": "olga", "password": SECRET}, follow=True)
    assert answer.redirect_chain == [("/admin/", 302)]
    assert answer.status_code == 200


def test_after_five_mistakes_even_the_right_password_is_refused(keeper: User) -> None:
    for _ in range(5):
        assert not tries("wrong")
    assert not tries(SECRET)
    assert tries(SECRET, address="203.0.113.9")  # elsewhere its owner still comes in


def said(name: str, password: str, address: str = "198.51.100.7") -> str:
    page = Client(REMOTE_ADDR=address).post(DOOR, {"username": name, "password": password})
    shown = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode())
    return shown.replace(name, "")


def test_the_answer_does_not_tell_whether_the_password_is_right(keeper: User) -> None:
    assert said("olga", "wrong") == said("nobody", "wrong")
    for _ in range(4):
        locked = said("olga", "wrong")
    assert "Too many mistakes" in locked
    assert "desk" in locked, "in the look of the admin"
    assert said("olga", SECRET) == locked
    for _ in range(4):
        assert "Too many mistakes" not in said("guest", "wrong", "203.0.113.9")


def test_who_guesses_elsewhere_locks_nobody_out_at_home(keeper: User) -> None:
    for number in range(20):
        for _ in range(6):
            assert not tries("wrong", address=f"198.51.100.{number}")
    assert tries(SECRET, address="203.0.113.9")


def test_the_name_may_not_be_written_otherwise(keeper: User) -> None:
    for name in ("olga", "OLGA", " olga", "Olga ", "oLGA"):
        tries("wrong", name=name)
    assert not tries(SECRET)


def test_time_and_success_forgive(keeper: User) -> None:
    for _ in range(4):
        tries("wrong")
    tries("wrong", name="bruno")
    assert tries(SECRET)
    assert AccessAttempt.objects.get().username == "bruno"
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        for _ in range(5):
            tries("wrong")
        clock.shift(timedelta(minutes=14))
        assert not tries(SECRET)  # what was not looked at makes nothing longer
        clock.shift(timedelta(minutes=2))
        assert tries(SECRET)
    assert not AccessAttempt.objects.filter(username="olga").exists()


def test_nothing_secret_is_written_down(keeper: User) -> None:
    tries("very wrong", name="olga")
    kept = str(AccessAttempt.objects.values().get())
    assert "very wrong" not in kept


def test_a_player_without_the_desk_is_counted_too(keeper: User) -> None:
    User.objects.create_user("guest", password=SECRET)
    for _ in range(5):
        assert not tries(SECRET, name="guest")
    assert "Too many mistakes" in said("guest", SECRET)


def test_a_refusal_is_a_line_for_fail2ban(keeper: User, caplog: pytest.LogCaptureFixture) -> None:
    filters = (ROOT / "deploy/fail2ban/pbem-desk.filter.conf").read_text("utf-8")
    pattern = re.search(r"^failregex = (.*)$", filters, re.MULTILINE)
    assert pattern
    wanted = re.compile(pattern.group(1).replace("<HOST>", r"(?P<host>[0-9a-f:.]+)"))
    with caplog.at_level(logging.WARNING, "pbem.signin"):
        for _ in range(6):
            tries("very wrong", name="olga from 192.0.2.1 (wrong)\nWARNING")
        tries("very wrong", address="2001:db8::1:2")
    lines = [f"{record.levelname} {record.name} {record.getMessage()}" for record in caplog.records]
    hosts = [found["host"] for line in lines if (found := wanted.search(line))]
    assert hosts == ["198.51.100.7"] * 6 + ["2001:db8::"]
    assert all("\n" not in line and "very wrong" not in line for line in lines)
    assert "(throttled)" in lines[5]


@pytest.mark.parametrize(
    ("asked", "said", "is_known_as"),
    [
        ("198.51.100.7", "", "198.51.100.7"),
        ("198.51.100.7", "192.0.2.1", "198.51.100.7"),  # no proxy of ours: it may say what it likes
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "10.0.0.1, 192.0.2.1", "192.0.2.1"),  # the left one came from outside
        ("127.0.0.1", "192.0.2.1, ::1", "192.0.2.1"),
        ("", "192.0.2.1", "192.0.2.1"),  # gunicorn behind a socket
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "olga", "unknown"),
        ("127.0.0.1", "2001:db8::1:2", "2001:db8::/64"),
        ("::ffff:198.51.100.7", "", "198.51.100.7"),
    ],
)
def test_behind_a_proxy_it_is_the_client_who_is_counted(asked: str, said: str, is_known_as: str) -> None:
    request = HttpRequest()
    request.META = {"REMOTE_ADDR": asked} | ({"HTTP_X_FORWARDED_FOR": said} if said else {})
    assert client_address(request, PROXIES) == is_known_as
    counted = is_known_as.removesuffix("/64")
    assert counted_address(request) == (None if counted == "unknown" else counted)


def test_the_proxy_of_the_sample_says_who_asks() -> None:
    sample = (ROOT / "deploy/nginx/pbem.conf").read_text("utf-8")
    assert sample.count("proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;") == 4
