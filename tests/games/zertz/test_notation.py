"""How players write the turns of Zèrtz: Alice in English, Bruno in Italian, both from their phones."""

from itertools import product
from random import Random
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import AmbiguousMove, IllegalMove, Notation, UnreadableMove
from games.zertz import GAME
from games.zertz.board import Jump
from games.zertz.rules import start
from games.zertz.variants import Rules

ALICE, BRUNO = Notation("en"), Notation("it")
ALICE_GIPF, BRUNO_GIPF = Notation("en", "gipf"), Notation("it", "gipf")
NOTATIONS = [Notation(*each) for each in product(("en", "it"), ("seed", "gipf"))]


def read(position, text, notation=ALICE):
    return str(GAME.read(position, text, notation))


def objection(position, text, notation=ALICE):
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, text, notation)
    return str(refused.value.objection)


@pytest.fixture
def empty():
    return start(Rules())


@pytest.fixture
def figure(board):
    """Fogliaccio 6, after c3xc5."""
    return board("""
            - . . -
           . . . . B
          - . . . G .
         - . . . . . -
          - . . W . -
           . G . . .
            . . - -
    """)


@pytest.fixture
def neck(board):
    """d2 is the way to d1; a1 and b1 are an island."""
    return board("""
            . - - -
           W - . . .
          - - . . . .
         G . . . . . .
          - . . . . .
           . . B . .
            . . . .
    """)


@pytest.mark.parametrize(
    ("text", "notation", "canonical"),
    [
        ("Bd4, a1", BRUNO, "Wd4,a1"),
        ("Bd4, a1", ALICE, "Bd4,a1"),
        ("Nd2, a3", BRUNO, "Bd2,a3"),
        ("Nd2, a3", ALICE, "Bd2,a3"),
        ("Wd4,a1", BRUNO, "Wd4,a1"),
        ("gc3,a1", ALICE, "Gc3,a1"),
        ("bd4 a1", BRUNO, "Wd4,a1"),
        ("Bd4,a1.", BRUNO, "Wd4,a1"),
        ("B d4 – a1", BRUNO, "Wd4,a1"),
        ("\u00a0Bd4,\u00a0a1 ", BRUNO, "Wd4,a1"),
        ("BD4, A1", BRUNO, "Wd4,a1"),
        ("Bd4;a1", BRUNO, "Wd4,a1"),
        ("We4,f1", ALICE_GIPF, "We5,f3"),
        ("Bg1, e1", BRUNO_GIPF, "Wg4,e2"),
    ],
)
def test_placements(empty, text, notation, canonical):
    assert read(empty, text, notation) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "b5xd5xf5xf3",
        "B5xd5xf5xf3",
        "b5-d5-f5-f3",
        "b5 x d5 x f5 x f3",
        "b5×d5×f5×f3",
        "b5 — d5 — f5 — f3.",
        "b5:d5:f5:f3",
        "b5 d5 f5 f3",
        "b5xf3",  # start and end are enough: one chain fits
        "x b5Gd5Wf5Gf3",
        "xb5gd5wf5gf3",
        "b5 Gd5 Wf5 Gf3",
    ],
)
def test_jumps(figure, text):
    assert read(figure, text) == "b5xd5xf5xf3"


def test_jumps_in_the_letters_and_coordinates_of_the_reader(figure):
    assert read(figure, "x b5Gd5Bf5Gf3", BRUNO) == "b5xd5xf5xf3"
    assert read(figure, "x b5Gd5Wf3Gf1", ALICE_GIPF) == "b5xd5xf5xf3"
    assert read(figure, "b5xd5xf3xf1", BRUNO_GIPF) == "b5xd5xf5xf3"


def test_the_colours_of_a_jump_are_checked(figure):
    assert objection(figure, "x b5Gd5Bf5Gf3") == "other_colour e5 white"
    assert objection(figure, "x b5Gd5") == "incomplete d5 f5"


def test_a_chain_cannot_be_broken_off(figure):
    assert objection(figure, "b5xd5") == "incomplete d5 f5"
    assert objection(figure, "b5-d5-f5", BRUNO) == "incomplete f5 f3"


def test_start_and_end_are_not_enough_for_two_chains(board):
    position = board("""
            . . . .
           . . . . .
          . . . . . .
         . . . W G . .
          . . . B B .
           . . . . .
            . . . .
    """)
    with pytest.raises(AmbiguousMove) as unclear:
        GAME.read(position, "d4xd4", ALICE)
    assert set(unclear.value.readings) == {"d4xd6xf6xd4", "d4xf6xd6xd4"}


def test_the_removal_is_never_optional(empty):
    for text in ("Wd4", "Wd4,-", "Wd4 -"):
        assert objection(empty, text).startswith("removal_missing a1 a2 a3 a4 b1")


@pytest.mark.parametrize("text", ["Bd4", "Bd4,-", "Bd4 -", "bd4 –", "Bd4."])
def test_no_removal_is_written_where_none_is_possible(board, text):
    position = board("""
            W G B G
           B . . . W
          G . . . . B
         B . . . . . G
          W . . . . B
           G . . . B
            B W G B
    """)
    assert read(position, text, BRUNO) == "Wd4"


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("Ba1,d2 x Ba1Wb1Gd1", ALICE),
        ("Ba1,d2 x Wb1 Gd1 Ba1", ALICE),
        ("Na1, d2 × Na1, Bb1, Gd1", BRUNO),
        ("Ba1,d2xBa1Wb1Gd1", ALICE_GIPF),
    ],
)
def test_the_marbles_of_an_island_may_be_named(neck, text, notation):
    assert read(neck, text, notation) == "Ba1,d2"


