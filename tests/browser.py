"""A real browser for tests: Debian's chromium, driven by Playwright."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed (Debian: apt install chromium)")
    # Playwright's event loop runs in the thread of the tests, where Django would refuse to touch the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(params=[1280, 390], ids=["desk", "phone"])
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty page, once as wide as a desk and once as a telephone; an error of a script fails the test."""
    context = chromium.new_context(viewport={"width": request.param, "height": 900}, locale="it-IT")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
