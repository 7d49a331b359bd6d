"""Sign-in and sessions as a browser keeps them: how long, who may read the cookie, and how they end."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from pbem.admin.people.sign_in import sign_in_link

pytestmark = [pytest.mark.browser, pytest.mark.prove]
PASSWORD = "the desk is mine"
HOURS = 3600


@pytest.fixture
def signing_in(page: Page, live_server: LiveServer, olga: User) -> Page:
    """The form that asks for the password."""
    olga.set_password(PASSWORD)
    olga.save()
    page.goto(f"{live_server.url}/admin/matches/match/")
    return page


def try_to(page: Page, password: str) -> None:
    page.fill("#id_username", "olga")
    page.fill("#id_password", password)
    with page.expect_navigation():
        page.click("[type=submit]")


def sessions(page: Page) -> list[Any]:
    return [dict(each) for each in page.context.cookies() if each["name"] == "sessionid"]


def test_a_session_is_twelve_hours_of_a_cookie_that_no_script_reads(signing_in: Page) -> None:
    try_to(signing_in, "not mine")
    assert sessions(signing_in) == []
    assert signing_in.locator("#id_password").input_value() == ""
    try_to(signing_in, PASSWORD)
    assert signing_in.url.endswith("/admin/matches/match/"), "where the way led before"
    [cookie] = sessions(signing_in)
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    assert 11 * HOURS < cookie["expires"] - time.time() <= 12 * HOURS
    assert "sessionid" not in signing_in.evaluate("document.cookie")


def test_a_session_that_has_ended_opens_nothing(signing_in: Page, live_server: LiveServer) -> None:
    try_to(signing_in, PASSWORD)
    [cookie] = sessions(signing_in)
    form = "form[action$='/admin/logout/']"
    signing_in.locator(form).first.evaluate("form => form.submit()")
    signing_in.wait_for_url("**/admin/logout/")
    assert not Session.objects.exists()
    signing_in.context.add_cookies([cookie])  # somebody has kept it
    signing_in.goto(f"{live_server.url}/admin/matches/match/")
    assert "/admin/login/" in signing_in.url


def test_a_new_password_ends_the_sessions_elsewhere(
    signing_in: Page, live_server: LiveServer, olga: User
) -> None:
    try_to(signing_in, PASSWORD)
    olga.set_password("another one, set elsewhere")
    olga.save()
    signing_in.goto(f"{live_server.url}/admin/matches/match/")
    assert "/admin/login/" in signing_in.url


def test_a_session_is_never_one_that_was_there_before(
    signing_in: Page, live_server: LiveServer, olga: User
) -> None:
    """Somebody who has put a cookie into the browser does not know the one that the sign-in makes."""
    planted: Any = {"name": "sessionid", "value": "a" * 32, "url": live_server.url}
    signing_in.context.add_cookies([planted])
    signing_in.goto(live_server.url + "/" + sign_in_link(olga).partition("://")[2].partition("/")[2])
    signing_in.click(".buttons button")
    signing_in.wait_for_url("**/admin/")
    [cookie] = sessions(signing_in)
    assert cookie["value"] != planted["value"]
