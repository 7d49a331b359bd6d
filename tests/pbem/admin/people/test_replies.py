"""The organiser answers letters that arrived: a player where their letters go, a stranger where they wrote from."""

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.test import Client

from pbem.admin.models import AuditEntry
from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_mail
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from tests.mail_fixtures import MORNING


def answer(desk: Client, letter: InboundMail, text: str = "I have looked into it.") -> int:
    return desk.post(f"/admin/inbox/inboundmail/{letter.pk}/press/answer/", {"text": text}).status_code


def last() -> OutboundMail:
    return OutboundMail.objects.filter(kind="organiser").latest("pk")


def test_a_player_is_answered_about_his_match(
    desk: Client, match: Match, refused_letter: InboundMail
) -> None:
    InboundMail.objects.filter(pk=refused_letter.pk).update(player=match.seated[0].player, match=match)
    form = desk.get(f"/admin/inbox/inboundmail/{refused_letter.pk}/press/answer/").content.decode()
    assert "Alice." in form
    assert answer(desk, refused_letter) == 302
    assert (last().address, last().match, last().language) == ("alice@example.org", match, "en")
    assert last().sections[0]["text"] == "I have looked into it."
    assert AuditEntry.objects.get().verb == "answer"


def test_a_stranger_is_answered_where_he_wrote_from(desk: Client) -> None:
    raw = b"From: Dora <dora@example.org>\r\nSubject: Hello\r\n\r\nWhat is this?\r\n"
    letter = store_message(raw, sender="dora@example.org", recipient="play@pbem.localhost", now=MORNING)
    open_mail(letter.pk, now=MORNING)
    letter.refresh_from_db()
    assert answer(desk, letter) == 302
    assert (last().address, last().player, last().language) == (
        "dora@example.org",
        None,
        settings.LANGUAGE_CODE,
    )


def test_nobody_answers_a_bounce(desk: Client) -> None:
    letter = store_message(
        b"Subject: returned\r\n\r\n", sender="", recipient="play@pbem.localhost", now=MORNING
    )
    assert answer(desk, letter) == 404
    assert not OutboundMail.objects.exists()


@pytest.mark.parametrize("permission", ["view_inboundmail", None])
def test_whoever_may_only_look_answers_nobody(refused_letter: InboundMail, permission: str | None) -> None:
    rita = User.objects.create_user("rita", is_staff=True)
    if permission:
        rita.user_permissions.add(Permission.objects.get(codename=permission))
    browser = Client()
    browser.force_login(rita)
    assert answer(browser, refused_letter) == 403
