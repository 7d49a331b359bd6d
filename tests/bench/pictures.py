"""The board as the letter shows it, beside a chess board of the same width."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

import chess
import chess.svg

from games.kit.drawing import THEMES
from games.kit.image import render_png
from games.kit.layout import DENSE, Caption
from tests.bench.clock import Effort, cpu_ms
from tests.bench.figures import Peer, Row
from tests.bench.samples import GAMES, sample

try:
    from cairosvg import svg2png
except OSError as missing:  # the package is there, the system's libcairo is not
    svg2png, WHY = None, f"chess.svg + cairosvg cannot run: {str(missing).splitlines()[0]}"


def pictures(effort: Effort) -> Iterator[Row]:
    """Of many matches, none drawn before: what one process draws on a busy day."""
    peer = _peer(effort, DENSE)
    for name in GAMES:
        boards = [sample(name, seed) for seed in range(effort.few(64, 4))]
        sizes: list[int] = []
        for theme in THEMES:
            effort.say(f"drawing {name}, {theme}")

            def draw(
                number: int, boards: list = boards, sizes: list[int] = sizes, theme: str = theme
            ) -> None:
                shown = boards[number]
                sizes.append(len(render_png(shown.scene, shown.speech, Caption(""), THEMES[theme], DENSE)))

            took = cpu_ms(draw, effort, most=len(boards))
            yield Row(f"{name}, {theme}, {DENSE} px", took, "ms CPU", peer, 3, 8)
        yield Row(f"{name}, {DENSE} px, size", median(sizes) / 1000, "KB", bound=35)


def _peer(effort: Effort, width: int) -> Peer:
    if svg2png is None:
        return Peer(WHY, None)
    effort.say("drawing chess.svg + cairosvg")
    boards = _chess(effort.few(24))

    def draw(number: int) -> None:
        board = boards[number % len(boards)]
        svg2png(bytestring=chess.svg.board(board, lastmove=board.peek(), size=width).encode())

    return Peer("chess.svg + cairosvg", cpu_ms(draw, effort))


def _chess(count: int) -> list[chess.Board]:
    boards, rng = [], Random(1)
    for _ in range(count):
        board = chess.Board()
        for _ in range(12):
            board.push(rng.choice(list(board.legal_moves)))
        boards.append(board)
    return boards
