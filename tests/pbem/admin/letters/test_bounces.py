"""Letters that came back, at the desk: what was said, whose address is paused, and the buttons that end it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.admin.people import services
from pbem.inbox.services import open_mail
from pbem.inbox.transports.store import store_message
from pbem.outbox.delivery.bounces import count
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.models import Address, Player
from pbem.refusals import Code

LIST = "/admin/players/player/"


def page_of(player: Player) -> str:
    return f"{LIST}{player.pk}/change/"


def press(desk: Client, address: Address, verb: str) -> int:
    return desk.post(f"{LIST}{address.player_id}/press/{verb}-{address.pk}/").status_code


def test_the_page_of_a_player_shows_what_came_back(desk: Client, gone: Address, bruno: Player) -> None:
    html = desk.get(page_of(bruno)).content.decode()
    assert html.count("O02 errore definitivo") == 2
    assert "&lt;b&gt;No&lt;/b&gt; such user" in html
    assert "4 / 4" in html
    assert f"press/probe-{gone.pk}/" in html
    assert f"press/resume-{gone.pk}/" in html


def test_who_has_no_bounces_has_no_buttons(desk: Client, gone: Address, alice: Player) -> None:
    html = desk.get(page_of(alice)).content.decode()
    assert "press/probe" not in html
    assert "press/resume" not in html
    assert "0 / 4" in html
    assert desk.get(f"{LIST}add/").status_code == 200


def test_resume_brings_the_letters_back(desk: Client, gone: Address, bruno: Player, alice: Player) -> None:
    OutboundMail.objects.filter(player=bruno, bounces__isnull=False).update(status="failed")
    assert press(desk, gone, "resume") == 302
    gone.refresh_from_db()
    assert (gone.paused_at, gone.bounce_score) == (None, 0)
    assert alice.letters.latest("pk").kind == "back"
    assert AuditEntry.objects.get().row == (bruno.pk)
    assert press(desk, gone, "resume") == 404  # there is nothing left to do


def test_probe_now(desk: Client, gone: Address, bruno: Player) -> None:
    assert press(desk, gone, "probe") == 302
    assert bruno.letters.latest("pk").kind == "probe"
    gone.refresh_from_db()
    assert gone.probes == 1
    assert gone.paused_at is not None
    assert AuditEntry.objects.count() == 1


def test_charlie_presses_nothing(charlie: Client, gone: Address) -> None:
    assert press(charlie, gone, "resume") == 403
    gone.refresh_from_db()
    assert gone.paused_at is not None


def test_the_list_says_who_cannot_be_reached(desk: Client, gone: Address) -> None:
    def names(**asked: str) -> set[str]:
        return {player.name for player in desk.get(LIST, asked).context["cl"].result_list}

    assert names(unreachable="now") == {"Bruno"}
    assert names(unreachable="long") == set()
    Player.objects.filter(pk=gone.player_id).update(unreachable_since=timezone.now() - timedelta(days=31))
    assert names(unreachable="long") == {"Bruno"}
    assert "Bruno." in desk.get(LIST).content.decode()


def test_the_list_of_bounces(desk: Client, gone: Address) -> None:
    where = "/admin/outbox/bouncedmail/"
    html = desk.get(where, {"fate": Code.HARD}).content.decode()
    assert html.count("bruno@example.it") == 2
    assert desk.get(where, {"fate": Code.MAILBOX_FULL}).content.decode().count("bruno@example.it") == 0
    row = BouncedMail.objects.latest("pk")
    assert desk.get(f"{where}{row.pk}/change/").status_code == 200


def test_an_absence_is_shown_and_links_to_the_letter(desk: Client, alice: Player) -> None:
    raw = b"From: alice@example.org\r\nAuto-Submitted: auto-replied\r\nSubject: Away until May\r\n\r\nBye\r\n"
    now = timezone.now()
    row = store_message(raw, sender="alice@example.org", recipient="play@pbem.localhost", now=now)
    open_mail(row.pk, now=now)
    html = desk.get(page_of(alice)).content.decode()
    assert "Away until May" in html
    assert f"/admin/inbox/inboundmail/{row.pk}/change/" in html


def test_who_called_an_invitation_spam_is_not_invited_again(db: None) -> None:
    now = timezone.now()
    letter = services.invite(email="dora@example.org", language="en", host="Olga", now=now)
    count(letter, Code.COMPLAINT, now=now, reply="abuse")
    again = now + timedelta(days=8)
    with pytest.raises(ValidationError, match="spam"):
        services.invite(email="dora@example.org", language="en", host="Olga", now=again)
