"""The second factor: asked for however somebody signed in, each code once, and a way back in without the telephone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pyotp import TOTP

from pbem.admin.models import AuditEntry, RecoveryCode, SecondFactor
from pbem.admin.people import second_factor
from pbem.admin.people.sign_in import sign_in_link

PAGE = "/admin/second-factor/"
NOW = datetime(2026, 3, 2, 12, 0, 10, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def code(user: User, at: datetime) -> str:
    return str(TOTP(second_factor.secret_key(SecondFactor.objects.get(user=user).salt)).at(at))


def signed_in(user: User, **more: str) -> Client:
    browser = Client(**more)
    browser.force_login(user)
    return browser


def enrolled(user: User) -> list[str]:
    """The codes, twelve digits each; the code of the minute before NOW is used up."""
    salt, before = second_factor.new_salt(), NOW - timedelta(minutes=1)
    codes = second_factor.enrol(user, salt, TOTP(second_factor.secret_key(salt)).at(before), now=before)
    assert codes
    return codes


def test_it_is_set_up_with_a_picture_and_a_code(olga: User, clock: time_machine.Traveller) -> None:
    browser = signed_in(olga)
    page = browser.get(PAGE).content.decode()
    assert 'src="data:image/svg+xml' in page
    [shown] = re.findall(r'class="line">([A-Z2-7 ]+)<', page)
    assert b'role="alert"' in browser.post(PAGE, {"code": "000000"}).content
    assert not SecondFactor.objects.exists()
    done = browser.post(PAGE, {"code": TOTP(shown.replace(" ", "")).at(NOW)}).content.decode()
    assert len(set(re.findall(r"<li>(\d{4} \d{4} \d{4})</li>", done))) == second_factor.RECOVERY_CODES
    assert browser.get("/admin/").status_code == 200  # anyone who set it up has proved it
    assert AuditEntry.objects.get().verb == "second_factor"
    assert "10" in browser.get(PAGE).content.decode()


def test_nothing_secret_is_in_the_database(olga: User) -> None:
    codes = enrolled(olga)
    rows = str([*SecondFactor.objects.values(), *RecoveryCode.objects.values()])
    assert second_factor.secret_key(SecondFactor.objects.get().salt) not in rows
    assert not any(code in rows or code.replace(" ", "") in rows for code in codes)


def test_no_page_opens_before_the_code(olga: User, clock: time_machine.Traveller) -> None:
    other = signed_in(olga)  # signed in before, elsewhere: perhaps by somebody who knows the password
    enrolled(olga)
    browser = Client()
    link = sign_in_link(olga).partition("://")[2].partition("/")[2]
    browser.post(f"/{link}")
    for each in (browser, other):
        for path in ("/admin/", "/admin/players/player/?q=x", "/admin/password_change/", "/admin/jsi18n/"):
            answer = each.get(path)
            assert (answer.status_code, answer.headers["Location"][: len(PAGE)]) == (302, PAGE), path
        for before in ("/x", "/admin/login"):  # what some servers take from a header
            assert each.get("/admin/players/player/", SCRIPT_NAME=before).status_code == 302
    assert browser.post("/admin/players/player/add/", {"name": "x"}).headers["Location"].startswith(PAGE)
    asked = f"{PAGE}?next=/admin/players/player/%3Fq%3Dx"
    assert browser.post(asked, {"code": "123456"}).status_code == 200
    assert (
        browser.post(asked, {"code": f" {code(olga, NOW)} "}).headers["Location"]
        == "/admin/players/player/?q=x"
    )
    assert browser.get("/admin/").status_code == 200
    assert other.get("/admin/").status_code == 302


def test_only_the_ways_in_are_outside_of_what_it_guards() -> None:
    below: list[URLPattern | URLResolver] = [
        each for each in get_resolver().url_patterns if str(each.pattern).startswith("admin/")
    ]
    assert {each.name for each in below if isinstance(each, URLPattern)} == {
        "admin_password_reset", "sign-in-once", "new-password", "second-factor",
    }  # fmt: skip
    assert [each.namespace for each in below if isinstance(each, URLResolver)] == ["admin"]


def test_a_code_counts_once_and_for_a_minute_and_a_half(olga: User, clock: time_machine.Traveller) -> None:
    enrolled(olga)
    now, later = code(olga, NOW), code(olga, NOW + timedelta(minutes=2))
    assert signed_in(olga).post(PAGE, {"code": later}).status_code == 200
    assert signed_in(olga).post(PAGE, {"code": now}).status_code == 302
    assert signed_in(olga).post(PAGE, {"code": now}).status_code == 200
    clock.move_to(NOW + timedelta(minutes=4))
    assert signed_in(olga).post(PAGE, {"code": later}).status_code == 200


def test_nobody_guesses(olga: User, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture) -> None:
    enrolled(olga)
    browser = signed_in(olga, REMOTE_ADDR="198.51.100.7")
    for _ in range(5):
        browser.post(PAGE, {"code": "000000"})
    right = code(olga, NOW)
    assert browser.post(PAGE, {"code": right}).status_code == 200
    assert "sign-in refused from 198.51.100.7 (throttled) for 'olga'" in caplog.messages
    assert signed_in(olga, REMOTE_ADDR="203.0.113.9").post(PAGE, {"code": right}).status_code == 302


def test_a_recovery_code_counts_once(olga: User, clock: time_machine.Traveller) -> None:
    codes = enrolled(olga)
    assert signed_in(olga).post(PAGE, {"code": codes[0]}).status_code == 302
    assert signed_in(olga).post(PAGE, {"code": codes[0]}).status_code == 200
    browser = signed_in(olga)
    browser.post(PAGE, {"code": codes[1].replace(" ", "-")})
    fresh = browser.post(PAGE, {"code": codes[2], "codes": ""}).content.decode()
    assert RecoveryCode.objects.count() == 10
    assert signed_in(olga).post(PAGE, {"code": codes[3]}).status_code == 200  # those from before are gone
    [again, *_] = re.findall(r"<li>(\d{4} \d{4} \d{4})</li>", fresh)
    assert browser.post(PAGE, {"off": ""}).status_code == 200  # not without a code
    assert SecondFactor.objects.exists()
    assert browser.post(PAGE, {"code": again, "off": ""}).status_code == 302
    assert not SecondFactor.objects.exists()


def test_where_it_is_required_nobody_works_without(
    olga: User, clock: time_machine.Traveller, settings: LazySettings
) -> None:
    assert signed_in(olga).get("/admin/").status_code == 200
    settings.SECOND_FACTOR_REQUIRED = True
    browser = signed_in(olga)
    assert browser.get("/admin/").headers["Location"] == f"{PAGE}?next=%2Fadmin%2F"
    assert b"data:image/svg+xml" in browser.get(PAGE).content


def test_strangers_and_players_get_nothing_there(db: None) -> None:
    assert Client().get(PAGE).headers["Location"].startswith("/admin/login/")
    guest = signed_in(User.objects.create_user("guest"))
    assert guest.get(PAGE).headers["Location"].startswith("/admin/login/")


def test_nobody_is_sent_elsewhere(olga: User, clock: time_machine.Traveller) -> None:
    codes = enrolled(olga)
    answer = signed_in(olga).post(f"{PAGE}?next=https://evil.example/admin/", {"code": codes[0]})
    assert answer.headers["Location"] == "/admin/"


def test_the_operator_lets_somebody_in_again(olga: User) -> None:
    enrolled(olga)
    said = StringIO()
    call_command("second_factor", stdout=said)
    assert said.getvalue() == "olga: since 2026-03-02\n"
    call_command("second_factor", forget="olga", stdout=said)
    assert said.getvalue().endswith("olga: no second factor\n")
    assert signed_in(olga).get("/admin/").status_code == 200
    assert AuditEntry.objects.get().who == "pbem"
    with pytest.raises(CommandError, match="bruno"):
        call_command("second_factor", forget="bruno", stdout=said)