def test_the_marbles_of_an_island_are_checked(neck):
    assert objection(neck, "Ba1,d2 x Wb1") == "isolates_other a1 b1 d1 black white grey"
    assert objection(neck, "Bd5,g7 x Wb1") == "isolates_nothing"


def test_a_ring_that_exists_in_the_other_system_only(empty):
    assert read(empty, "Wg1,a1", ALICE_GIPF) == "Wg4,a1"
    assert objection(empty, "Wg1,a1") == "no_such_ring g1"
    refused = empty.rules.board.to_lattice("g7")
    assert objection(empty, "Wg7,a1", ALICE_GIPF) == f"no_such_ring {refused}"
    assert GAME.cell(empty.rules, refused, ALICE_GIPF) == "g7"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d4",
        "Bd4,a1,a2",
        "Rd4,a1",
        "gr8",
        "no",
        "Bd4, a1 e buona partita",
        "g5x",
        "see you at e4, Bruno",
        "B",
        "x",
        "va bene!",
        "d4xd6 " * 40,
        "b" * 10_000,
    ],
)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_talk_is_not_a_move(empty, text, notation):
    with pytest.raises(UnreadableMove):
        GAME.read(empty, text, notation)


@pytest.fixture
def vast():
    """Rows a to z of the numbers 1 to 12: row letters are then also marbles, and signs of a jump."""
    return start(Rules(), " ".join(f"{letter}1-12" for letter in ascii_lowercase))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Ww10,x12", "Ww10,x12"),
        ("wx12 z1", "Wx12,z1"),
        ("gg12, n12", "Gg12,n12"),
        ("g r8,a1", "Gr8,a1"),
    ],
)
def test_placements_on_a_vast_board(vast, text, canonical):
    assert read(vast, text) == canonical


@pytest.mark.parametrize("text", ["x8xx10xv8", "x8 x10 v8", "X8 x X10 x V8", "x x8Gx10Bv8", "x8-v8"])
def test_jumps_on_a_vast_board(vast, text):
    line = str(vast).split("/")
    line[23], line[22] = ".......WG...", "........B..."  # x8, x9 and w9
    counts = line[-1].replace("6,8,10", "5,7,9")
    position = GAME.position(Rules(), "/".join([*line[:-1], counts]))
    assert read(position, text) == "x8xx10xv8"


def test_every_row_counts_from_its_own_start_whatever_the_board():
    position = start(Rules(), "a3-8 b1-9 c4-9 d5-14")
    assert read(position, "Bd10,a1", BRUNO_GIPF) == "Wd14,a3"
    assert GAME.write(position, GAME.move("Wd14,a3"), ALICE_GIPF) == "Wd10,a1"
    assert GAME.write(position, GAME.move("Wd14,a3"), BRUNO) == "Bd14,a3"


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_letters_written_are_those_of_the_phrases(empty, notation):
    pieces = GAME.phrases(notation.language)["pieces"]
    for canonical, kind in (("Wd4,a1", "white"), ("Gd4,a1", "grey"), ("Bd4,a1", "black")):
        assert GAME.write(empty, GAME.move(canonical), notation) == f"{pieces[kind]['letter']}d4,a1"


def test_writing_and_labels_follow_the_coordinates(empty):
    move = GAME.move("We7,g4")
    assert [GAME.write(empty, move, each) for each in NOTATIONS] == ["We7,g4", "We6,g1", "Be7,g4", "Be6,g1"]
    jump = Jump(("g5", "e3"))
    assert [GAME.write(empty, jump, each) for each in (ALICE, BRUNO_GIPF)] == ["g5xe3", "g2xe2"]


@given(seed=st.integers(0, 2**32), turns=st.integers(0, 40), preset=st.sampled_from(["", "blitz"]))
def test_every_move_is_read_as_it_is_written(seed, turns, preset):
    rng, position = Random(seed), start(GAME.presets[preset])
    for _ in range(turns):
        if position.outcome():
            return
        move = position.sample(rng)
        assert GAME.move(str(move)) == move
        for notation in NOTATIONS:
            assert GAME.read(position, GAME.write(position, move, notation), notation) == move
            assert GAME.read(position, with_captures(position, move, notation), notation) == move
        position = position.play(move)


def with_captures(position, move, notation):
    """The move in the style of gipf.com, with all that it captures."""
    letters = {"en": "WGB", "it": "BGN"}[notation.language]
    taken = [
        (letters[colour], GAME.cell(position.rules, ring, notation)) for ring, colour in position.taken(move)
    ]
    written = GAME.write(position, move, notation)
    if isinstance(move, Jump):
        start, *landings = written.split("x")
        jumps = zip(taken, landings, strict=True)
        return f"x {start}{''.join(letter + ring for (letter, _), ring in jumps)}"
    return f"{written} x {''.join(map(''.join, taken))}" if taken else written
