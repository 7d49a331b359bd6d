"""The desk in a real browser, wide and narrow: pictures are drawn, nothing hangs over the edge."""

import os
from base64 import b32decode
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django_otp.oath import totp
from playwright.sync_api import Frame, Page
from pytest_django.live_server_helper import LiveServer

from games.kit.layout import DENSE, WIDTH
from pbem.admin.base import audit_log
from pbem.admin.people.services import suspend
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.recipient import COLUMN
from pbem.players.models import Address, Player

pytestmark = [pytest.mark.browser, pytest.mark.prove]


@pytest.fixture
def desk_page(page: Page, live_server: LiveServer, olga: User) -> Page:
    """Olga has signed in through the form."""
    olga.set_password("the desk is mine")
    olga.save()
    page.goto(f"{live_server.url}/admin/")
    page.fill("#id_username", "olga")
    page.fill("#id_password", "the desk is mine")
    page.click("[type=submit]")
    page.locator("#nav-sidebar").wait_for(state="attached")
    return page


def visit(page: Page, live_server: LiveServer, where: str) -> None:
    page.goto(f"{live_server.url}/admin/{where}")
    if shots := os.environ.get("SHOTS"):
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(
            path=Path(shots) / f"{where.replace('/', '_')}{width}.png", full_page=True, animations="disabled"
        )
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")


def width_of_picture(frame: Page | Frame, shown: int = WIDTH) -> int:
    return int(
        frame.locator(f"img[width='{shown}']").evaluate("img => img.decode().then(() => img.naturalWidth)")
    )


def test_the_match_page_shows_the_board(desk_page: Page, live_server: LiveServer, match: Match) -> None:
    visit(desk_page, live_server, f"matches/match/{match.pk}/change/")
    assert width_of_picture(desk_page) == DENSE
    desk_page.click("text=‹")
    desk_page.wait_for_url("**ply=3**")
    assert width_of_picture(desk_page) == DENSE


def test_a_second_factor_is_set_up_and_asked_for(desk_page: Page, live_server: LiveServer) -> None:
    visit(desk_page, live_server, "second-factor/")
    assert desk_page.locator("img.code").evaluate("img => img.decode().then(() => img.naturalWidth)") > 200
    desk_page.fill("[name=code]", f"{totp(b32decode(desk_page.inner_text('.line').replace(' ', ''))):06}")
    desk_page.click("button")
    code = desk_page.locator(".codes li").first.inner_text()
    desk_page.click("text=/admin|pannello/")
    desk_page.locator("#nav-sidebar").wait_for(state="attached")
    desk_page.context.clear_cookies()
    desk_page.goto(f"{live_server.url}/admin/")
    desk_page.fill("#id_username", "olga")
    desk_page.fill("#id_password", "the desk is mine")
    desk_page.click("[type=submit]")
    desk_page.fill("[name=code]", code)
    desk_page.click("form:first-of-type button")
    desk_page.locator("#nav-sidebar").wait_for(state="attached")


def test_a_button_asks_its_service(desk_page: Page, live_server: LiveServer, match: Match) -> None:
    visit(desk_page, live_server, f"matches/match/{match.pk}/change/")
    desk_page.click(".desk-buttons a:has-text('Bruno')")
    desk_page.click(".desk-form button.desk-first")
    desk_page.locator("[role=status] li").wait_for()
    match.seated[1].refresh_from_db()
    assert len(match.seated[1].revoked_salts) == 1


def test_the_page_of_an_incoming_letter(
    desk_page: Page, live_server: LiveServer, refused_letter: InboundMail
) -> None:
    visit(desk_page, live_server, f"inbox/inboundmail/{refused_letter.pk}/change/")
    assert "<script>alert(1)</script>" in desk_page.locator("#raw").inner_text()


def test_the_page_of_an_outgoing_letter(
    desk_page: Page, live_server: LiveServer, turn_letter: OutboundMail
) -> None:
    visit(desk_page, live_server, f"outbox/outboundmail/{turn_letter.pk}/change/")
    frame = desk_page.frames[1]
    assert width_of_picture(frame, COLUMN) == DENSE


@pytest.mark.parametrize(
    "where",
    [
        "",
        "players/player/",
        "players/player/add/",
        "players/player/invite/",
        "matches/match/",
        "matches/match/add/",
        "matches/event/",
        "inbox/inboundmail/",
        "inbox/confirmation/",
        "outbox/bouncedmail/",
        "outbox/outboundmail/",
    ],
)
def test_nothing_hangs_over_the_edge(
    desk_page: Page, live_server: LiveServer, match: Match, refused_letter: InboundMail, where: str
) -> None:
    visit(desk_page, live_server, where)


def test_the_page_of_a_player_whose_letters_come_back(
    desk_page: Page, live_server: LiveServer, gone: Address
) -> None:
    visit(desk_page, live_server, f"players/player/{gone.player_id}/change/")
    desk_page.click("button:has-text('bruno@example.it') >> nth=0")
    desk_page.locator("[role=status] li").wait_for()
    gone.refresh_from_db()
    assert gone.probes == 1


def test_the_keyboard_is_enough(
    desk_page: Page, live_server: LiveServer, match: Match, alice: Player
) -> None:
    """From the skip link over the filters to a reason that is written and sent, without a mouse."""
    visit(desk_page, live_server, "matches/match/")
    desk_page.keyboard.press("Tab")
    assert desk_page.evaluate("document.activeElement.className") == "desk-skip"
    filters = desk_page.locator("[role=button]:has-text('Filtri')")
    filters.focus()
    desk_page.keyboard.press("Enter")
    desk_page.locator("#changelist-filter").wait_for(state="visible")
    visit(desk_page, live_server, f"players/player/{alice.pk}/press/suspend/")
    desk_page.locator("[name=reason]").focus()
    desk_page.keyboard.type("rude in match 1")
    desk_page.keyboard.press("Tab")
    desk_page.keyboard.press("Enter")
    desk_page.locator("[role=status] li").wait_for()
    alice.refresh_from_db()
    assert alice.suspended_at


def test_the_pages_of_a_player_and_of_the_audit(
    desk_page: Page, live_server: LiveServer, match: Match, gone: Address, alice: Player
) -> None:
    suspend(alice, now=match.created_at)
    audit_log.note(
        alice,
        who="olga",
        verb="suspend",
        said="Sospendi",
        before={"suspended_at": None},
        after={"suspended_at": str(match.created_at)},
        reason="a long story " * 20,
        now=match.created_at,
    )
    for where in (
        f"players/player/{alice.pk}/change/",
        f"players/player/{alice.pk}/press/merge/",
        "desk/auditentry/",
    ):
        visit(desk_page, live_server, where)


def test_a_move_is_looked_at_while_it_is_typed(
    desk_page: Page, live_server: LiveServer, match: Match
) -> None:
    visit(desk_page, live_server, f"matches/match/{match.pk}/press/enter/")
    said = desk_page.locator(".desk-said")
    desk_page.fill("[name=move]", "b3-b4")
    desk_page.locator(".desk-said.desk-wrong").wait_for()
    desk_page.fill("[name=move]", "b3-b5")
    desk_page.locator(".desk-said:not(.desk-wrong)").wait_for()
    assert said.inner_text().startswith("b3-b5")
    visit(desk_page, live_server, f"matches/match/{match.pk}/press/roll-back/")
    board = desk_page.locator(".desk-beside img")
    before = board.get_attribute("src")
    desk_page.select_option("[name=ply]", "1")
    desk_page.wait_for_function("was => document.querySelector('.desk-beside img').src !== was", arg=before)
    assert desk_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
