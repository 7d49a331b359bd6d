"""Outgoing letters, in the admin: as their readers see them, and sent again."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.refusals import Code

LIST = "/admin/outbox/outboundmail/"


def page(row: OutboundMail) -> str:
    return f"{LIST}{row.pk}/change/"


def test_the_page_shows_text_and_html_with_its_picture(
    desk: Client, turn_letter: OutboundMail, language: str
) -> None:
    html = desk.get(page(turn_letter)).content.decode()
    assert f'<html lang="{language}"' in html
    (frame,) = re.findall(r'<iframe[^>]* sandbox=""[^>]* srcdoc="([^"]*)"', html)
    letter = unescape(frame)
    assert 'src="data:image/png;base64,' in letter
    assert "cid:" not in letter
    (text,) = re.findall(r'<pre class="desk-paper" id="text">(.*?)</pre>', html, re.DOTALL)
    assert "Alice - Bruno" in unescape(html)
    assert "| X |" in unescape(text)


def test_what_the_relay_said_is_shown(desk: Client, turn_letter: OutboundMail) -> None:
    OutboundMail.objects.update(
        status="failed", verdict=Code.HARD, answer="550 5.1.1 <no such user>", attempts=7
    )
    html = desk.get(page(turn_letter)).content.decode()
    assert "550 5.1.1 &lt;no such user&gt;" in html
    assert "O02 errore definitivo" in html


def test_a_letter_that_was_sent_is_shown_as_it_was(desk: Client, turn_letter: OutboundMail) -> None:
    OutboundMail.objects.update(status="sent", text="Bruno <moves> h7-f7.")
    html = desk.get(page(turn_letter)).content.decode()
    assert 'id="text">Bruno &lt;moves&gt; h7-f7.</pre>' in html


def test_a_letter_that_cannot_be_written_says_why(
    desk: Client, alice: Player, caplog: pytest.LogCaptureFixture
) -> None:
    row = OutboundMail.objects.create(
        cause="event:1",
        kind="turn",
        address=alice.email,
        language="en",
        sections=[{"kind": "turn", "event": 999}],
        created_at=timezone.now(),
        next_try_at=timezone.now(),
    )
    html = desk.get(page(row)).content.decode()
    assert "DoesNotExist" in html
    assert "<iframe" not in html
    assert "cannot be composed" in caplog.text


def test_a_letter_is_sent_again(desk: Client, turn_letter: OutboundMail) -> None:
    OutboundMail.objects.update(status="failed", verdict=Code.HARD, attempts=7)
    button = f"{LIST}{turn_letter.pk}/press/send-again/"
    assert f'action="{button}"' in desk.get(page(turn_letter)).content.decode()
    assert desk.post(button).headers["location"] == page(turn_letter)
    turn_letter.refresh_from_db()
    assert (turn_letter.status, turn_letter.verdict, turn_letter.attempts) == ("waiting", "", 0)
    assert turn_letter in OutboundMail.objects.due(timezone.now())
    assert AuditEntry.objects.get().row == (turn_letter.pk)


def test_the_list_is_filtered_and_searched(desk: Client, turn_letter: OutboundMail) -> None:
    everything = set(OutboundMail.objects.all())
    OutboundMail.objects.filter(pk=turn_letter.pk).update(status="failed", verdict=Code.HARD)
    for asked, found in (
        ({}, everything),
        ({"status": "failed"}, {turn_letter}),
        ({"verdict": Code.HARD}, {turn_letter}),
        ({"verdict": Code.DELIVERY_EXPIRED}, set()),
        ({"q": turn_letter.message_id}, {turn_letter}),
        ({"q": "bruno@example.it"}, {row for row in everything if row.address == "bruno@example.it"}),
    ):
        assert set(desk.get(LIST, asked).context["cl"].result_list) == found


def test_a_long_list_asks_few_questions(
    desk: Client, turn_letter: OutboundMail, django_assert_max_num_queries: object
) -> None:
    now = timezone.now()
    OutboundMail.objects.bulk_create(
        OutboundMail(
            cause=f"x:{n}",
            address="a@b.example",
            match=turn_letter.match,
            message_id=f"<{n}>",
            created_at=now,
            next_try_at=now,
        )
        for n in range(40)
    )
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        desk.get(LIST)


def test_charlie_reads_and_sends_nothing(charlie: Client, turn_letter: OutboundMail) -> None:
    OutboundMail.objects.update(status="sent")
    assert charlie.get(LIST).status_code == 403
    assert charlie.get(page(turn_letter)).status_code == 403
    assert charlie.post(f"{LIST}{turn_letter.pk}/press/send-again/").status_code == 403
    turn_letter.refresh_from_db()
    assert turn_letter.status == "sent"


def test_nothing_of_a_letter_is_edited(desk: Client, turn_letter: OutboundMail) -> None:
    assert desk.post(page(turn_letter), {"address": "charlie@example.net"}).status_code == 403
    assert desk.get(f"{LIST}add/").status_code == 403
