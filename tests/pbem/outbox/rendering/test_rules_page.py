"""Rules pages in letters, above all one that somebody else wrote badly."""

import pytest

from games.protocol import Game, Notation
from games.registry import find
from pbem.outbox.rendering.rules_page import rules_page
from tests.post import Correspondent

LOA = find("loa")[0]
BAD = "# Page\n\n```board\nmoves b1-b4\n```\n\nThat was illegal.\n"


def test_a_page_has_words_and_boards() -> None:
    page = rules_page(LOA, Notation("it"))
    boards = [part for part in page if part.picture]
    assert len(boards) == 4
    assert len({part.cid for part in boards}) == 4
    assert all(part.text and part.words.endswith("Tocca al Nero.") for part in boards)
    assert page[0].markdown.startswith("# Lines of Action")


def test_a_page_with_a_bad_board_comes_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "rules_page", lambda self, language: BAD)
    [page] = rules_page(LOA, Notation())
    assert page.markdown == BAD


def test_help_is_answered_even_so(alice: Correspondent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "rules_page", lambda self, language: BAD)
    assert alice.writes("HELP loa").verdict == "ok"
    assert "That was illegal." in alice.letter.text


def test_the_same_rules_asked_for_twice_bring_each_picture_once(alice: Correspondent) -> None:
    alice.writes("HELP zertz\nHELP zertz")
    names = [part.get_filename() for part in alice.letter.message.walk() if part.get_filename()]
    assert names == ["zertz-1.png", "zertz-3.png", "zertz-5.png"]
