"""Two positions to show: a Zèrtz-like hexagon of rings and a board of squares with men."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import strategies as st

from games.kit.scene import Arrow, Cell, Edge, Mark, Piece, Scene, SquareBoard, Tray, hexagon
from games.kit.words import Speech
from games.protocol import Remark, Side

WHITE, GREY, BLACK = Piece("white", "light"), Piece("grey", "grey"), Piece("black", "dark")
PLAYERS = ("Alice", "Bruno")

ENGLISH = {
    "pieces": {
        kind: {
            "one": f"{kind} marble",
            "many": f"{kind} marbles",
            "a": f"a {kind} marble",
            "short": kind,
            "letter": kind[0].upper(),
        }
        for kind in ("white", "grey", "black")
    },
    "changes": {
        "puts": "puts {a_piece} on {cell}",
        "removes": "removes ring {cell}",
        "jumps": "jumps from {cell} to {cell2} and captures {pieces}",
    },
    "objections": {"not_free": "The {piece} on {cell} cannot go to {cells}."},
    "outcomes": {"joined": "{winner} wins, {loser} does not.", "stuck": "A draw."},
    "legend": {"stack": "HEIGHTS"},
    "notes": {"goal": "To win: {n} of each, or {n2} white, {n3} grey or {n4} black."},
}
ITALIAN = {
    "pieces": {
        kind: {
            "one": f"biglia {name}",
            "many": f"biglie {name[:-1]}{plural}",
            "a": f"una biglia {name}",
            "short": name,
            "letter": name[0].upper(),
        }
        for kind, name, plural in (
            ("white", "bianca", "che"),
            ("grey", "grigia", "e"),
            ("black", "nera", "e"),
        )
    },
    "changes": {
        "puts": "colloca {a_piece} in {cell}",
        "removes": "elimina l'anello {cell}",
        "jumps": "salta da {cell} a {cell2} e cattura {pieces}",
    },
    "objections": {"not_free": "La {piece} in {cell} non può andare in {cells}."},
    "outcomes": {"joined": "{winner} vince, {loser} no.", "stuck": "Patta."},
    "legend": {"stack": "HEIGHTS"},
    "notes": {"goal": "Per vincere: {n} per colore, o {n2} bianche, {n3} grigie o {n4} nere."},
}
ITALIAN["pieces"]["white"]["many"] = "biglie bianche"


def _rings(gone, pieces, **rest):
    board = hexagon("a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7")
    return Scene(
        shape="ring",
        cells=tuple(
            Cell(name, *board.places[name], "gone" if name in gone else "plain")
            for row in board.rows
            for name in row
        ),
        pieces={name: (piece,) for name, piece in pieces.items()},
        edges=tuple(Edge(row[end], dx, 0) for row in board.rows for end, dx in ((0, -1), (-1, 1))),
        to_move=Side.SECOND,
        trays=(
            Tray(None, ((WHITE, 3), (GREY, 7), (BLACK, 10))),
            Tray(Side.FIRST, ((WHITE, 0), (GREY, 0), (BLACK, 1))),
            Tray(Side.SECOND, ((WHITE, 0), (GREY, 0), (BLACK, 0))),
        ),
        notes=(Remark("goal", numbers=(3, 4, 5, 6)),),
        **rest,
    )


@pytest.fixture(scope="session")
def english():
    return Speech("en", ENGLISH, str, PLAYERS)


@pytest.fixture(scope="session")
def italian():
    return Speech("it", ITALIAN, str, PLAYERS)


@pytest.fixture(scope="session")
def placement():
    """A grey marble has come to f6, and ring c1 has gone."""
    return _rings(
        gone=("a1", "a2", "c1"),
        pieces={"d2": BLACK, "d4": WHITE, "e5": WHITE, "f6": GREY},
        marks=(Mark("to", "f6"), Mark("removed", "c1")),
        changes=(Remark("puts", ("f6",), ("grey",)), Remark("removes", ("e2",))),
    )


@pytest.fixture(scope="session")
def jump():
    """White has jumped from g5 over f4 to e3."""
    return _rings(
        gone=("a1", "a2", "a3", "a4", "c1"),
        pieces={"d2": BLACK, "d4": WHITE, "d6": BLACK, "e3": WHITE},
        marks=(Mark("from", "g5"), Mark("to", "e3"), Mark("captured", "f4", BLACK)),
        arrows=(Arrow(("g5", "e3")),),
        changes=(Remark("jumps", ("g5", "e3"), ("black", "grey", "grey")),),
    )


@pytest.fixture(scope="session")
def men():
    """Black has gone from b1 to b3 on a board of 5 x 5 whose c3 and e5 have vanished."""
    board = SquareBoard(5)
    cells = tuple(replace(c, ground="gone") if c.name in ("c3", "e5") else c for c in board.scene_cells)
    return Scene(
        shape="square",
        cells=cells,
        pieces={
            **dict.fromkeys(("b3", "c1", "d1", "b5", "c5", "d5"), (BLACK,)),
            **dict.fromkeys(("a2", "a3", "a4", "e2", "e3", "e4"), (WHITE,)),
        },
        edges=board.scene_edges,
        to_move=Side.SECOND,
        marks=(Mark("from", "b1"), Mark("to", "b3")),
        arrows=(Arrow(("b1", "b3")),),
        men=(BLACK, WHITE),
    )


@pytest.fixture(scope="session")
def printed():
    """Rings on a board of 3 x 3 with lines: White has just gone to b2, which leads along row 2."""
    board = SquareBoard(3)
    white, black = replace(WHITE, hollow=True), replace(BLACK, hollow=True)
    lines = dict(zip([cell.name for cell in board.scene_cells], "/|\\x-+|/-", strict=True))
    return Scene(
        shape="square",
        cells=tuple(replace(cell, lines=lines[cell.name]) for cell in board.scene_cells),
        pieces={"a1": (white,), "c3": (white,), "b2": (white,), "b3": (black,)},
        edges=board.scene_edges,
        to_move=Side.SECOND,
        marks=(
            Mark("to", "b2"),
            Mark("captured", "a1", black),
            Mark("captured", "c3", black),
            Mark("target", "a2"),
            Mark("target", "c2"),
        ),
        men=(white, black),
    )


@pytest.fixture(scope="session")
def draughts():
    """White has stepped with a column from c3 to d4, on the dark squares of 5 x 5."""
    cells = tuple(cell for cell in SquareBoard(5).scene_cells if cell.ground == "shaded")
    letters = (
        Edge(f"{letter}{row}", 0, row, "letter") for letter, row in zip("abcde", (1, 2, 1, 2, 1), strict=True)
    )
    numbers = (Edge(f"{'ba'[row % 2]}{row}", -2 + row % 2, 0, "number") for row in range(1, 6))
    return Scene(
        shape="square",
        cells=cells,
        pieces={"a5": (BLACK, BLACK), "d2": (BLACK,), "d4": (BLACK, WHITE, WHITE)},
        edges=(*letters, *numbers),
        to_move=Side.FIRST,
        marks=(Mark("from", "c3"), Mark("to", "d4")),
        arrows=(Arrow(("c3", "d4")),),
        trays=(Tray(Side.FIRST, ((WHITE, 5),), "hand"), Tray(Side.SECOND, ((BLACK, 12),), "hand")),
        men=(WHITE, BLACK),
    )


@pytest.fixture(scope="session")
def points():
    """White has gone from b1 to b2 on points, onto a black piece and a grey one; c3 is single."""
    board = hexagon("a1-2 b1-3 c2-3")
    return Scene(
        shape="point",
        cells=tuple(Cell(name, x, y) for name, (x, y) in board.places.items()),
        pieces={"b2": (GREY, BLACK, WHITE), "c3": (BLACK,), "a1": (BLACK, BLACK)},
        edges=(Edge("a1", -1, 0), Edge("c3", 1, 0)),
        to_move=Side.SECOND,
        marks=(Mark("from", "b1"), Mark("to", "b2"), Mark("captured", "a2", WHITE)),
        arrows=(Arrow(("b1", "b2")),),
        men=(WHITE, BLACK),
        counted=True,
        badge=GREY,
    )


@pytest.fixture(scope="session")
def bare(jump):
    """The hexagon without any last move."""
    return replace(jump, marks=(), arrows=(), changes=())


@pytest.fixture(scope="session")
def scenes():
    """Scenes of any kind: rings or squares, stacks, marks, arrows, trays and notes at random."""
    return st.integers(0, 2**32).map(lambda seed: _random(Random(seed)))


def _random(rng):
    if rng.random() < 0.5:
        board = hexagon("a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9")
        shape, places = rng.choice(("ring", "point")), board.places
        edges = [Edge(row[end], dx, 0) for row in board.rows for end, dx in ((0, -1), (-1, 1))]
    else:
        board = SquareBoard(rng.randint(1, 10))
        shape, places = "square", {cell.name: (cell.x, cell.y) for cell in board.scene_cells}
        edges = board.scene_edges
    grounds = ("plain",) if shape == "point" else ("plain", "plain", "shaded", "gone")
    lines = rng.choice(("", "-|\\/+x", ("", "/")))
    cells = tuple(
        Cell(name, x, y, rng.choice(grounds), rng.choice(lines or ("",))) for name, (x, y) in places.items()
    )
    names, kinds = list(places), (WHITE, replace(GREY, hollow=True), replace(BLACK, glyph="♚"))
    some = [name for name in names if rng.random() < 0.3]
    marks = ("from", "to", "captured", "turned", "removed", "target")
    return Scene(
        shape=shape,
        cells=cells,
        pieces={name: tuple(rng.choices(kinds, k=rng.choice((0, 1, 1, 2, 9, 24)))) for name in some},
        edges=tuple(rng.sample(edges, rng.randint(0, len(edges)))),
        to_move=rng.choice((*Side, None)),
        marks=tuple(
            Mark(rng.choice(marks), rng.choice(names), rng.choice((*kinds, None)))
            for _ in range(rng.choice((0, 3, 9)))
        ),
        arrows=tuple(Arrow(tuple(rng.choices(names, k=rng.randint(1, 4)))) for _ in range(rng.randint(0, 2))),
        trays=tuple(
            Tray(
                owner,
                tuple((kind, rng.choice((0, 7, 24))) for kind in rng.sample(kinds, rng.randint(0, 3))),
                "captured" if owner is None else rng.choice(("captured", "hand")),
            )
            for owner in (None, *Side)
            if rng.random() < 0.7
        ),
        notes=(Remark("goal", numbers=(3, 4, 5, 6)),) * rng.randint(0, 3),
        men=rng.choice((None, (WHITE, BLACK))),
        counted=rng.random() < 0.3,
        badge=rng.choice((None, BLACK)),
    )
