"""The archive unpacked and opened in a browser, and printed there."""

import os
import re
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page

from games.registry import games
from pbem.bulletin.archive import archive
from pbem.bulletin.issue import issue_of, next_bulletin
from pbem.matches.models import Tournament
from pbem.players.models import PrintName
from tests.pbem.admin.conftest import NOON
from tests.pbem.bulletin.conftest import commented, over, player

pytestmark = [pytest.mark.browser, pytest.mark.prove]
WORDS = (
    "Cari amici,\n\nla *coppa* è a metà. Chi avrebbe scommesso su **Alice**? Eppure guida la classifica, e le sue "
    "aperture al centro fanno scuola: tre partite, tre vittorie, e nessuna oltre le venti mosse.\n\n"
    "- Le iscrizioni al torneo di primavera sono aperte.\n- Chi va in vacanza lo dica prima.\n"
)


@pytest.fixture
def unpacked(cup: Tournament, tmp_path: Path) -> Path:
    """With a game of every kind, two boards of each."""
    for number, key in enumerate(sorted(games())):
        match = over(cup, key, ("Bruno", "Dino"), NOON + timedelta(days=6, hours=number), plies=14)
        commented(
            match, f"Il gioco {number + 1}", WORDS, {6: "Tutto è ancora aperto.", 13: "E adesso?"}, NOON
        )
    PrintName.objects.create(player=player("Alice"), name="Alice Rossi Bentivoglio", agreed_at=NOON)
    issue = issue_of(next_bulletin(cup, language="it", words=WORDS, now=NOON + timedelta(days=10)))
    with ZipFile(BytesIO(archive(issue))) as folder:
        folder.extractall(tmp_path)
    return tmp_path


def test_it_opens_and_every_diagram_is_drawn(page: Page, unpacked: Path) -> None:
    page.goto((unpacked / "bulletin.html").as_uri())
    pictures = page.locator("figure img")
    assert pictures.count() == 2 * len(games())
    drawn = pictures.evaluate_all("all => all.map(img => [img.complete, img.naturalWidth, img.alt])")
    assert all(complete and width > 300 and len(alt) > 40 for complete, width, alt in drawn)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    columns = {
        round(left)
        for left in pictures.evaluate_all("all => all.map(img => img.getBoundingClientRect().left)")
    }
    wide = page.viewport_size and page.viewport_size["width"] > 800
    assert (len(columns) > 1) == wide, "two columns, on a telephone one"
    if shots := os.environ.get("SHOTS"):
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(path=Path(shots) / f"bulletin-{width}.png", full_page=True)


def test_it_is_printed_in_two_columns_on_paper(chromium: Browser, unpacked: Path) -> None:
    page = chromium.new_page()
    page.goto((unpacked / "bulletin.html").as_uri())
    printed = page.pdf(prefer_css_page_size=True)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # 182 mm, between the margins of A4
    assert page.locator(".columns").evaluate("each => getComputedStyle(each).columnCount") == "2"
    sheets = [tuple(map(float, box.split())) for box in re.findall(rb"/MediaBox \[([\d. ]+)\]", printed)]
    assert sheets
    assert {(round(right), round(top)) for _, _, right, top in sheets} == {(595, 842)}, "A4"
    if shots := os.environ.get("SHOTS"):
        (Path(shots) / "bulletin.pdf").write_bytes(printed)
    page.close()
