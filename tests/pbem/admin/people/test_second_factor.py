"""The second factor: asked for however somebody signed in, each code once, and a way back in without the telephone."""

from __future__ import annotations

import re
from base64 import b32decode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from time import time

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from pbem.admin.models import AuditEntry
from pbem.admin.people import sign_in as second_factor
from pbem.admin.people.sign_in import sign_in_link

PAGE = "/admin/second-factor/"
NOW = datetime(2026, 3, 2, 12, 0, 10, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def code(user: User, at: datetime) -> str:
    device = TOTPDevice.objects.get(user=user, confirmed=True)
    return f"{totp(device.bin_key, t0=int(time() - at.timestamp())):06}"


def signed_in(user: User, **more: str) -> Client:
    browser = Client(**more)
    browser.force_login(user)
    return browser


def enrolled(user: User) -> list[str]:
    """The codes, twelve digits each; the code of the minute before NOW is used up."""
    before = int(NOW.timestamp()) // 30 - 2
    TOTPDevice.objects.create(user=user, last_t=before, created_at=NOW)
    return second_factor.new_recovery_codes(user)


def test_it_is_set_up_with_a_picture_and_a_code(olga: User, clock: time_machine.Traveller) -> None:
    browser = signed_in(olga)
    page = browser.get(PAGE).content.decode()
    assert 'src="data:image/svg+xml' in page
    [shown] = re.findall(r'class="line">([A-Z2-7 ]+)<', page)
    assert b'role="alert"' in browser.post(PAGE, {"code": "000000"}).content
    assert second_factor.of(olga) is None
    clock.shift(1)
    said = f"{totp(b32decode(shown.replace(' ', ''))):06}"
    assert (
        b'role="alert"' in signed_in(olga).post(PAGE, {"code": said}).content
    )  # each session has its own key
    done = browser.post(PAGE, {"code": said}).content.decode()
    assert len(set(re.findall(r"<li>(\d{4} \d{4} \d{4})</li>", done))) == second_factor.RECOVERY_CODES
    assert browser.get("/admin/").status_code == 200  # anyone who set it up has proved it
    assert AuditEntry.objects.get().verb == "second_factor"
    assert "10" in browser.get(PAGE).content.decode()
    assert TOTPDevice.objects.count() == 1


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
    clock.shift(1)
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
    clock.shift(1)
    assert signed_in(olga).post(PAGE, {"code": now}).status_code == 302
    assert signed_in(olga).post(PAGE, {"code": now}).status_code == 200
    clock.move_to(NOW + timedelta(minutes=4))
    assert signed_in(olga).post(PAGE, {"code": later}).status_code == 200


def test_nobody_guesses(olga: User, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture) -> None:
    enrolled(olga)
    browser = signed_in(olga, REMOTE_ADDR="198.51.100.7")
    for _ in range(5):
        browser.post(PAGE, {"code": "000000"})
        clock.shift(1)
    right = code(olga, NOW)
    assert browser.post(PAGE, {"code": right}).status_code == 200
    assert "sign-in refused from 198.51.100.7 (throttled) for 'olga'" in caplog.messages
    assert signed_in(olga, REMOTE_ADDR="203.0.113.9").post(PAGE, {"code": right}).status_code == 302


def test_of_many_who_guess_from_many_addresses_few_are_looked_at(
    olga: User, clock: time_machine.Traveller
) -> None:
    codes = enrolled(olga)
    for number in range(60):
        browser = signed_in(olga, REMOTE_ADDR=f"198.51.100.{number}")
        browser.post(PAGE, {"code": "000000"})
        clock.shift(60)
    device = second_factor.of(olga)
    assert device
    assert device.throttling_failure_count < 25
    right = code(olga, NOW + timedelta(hours=1))
    home = signed_in(olga, REMOTE_ADDR="203.0.113.9")
    assert home.post(PAGE, {"code": right}).status_code == 200
    assert home.post(PAGE, {"code": codes[0]}).status_code == 302, "a recovery code never waits"


def test_a_recovery_code_counts_once(olga: User, clock: time_machine.Traveller) -> None:
    codes = enrolled(olga)
    assert signed_in(olga).post(PAGE, {"code": codes[0]}).status_code == 302
    assert signed_in(olga).post(PAGE, {"code": codes[0]}).status_code == 200
    browser = signed_in(olga)
    browser.post(PAGE, {"code": codes[1].replace(" ", "-")})
    fresh = browser.post(PAGE, {"code": codes[2], "codes": ""}).content.decode()
    assert StaticToken.objects.count() == 10
    assert signed_in(olga).post(PAGE, {"code": codes[3]}).status_code == 200  # those from before are gone
    [again, *_] = re.findall(r"<li>(\d{4} \d{4} \d{4})</li>", fresh)
    assert browser.post(PAGE, {"off": ""}).status_code == 200  # not without a code
    assert TOTPDevice.objects.exists()
    assert browser.post(PAGE, {"code": again, "off": ""}).status_code == 302
    assert not TOTPDevice.objects.exists()
    assert not StaticDevice.objects.exists()


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


def test_no_page_of_the_admin_shows_a_key(olga: User) -> None:
    enrolled(olga)
    browser = signed_in(olga)
    codes = ("otp_totp/totpdevice", "otp_static/staticdevice", "axes/accessattempt")
    assert {browser.get(f"/admin/{where}/").status_code for where in codes} <= {302, 404}
    assert not {StaticDevice, TOTPDevice} & set(site._registry)


def test_the_operator_lets_somebody_in_again(olga: User, clock: time_machine.Traveller) -> None:
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
