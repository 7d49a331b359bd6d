"""The page of letters: a mail program in the browser, in development alone."""

from __future__ import annotations

import re
import runpy
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from typing import cast
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import Settings

from pbem.demo import views
from pbem.demo.play import ENGLISH, Cast, Correspondent
from pbem.demo.post_office import Delivery

ADDRESS = "emma@players.localhost"
INBOX = f"/letters/{ADDRESS}/"
REPLY_TO = "m+abc234@pbem.localhost"
LINK = f"mailto:{REPLY_TO.replace('+', '%2B')}?subject=Re%3A%20%5B4%5D&amp;body=b8-b6"
HTML = f"""<p>Gianni played.</p><img src="cid:board"><a href="{LINK}">b8-b6</a>
<a href="mailto:play@pbem.localhost?body=HELP">HELP</a> <a href="http://127.0.0.1/u/x/">No more letters</a>"""


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.LETTERS = tmp_path
    return tmp_path


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[EmailMessage]:
    """What went to the door; a letter comes of each."""
    messages: list[EmailMessage] = []

    def hand_over(message: EmailMessage, door: tuple[str, int], *, lmtp: bool) -> None:
        messages.append(message)
        letter(folder, f"{len(messages) + 100}-emma", subject="The answer")

    monkeypatch.setattr(views, "hand_over", hand_over)
    return messages


def letter(folder: Path, name: str, *, to: str = f"Emma <{ADDRESS}>", subject: str = "[4] Gemma") -> None:
    message = EmailMessage()
    message["From"] = "PBeM <play@pbem.localhost>"
    message["To"] = to
    message["Reply-To"] = REPLY_TO
    message["Subject"] = subject
    message["Message-ID"] = f"<{name}@pbem.localhost>"
    message.set_content("\nYour turn <3\n\n  a b c\n\nIt is your turn.\n")
    message.add_alternative(HTML, subtype="html")
    message.get_payload()[1].add_related(b"\x89PNG", "image", "png", cid="<board>")
    (folder / f"{name}.eml").write_bytes(message.as_bytes())


