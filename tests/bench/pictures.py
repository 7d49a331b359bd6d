"""The board as the letter shows it, beside a chess board of the same width."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

import chess
import chess.svg

from games.kit.image import png
from games.kit.layout import WIDTH
from tests.bench.clock import Effort, cpu_ms
from tests.bench.figures import Peer, Row
from tests.bench.samples import GAMES, sample

try:
    from cairosvg import svg2png
except OSError as missing:  # the package is there, the system's libcairo is not
    svg2png, WHY = None, f"chess.svg + cairosvg cannot run: {str(missing).splitlines()[0]}"


def pictures(effort: Effort) -> Iterator[Row]:
    peer = _peer(effort)
    for name in GAMES:
        effort.say(f"drawing {name}")
        drawn = [sample(name, seed) for seed in range(effort.few(24))]
        sizes: list[int] = []

        def draw(number: int, drawn: list = drawn, sizes: list[int] = sizes) -> None:
            shown = drawn[number % len(drawn)]
            sizes.append(len(png(shown.scene, shown.speech, shown.caption)))

        yield Row(f"{name}, {WIDTH} px, caption and arrow", cpu_ms(draw, effort), "ms CPU", peer, 8, 8)
        yield Row(f"{name}, size", median(sizes) / 1000, "KB", bound=30)


def _peer(effort: Effort) -> Peer:
    if svg2png is None:
        return Peer(WHY, None)
    effort.say("drawing chess.svg + cairosvg")
    boards = _chess(effort.few(24))

    def draw(number: int) -> None:
        board = boards[number % len(boards)]
        svg2png(bytestring=chess.svg.board(board, lastmove=board.peek(), size=WIDTH).encode())

    return Peer("chess.svg + cairosvg", cpu_ms(draw, effort))


def _chess(count: int) -> list[chess.Board]:
    boards, rng = [], Random(1)
    for _ in range(count):
        board = chess.Board()
        for _ in range(12):
            board.push(rng.choice(list(board.legal_moves)))
        boards.append(board)
    return boards
