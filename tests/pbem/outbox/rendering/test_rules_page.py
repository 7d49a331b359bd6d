"""Rules pages in letters, above all one that somebody else wrote badly."""

import re
from random import Random
from typing import Any

import pytest

from games.pages import brief
from games.protocol import Game, IllegalMove, Notation, UnreadableMove
from games.registry import AnyGame, find, games
from pbem.outbox.rendering.contest_tables import COLUMNS
from pbem.outbox.rendering.plain import plain
from pbem.outbox.rendering.rules_page import rules_page
from tests.mail_fixtures import Correspondent

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


def test_each_game_begins_with_itself_in_ten_lines_and_how_to_write_a_move() -> None:
    for game in games().values():
        for language in ("en", "it"):
            text = brief(game.rules_page(language))
            said = [line for line in plain(text).splitlines() if line.strip()]
            assert 4 <= len(said) <= 10, (game.key, language, len(said))
            assert max(map(len, said)) <= COLUMNS
            rules, notation = next(iter(game.presets.values())), Notation(language)
            start = game.start(rules, game.draw_setup(rules, Random(1)) if game.draw_setup else "")
            assert any(_is_legal(game, start, move, notation) for move in re.findall(r"`([^`]+)`", text)), (
                game.key
            )


def _is_legal(game: AnyGame, start: Any, text: str, notation: Notation) -> bool:
    try:
        return start.objection(game.read(start, text, notation)) is None
    except (UnreadableMove, IllegalMove):
        return False
