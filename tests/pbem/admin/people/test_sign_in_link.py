"""Anyone who has no password comes in by a letter: once, for an hour, and nobody learns who works here."""

from __future__ import annotations

import re
import threading
from datetime import timedelta

import pytest
from django.conf import LazySettings, settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.test import Client

from pbem.admin.people import sign_in

ASK = "/admin/sign-in/"


@pytest.fixture
def olga(db: None) -> User:
    return User.objects.create_superuser("olga", "Olga@example.org")  # without a password


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """At once, in this thread."""
    sent: list[EmailMessage] = []
    monkeypatch.setattr(sign_in, "_send", lambda letter, who: sent.append(letter))
    monkeypatch.setattr(threading.Thread, "start", lambda thread: thread._target(*thread._args))
    return sent


def asks(email: str) -> str:
    answer = Client(REMOTE_ADDR="198.51.100.7").post(ASK, {"email": email})
    return re.sub(r'value="\w{64}"', "", answer.content.decode())


def links(letter: EmailMessage) -> list[str]:
    return [
        line.removeprefix(settings.SITE_URL)
        for line in str(letter.body).splitlines()
        if line.startswith("http")
    ]


def test_a_link_signs_in_once(olga: User, sent: list[EmailMessage]) -> None:
    asks(" olga@example.ORG ")
    [letter] = sent
    assert letter.to == ["Olga@example.org"]
    assert all(len(line) <= 72 or line.startswith("http") for line in str(letter.body).splitlines())
    sign_in, _ = links(letter)
    browser = Client()
    assert browser.get(sign_in).status_code == 200  # what a mail program looks at is not used up
    assert "_auth_user_id" not in browser.session
    assert browser.post(sign_in).headers["Location"] == "/admin/"
    assert browser.get("/admin/").status_code == 200
    assert browser.session.get_expiry_age() == 12 * 3600
    assert Client().post(sign_in).status_code == 404


def test_a_new_password_by_the_other_link(olga: User, sent: list[EmailMessage]) -> None:
    asks("olga@example.org")
    _, change = links(sent[0])
    browser = Client()
    page = browser.get(change, follow=True)
    form = page.redirect_chain[-1][0]
    short = browser.post(form, {"new_password1": "short", "new_password2": "short"})
    assert short.status_code == 200
    secret = "right horse battery"
    done = browser.post(form, {"new_password1": secret, "new_password2": secret})
    assert done.headers["Location"] == "/admin/login/"
    assert Client().post("/admin/login/", {"username": "olga", "password": secret}).status_code == 302
    assert b"<form" not in Client().get(change, follow=True).content  # used up


def test_a_link_is_too_old_after_an_hour(
    olga: User, sent: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks("olga@example.org")
    generator = default_token_generator
    later = generator._now() + timedelta(seconds=3601)
    monkeypatch.setattr(type(generator), "_now", lambda self: later)
    assert Client().get(links(sent[0])[0]).status_code == 404


def test_nobody_learns_who_works_here(olga: User, sent: list[EmailMessage]) -> None:
    User.objects.create_user("guest", "guest@example.org")
    User.objects.create_user("gone", "gone@example.org", is_staff=True, is_active=False)
    assert asks("olga@example.org") == asks("guest@example.org") == asks("gone@example.org") == asks("")
    assert len(sent) == 1


def test_asking_is_throttled_and_a_line_in_the_log(
    olga: User, sent: list[EmailMessage], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(7):
        asks("olga@example.org")
    assert len(sent) == 5
    assert "sign-in refused from 198.51.100.7 (throttled) for '…@example.org'" in caplog.messages


def test_the_sign_in_form_leads_there(db: None) -> None:
    assert f'href="{ASK}"' in Client().get("/admin/login/").content.decode()


def test_it_leaves_by_the_way_of_our_letters(settings: LazySettings, tmp_path) -> None:
    settings.EMAIL_BACKEND = "pbem.outbox.delivery.backends.Backend"
    settings.EMAIL_URL = f"file://{tmp_path}"
    assert EmailMessage("A subject", "A text\n.\nwith a dot", to=["olga@example.org"]).send() == 1
    [file] = tmp_path.glob("olga@example.org-*.eml")
    raw = file.read_bytes()
    assert b"From: PBeM <play@pbem.localhost>\r\n" in raw
    assert b"Auto-Submitted: auto-generated\r\n" in raw
