"""A browser without scripts, on a telephone, plays every game by clicks on the middles of targets."""

from dataclasses import replace
from html import escape
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Route

from games.clicks import choose
from games.kit.drawing import CSS, DEFAULT, properties
from games.kit.layout import Caption, lay_out
from games.kit.scene import Mark
from games.kit.svg import svg, targets
from games.kit.words import speech
from games.protocol import CANONICAL
from games.record import Course
from games.registry import find, names

pytestmark = [pytest.mark.browser, pytest.mark.prove]
PHONE = {"width": 390, "height": 844}
PLACE = "http://board.test/"
EARLIER = (0, 9, 34)  # turns before the clicked ones
TURNS = 2
STYLE = f"<style>:root{{{properties(DEFAULT)}}} body {{ margin: 0 }} svg {{ display: block }}</style>"


class Board:
    """A bare page with one board; each click is a link to the same page with a longer row."""

    def __init__(self, name: str, turns: int) -> None:
        self.game, rules = find(name)
        rng = Random(f"{name} {turns}")
        setup = self.game.draw_setup(rules, rng) if self.game.draw_setup else ""
        course = Course(self.game, self.game.start(rules, setup))
        for _ in range(turns):
            position = course.position
            course.play(position.sample(rng))
            if course.outcome():
                break
        self.start = position if turns and course.outcome() else course.position
        self.speech = speech(self.game, rules, CANONICAL)

    def choice(self, row):
        return choose(Course(self.game, self.start), row)

    def scene(self, row):
        choice = self.choice(row)
        step = choice.steps[-1] if choice.steps else None
        scene = self.game.scene(*((step.before, step.move, step.after) if step else (None, None, self.start)))
        chosen = tuple(Mark("hint", cell.name) for cell in scene.cells if cell.name in choice.path)
        return replace(scene, marks=chosen, arrows=()) if chosen else scene

    def answer(self, route: Route):
        row = parse_qs(urlsplit(route.request.url).query).get("s", [""])[0]
        route.fulfill(body=self.page(row.split(".") if row else []), content_type="text/html")

    def page(self, row):
        scene, following = self.scene(row), self.choice(row).following
        cells = {cell.name for cell in scene.cells}
        links = {click: f"?s={'.'.join((*row, click))}" for click in following}
        board = svg(
            scene,
            self.speech,
            Caption(""),
            CSS,
            PHONE["width"],
            links={click: link for click, link in links.items() if click in cells},
        )
        words = (
            f'<p><a href="{escape(link)}">{self.speech.word(click)}</a>'
            for click, link in links.items()
            if click not in cells
        )
        return f'<!DOCTYPE html><html lang="en"><title>A board</title>{STYLE}{board}{"".join(words)}</html>'


@pytest.mark.parametrize("name", names())
def test_every_click_goes_where_it_was_aimed(chromium: Browser, name: str) -> None:
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    page.set_default_timeout(10_000)
    clicked = 0
    for turns in EARLIER:
        board = Board(name, turns)
        page.route(f"{PLACE}**", board.answer)
        page.goto(PLACE)
        rng, row = Random(turns), []
        while len((choice := board.choice(row)).steps) < TURNS and choice.following:
            row.append(rng.choice(choice.following))
            scene = board.scene(row[:-1])
            circles = targets(scene, lay_out(scene, board.speech, Caption(""), PHONE["width"]).board)
            with page.expect_navigation():
                if row[-1] in circles:
                    page.mouse.click(circles[row[-1]].x, circles[row[-1]].y)
                else:
                    page.get_by_role("link", name=board.speech.word(row[-1]), exact=True).click()
            assert page.url == f"{PLACE}?s={'.'.join(row)}"
            clicked += 1
        page.unroute(f"{PLACE}**")
    context.close()
    assert clicked >= TURNS
