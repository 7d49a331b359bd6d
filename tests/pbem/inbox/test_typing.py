"""How phones and programs change what people type: in every game the move stays the move that was meant."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from games.protocol import LANGUAGES
from games.registry import games
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import Resign
from tests.boards import Board, read_on

HEADERS = "From: Alice <alice@example.net>\nContent-Type: text/plain; charset=utf-8\n\n"


def _fullwidth(move: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) for sign in move)


WAYS: dict[str, Callable[[str], str]] = {
    "en dash": lambda move: move.replace("-", "–"),
    "em dash": lambda move: move.replace("-", "—"),
    "minus": lambda move: move.replace("-", "−"),
    "hyphen that does not break": lambda move: move.replace("-", "\u2011"),
    "sign of multiplication": lambda move: move.replace("x", "×"),
    "full stop": lambda move: f"{move}.",
    "exclamation mark": lambda move: f"{move}!",
    "capital first letter": lambda move: move[:1].upper() + move[1:],
    "capitals": str.upper,
    "small letters": str.lower,
    "blanks that do not break": lambda move: move.replace("-", "\xa0-\xa0").replace(",", ",\xa0"),
    "thin blanks": lambda move: move.replace(",", ",\u2009"),
    "wide letters": _fullwidth,
    "zero width": "\u200b".join,
    "turned round": lambda move: f"\u202a{move}\u202c",
    "variation selector": lambda move: f"{move}\ufe0f",
    "soft hyphen": lambda move: f"{move[:1]}\xad{move[1:]}",
    "byte order mark": lambda move: f"\ufeff{move}",
    "NUL": lambda move: f"{move[:1]}\0{move[1:]}",
    "bold": lambda move: f"*{move}*",
    "bold in Markdown": lambda move: f"**{move}**",
    "code": lambda move: f"`{move}`",
    "in a list": lambda move: f"• {move}",
    "smart quotes": lambda move: f"“{move}”",
    "quotes of a keyboard": lambda move: f'"{move}"',
    "guillemets": lambda move: f"«{move}».",
    "low quotes": lambda move: f"„{move}“",
    "brackets": lambda move: f"({move})",
    "emoji": lambda move: f"{move} 🙂",
    "emoji close by": lambda move: f"{move}👍🏽",
    "smiley": lambda move: f"{move} :-)",
    "smiley after an exclamation mark": lambda move: f"{move}! ;)",
    "label": lambda move: f"Move: {move}",
    "label with whose": lambda move: f"My move: {move}",
    "label in Italian": lambda move: f"Mossa: {move}",
    "label in Italian with whose": lambda move: f"La mia mossa: {move} 😊",
    "label and quotes": lambda move: f"My move: “{move}”.",
    "tab": lambda move: f"\t{move}",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_however_it_is_typed_it_is_the_move(name: str, language: str) -> None:
    board, rng = Board.of(name, language), Random(name)
    move = board.position.sample(rng)
    written = board.game.write(board.position, move, board.notation)
    for way, typed in WAYS.items():
        letter = f"{HEADERS}{typed(written)}\n\nCiao!".encode()
        reading = read_on(board, letter, language=language)
        [command] = reading["commands"]
        assert (command["verb"], reading["verdict"], reading["chat"]) == ("MOVE", None, "Ciao!"), way
        assert board.game.read(board.position, command["text"], board.notation) == move, way


@pytest.mark.parametrize("line", ["*RESIGN*", "_Resign_", "**RESIGN**", "`resign`"])
def test_a_command_in_bold_is_one(line: str) -> None:
    assert isinstance(read_line(line, lambda text, match: False, 1), Resign)


@pytest.mark.parametrize("line", ["*RESIGN", "* *", "**", "_ _", "*resign* now", "a*b*"])
def test_other_asterisks_are_talk(line: str) -> None:
    assert read_line(line, lambda text, match: False, 1) is None
