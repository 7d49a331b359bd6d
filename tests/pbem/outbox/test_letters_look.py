"""Letters and pages in a real browser: nothing runs off a phone's edge, nothing is fetched from afar."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from games.kit.layout import MARGIN, USUAL
from pbem.outbox.rendering.recipient import COLUMN
from tests.pbem.outbox.conftest import Written

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.prove]
DESK, PHONES = 700, (360, 320)
SMALLEST_TYPE = 10  # CSS pixels; diagrams of the rules shrink to this on a phone
PAPER = "rgb(250, 247, 240)"  # of the pictures too, so that they have no edge
# Many in one call: what a page costs is going to and from the browser. Each is laid out when all in it has come.
WIDER = """async pages => {
    const wider = [];
    for (const [name, html] of pages) {
        document.open();
        document.write(html);
        await new Promise(come => {
            window.addEventListener("load", () => setTimeout(come), {once: true});  // it ends before the next begins
            document.close();
        });
        if (document.documentElement.scrollWidth > window.innerWidth) wider.push(name);
    }
    return wider;
}"""
AT_ONCE = 20
CONTRAST = """element => {
    const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
        .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    let ground = element;
    while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
    const pair = [light(getComputedStyle(element).color), light(getComputedStyle(ground).backgroundColor)];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
}"""


@pytest.fixture(scope="module")
def pages(written: Written) -> dict[str, str]:
    """HTML of every letter in both languages, pictures inside."""
    shown = {}
    for language in ("en", "it"):
        for name, letter in written(language).items():
            html = letter.composed.html
            for picture in letter.composed.pictures:
                inside = f"data:image/{picture.subtype};base64,{b64encode(picture.content).decode()}"
                html = html.replace(f"cid:{picture.cid}", inside)
            shown[f"{name} [{language}]"] = html
    return shown


@pytest.fixture(params=[DESK, *PHONES], ids=["desk", "phone", "narrow phone"])
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """As wide as the window of a mail program, and as narrow as small telephones."""
    page = chromium.new_page(viewport={"width": request.param, "height": 800})
    yield page
    page.close()


def shown(chromium: Browser, width: int, pages: dict[str, str]) -> tuple[list[str], list[str]]:
    """The pages that are wider than such a window, and what was fetched for them."""
    wider, fetched = [], []
    page = chromium.new_page(viewport={"width": width, "height": 800})
    page.on("request", lambda request: fetched.append(request.url))
    page.route("**/*", lambda route: route.abort())  # else the page would wait for it
    named = [*pages.items()]
    for at in range(0, len(named), AT_ONCE):
        wider += page.evaluate(WIDER, named[at : at + AT_ONCE])
    page.close()
    return wider, [url for url in fetched if not url.startswith("data:")]


def test_what_is_too_wide_or_fetched_is_found(chromium: Browser) -> None:
    """In the midst of others, wherever a letter may name an address."""
    there = "http://127.0.0.1:9/"
    wide = '<p style="width: 400px">so wide</p>'
    fetching = {
        "picture": f'<img src="{there}picture">',
        "ground": f'<p style="background: url({there}ground)">words</p>',
        "sheet": f'<link rel="stylesheet" href="{there}sheet">',
        "imported": f'<style>@import "{there}imported";</style>',
        "font": f"<style>@font-face {{ font-family: F; src: url({there}font) }} p {{ font-family: F }}</style><p>f</p>",
        "script": f'<script src="{there}script"></script>',
        "frame": f'<iframe src="{there}frame"></iframe>',
    }
    wider, fetched = shown(
        chromium, PHONES[0], {"first": "<p>a</p>", "wide": wide, **fetching, "last": "<p>b</p>"}
    )
    assert wider == ["wide"]
    assert {url.removeprefix(there) for url in fetched} == set(fetching)


def test_on_a_phone_nothing_runs_off_the_edge_and_nothing_is_fetched(
    chromium: Browser, pages: dict[str, str]
) -> None:
    for width in PHONES:
        wider, fetched = shown(chromium, width, pages)
        assert (wider, fetched) == ([], []), width


def test_on_a_desk_nothing_runs_off_the_edge(chromium: Browser, pages: dict[str, str]) -> None:
    """One letter of each sort: what fits a phone can only stick out by a rule that a whole sort shares."""
    one_of_each = dict({name.partition(",")[0]: (name, html) for name, html in pages.items()}.values())
    assert shown(chromium, DESK, one_of_each) == ([], [])


def test_the_picture_is_as_wide_as_a_phone_or_the_column_on_paper_of_its_own_colour(
    page: Page, pages: dict[str, str]
) -> None:
    """On a phone what is written in it begins where the words of the letter do."""
    page.set_content(pages["turn, with message [it]"])
    box, words, panel = (
        page.locator(place).first.bounding_box() for place in ("img", "p.state", "div.answer")
    )
    assert box is not None
    assert words is not None
    assert panel is not None
    room = page.evaluate("window.innerWidth")
    if room in PHONES:
        assert (box["x"], box["width"]) == (0, room)
        assert abs(MARGIN / USUAL * room - words["x"]) < 1
    else:
        assert [box["x"], box["width"]] == pytest.approx([panel["x"], panel["width"]], abs=0.5)
        assert (words["x"], box["width"]) == pytest.approx((box["x"], COLUMN), abs=0.5)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER
    corner = """async image => {
        await image.decode();
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(", ");
    }"""
    assert f"rgb({page.locator('img').evaluate(corner)})" == PAPER


def test_in_the_dark_the_letter_is_dark_and_the_board_light(chromium: Browser, pages: dict[str, str]) -> None:
    page = chromium.new_page(viewport={"width": PHONES[0], "height": 800}, color_scheme="dark")
    page.set_content(pages["turn, with message [it]"])
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(29, 31, 33)"
    for element in page.locator("p:not(.marker), code, blockquote, a").all():
        assert element.evaluate(CONTRAST) >= 4.5, element.inner_text()
    page.close()


def test_words_can_be_read(page: Page, pages: dict[str, str]) -> None:
    """Large enough, and 4.5 to 1 against what is behind them (WCAG AA)."""
    for name in ("turn, with message [it]", "help [en]", "help, loa [en]", "games, some [it]"):
        page.set_content(pages[name])
        words = page.locator("p, td, th, dt, dd, code, pre, a, blockquote, span")
        sizes = """all => all.map(one => [parseFloat(getComputedStyle(one).fontSize), one.innerText])"""
        for size, text in words.evaluate_all(sizes):
            assert size >= SMALLEST_TYPE, (name, text)
        for contrast, text in words.evaluate_all(
            f"all => all.map(one => [({CONTRAST})(one), one.innerText])"
        ):
            assert contrast >= 4.5, (name, text)


def test_the_aim_of_a_game_is_one_paragraph_as_wide_as_the_letter(pages: dict[str, str]) -> None:
    """Not in lines of 72 columns, which a phone breaks again."""
    aim = re.search(r"<p[^>]*>([^<]*in mano[^<]*)(<br>)?", pages["turn, the first, emergo, Edith [it]"])
    assert aim
    assert not aim[2]


def test_one_click_marks_a_whole_move(page: Page, pages: dict[str, str]) -> None:
    page.set_content(pages["turn [en]"])
    move = page.locator("code").first
    move.click()
    assert page.evaluate("getSelection().toString()").strip() == move.inner_text()


def test_boards_of_a_line_stand_below_each_other_on_a_phone_and_in_pairs_on_a_desk(
    page: Page, pages: dict[str, str]
) -> None:
    """With captions of 14 pixels below each."""
    for name in ("tried, whole [en]", "analysis, decided, Alice [it]"):
        page.set_content(pages[name])
        steps = page.locator(".step")
        boxes = [box for step in steps.all() if (box := step.locator("img").bounding_box())]
        assert len(boxes) > 1
        if page.evaluate("window.innerWidth") < DESK:
            assert all(box["width"] >= 300 for box in boxes)
            assert len({box["y"] for box in boxes}) == len(boxes)
        else:
            assert boxes[0]["y"] == boxes[1]["y"]
        sizes = steps.locator("p").evaluate_all("all => all.map(one => getComputedStyle(one).fontSize)")
        assert set(sizes) == {"14px"}