def read(path: str, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(path)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_each_mailbox_is_listed_with_how_its_newest_letter_begins(folder: Path) -> None:
    assert "Begin with this message" in read("/letters/")
    letter(folder, "001-emma")
    letter(folder, "002-gianni", to="gianni@players.localhost", subject="[5] Zèrtz")
    page = read("/letters/")
    assert page.index("gianni@players.localhost") < page.index("Emma")
    assert "[5] Zèrtz" in page
    assert "Your turn <3" in page
    assert "REGISTER Carla" in page
    assert "ISCRIVIMI Carla" in read("/letters/", "it")
    assert "[5] Zèrtz" not in read(INBOX)


def test_a_letter_is_shown_in_a_frame_where_nothing_runs_and_as_text(folder: Path) -> None:
    letter(folder, "001-emma")
    page = read(f"{INBOX}001-emma/")
    sandbox = re.search(r'<iframe [^>]*sandbox="([^"]*)"', page)
    assert sandbox
    assert sandbox[1].split() == ["allow-same-origin", "allow-top-navigation-by-user-activation"]
    assert "  a b c\n" in page
    frame = Client().get(f"{INBOX}001-emma/html/")
    assert "default-src 'none'" in frame.headers["Content-Security-Policy"]
    assert "script-src" not in frame.headers["Content-Security-Policy"]
    assert "data:image/png;base64,iVBORw==" in frame.content.decode()
    assert "cid:" not in frame.content.decode()


def test_a_link_that_writes_a_message_opens_the_form_filled_in(folder: Path) -> None:
    letter(folder, "001-emma")
    frame = Client().get(f"{INBOX}001-emma/html/").content.decode()
    assert "mailto:" not in frame
    first, second, third = (unescape(url) for url in re.findall(r'href="([^"]+)" target="_top"', frame))
    assert parse_qs(urlsplit(first).query) == {"to": [REPLY_TO], "subject": ["Re: [4]"], "text": ["b8-b6"]}
    assert parse_qs(urlsplit(second).query) == {"to": ["play@pbem.localhost"], "text": ["HELP"]}
    assert third == "http://127.0.0.1/u/x/"
    page = read(first.partition("#")[0])
    assert f'value="{REPLY_TO}"' in page
    assert re.search(r"<textarea[^>]*>\s*b8-b6</textarea>", page)
    assert not re.search(r'name="quote"[^>]* checked', page), "mail programs write a new message there"


def test_an_answer_goes_where_the_letter_says_with_its_text_below(
    folder: Path, sent: list[EmailMessage]
) -> None:
    letter(folder, "001-emma")
    page = read(f"{INBOX}001-emma/")
    assert f'value="{REPLY_TO}"' in page
    assert 'value="Re: [4] Gemma"' in page
    said = {"to": REPLY_TO, "subject": "Re: [4] Gemma", "text": "b8-b6", "quote": "on"}
    gone = Client().post(f"{INBOX}001-emma/", said)
    assert gone.headers["Location"] == f"{INBOX}101-emma/?sent=1", "to the letter that has come of it"
    [reply] = sent
    assert (reply["From"], reply["To"]) == (f"Emma <{ADDRESS}>", REPLY_TO)
    assert reply["In-Reply-To"] == reply["References"] == "<001-emma@pbem.localhost>"
    body = reply.get_content()
    assert re.match(r"b8-b6\n\nOn \d\d/\d\d/\d{4} at \d\d:\d\d, PBeM wrote:\n>\n> Your turn <3\n>\n", body)


def test_somebody_new_writes_and_so_does_a_player_about_nothing(
    folder: Path, sent: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "WAIT", 0.0)
    new = {
        "name": "Carla",
        "sender": "Carla@players.localhost",
        "to": "play@pbem.localhost",
        "text": "REGISTER Carla",
    }
    gone = Client().post("/letters/", new)
    assert gone.headers["Location"] == "/letters/carla@players.localhost/?sent=1"
    assert "No letter has come back yet." in read(gone.headers["Location"])
    Client().post(INBOX, {"to": "play@pbem.localhost", "subject": "GAMES\r\nBcc: x@example.org", "text": ""})
    first, second = sent
    assert (first["From"], first.get_content()) == ("Carla <Carla@players.localhost>", "REGISTER Carla\n")
    assert (second["From"], second["Subject"], second["Bcc"]) == (
        f"Emma <{ADDRESS}>",
        "GAMES Bcc: x@example.org",
        None,
    )


def test_what_the_door_says_stands_in_the_form(folder: Path, settings: Settings) -> None:
    settings.SMTP_LISTEN = "127.0.0.1:1"
    answer = Client().post(INBOX, {"to": "play@pbem.localhost", "text": "GAMES"})
    assert "The mail door says: " in answer.content.decode()
    assert "GAMES</textarea>" in answer.content.decode()


@pytest.mark.parametrize("name", ["nobody", "..", "%2e%2e%2fpbem", "001-emma.eml"])
def test_there_are_no_letters_but_those_of_the_mailbox(folder: Path, name: str) -> None:
    letter(folder, "001-emma")
    letter(folder, "002-gianni", to="gianni@players.localhost")
    assert Client().get(f"{INBOX}{name}/").status_code == 404
    assert Client().get(f"{INBOX}002-gianni/").status_code == 404


def test_a_page_that_waits_is_told_of_the_newest_letter(folder: Path) -> None:
    assert Client().get(f"{INBOX}newest/").json() == {"name": "", "subject": "", "page": ""}
    letter(folder, "001-emma")
    newest = {"name": "001-emma", "subject": "[4] Gemma", "page": f"{INBOX}001-emma/"}
    assert Client().get(f"{INBOX}newest/").json() == newest


def test_outside_of_development_there_is_no_such_page(folder: Path, settings: Settings) -> None:
    """Neither are its addresses known, nor does it answer where somebody has made them known."""
    letter(folder, "001-emma")
    pages = ("/letters/", INBOX, f"{INBOX}newest/", f"{INBOX}001-emma/", f"{INBOX}001-emma/html/")
    assert [Client().get(page).status_code for page in pages] == [200] * 5
    urls = Path(__file__).parents[3] / "pbem" / "urls.py"
    assert "letters/" in {str(route.pattern) for route in runpy.run_path(str(urls))["urlpatterns"]}
    settings.DEVELOPMENT = False
    assert "letters/" not in {str(route.pattern) for route in runpy.run_path(str(urls))["urlpatterns"]}
    for page in pages:
        assert Client().get(page).status_code == 404
        assert Client().post(page, {"to": "play@pbem.localhost"}).status_code == 404


def test_a_refused_letter_is_told_as_it_is() -> None:
    class Bruno:
        def answer(self, letter: object, body: str) -> None: ...

        def read(self) -> Delivery:
            message = EmailMessage()
            message["X-PBeM-Letter"] = "refused"
            message.set_content("Illegal:\n\n  +---+\n8 | O |\n  +---+\n")
            return Delivery(ADDRESS, b"", message)

    told: list[str] = []
    Cast({"Bruno": cast(Correspondent, Bruno())}, {"Bruno": ENGLISH}, told.append)._slip(
        "Bruno", Bruno().read(), "Gd2"
    )
    assert told[1:] == ["    Illegal:\n\n      +---+\n    8 | O |\n      +---+"]
