"""The contract of clicks: those on a board and on the words beside it choose every legal move, and nothing else."""

from random import Random

import pytest

from games.clicks import DONE, choose, clicks_of, path
from games.kit.layout import BREADTH, Caption, lay_out
from games.kit.svg import targets
from games.kit.words import speech
from games.protocol import LANGUAGES, Notation
from games.record import Course

PHONE, LEAST = 390, 24  # pixels: the width of a telephone, and of a target (WCAG 2.5.8)
CLOSE = 20  # where a row and its coordinates are too long for that; a list of the same moves has room
MOST, SOME = 60, 6  # turns of a game; moves of a position


@pytest.fixture
def read(subject):
    return subject.game.clicks or path


def test_clicks_alone_play_a_game(subject, read):
    rng, start = Random(3), subject.records[0].replay()[0]
    course, row, steps = Course(subject.game, start), [], []
    for _ in range(MOST):
        before, clicks = course.position, []
        choice = choose(Course(subject.game, before), clicks)
        while choice.following and not choice.steps:
            clicks.append(rng.choice(choice.following))
            choice = choose(Course(subject.game, before), clicks)
        if not choice.steps or course.outcome():
            break
        assert tuple(clicks) == clicks_of(before, choice.steps[0].move, read)
        for step in choice.steps:
            course.play(step.move)
        row, steps = row + clicks, [*steps, *choice.steps]
    replayed = choose(Course(subject.game, start), row)
    assert [step.move for step in replayed.steps] == [step.move for step in steps]
    assert len(steps) > 1
    assert bool(replayed.following) == (course.outcome() is None)


def test_no_two_moves_have_the_same_path(subject, read):
    for legal in subject.legal:
        assert len({read(str(move)) for move in legal}) == len(legal)


def test_a_move_that_begins_another_ends_with_a_click_of_its_own(subject, read):
    for position, legal in zip(subject.positions[::3], subject.legal[::3], strict=True):
        moves = {read(str(move)): move for move in legal}
        begun = {way[:end] for way in moves for end in range(1, len(way))}
        ways = Random(4).sample(sorted(moves), min(SOME, len(moves)))
        for way in (*ways, *sorted(begun & moves.keys())[:SOME]):
            clicks = clicks_of(position, moves[way], read)
            assert (clicks[-1] == DONE) == (way in begun)
            assert choose(Course(subject.game, position), clicks).steps[0].move == moves[way]


def test_a_click_is_on_a_cell_or_on_a_word_that_has_a_name(subject, read):
    said = [speech(subject.game, subject.rules, Notation(language)) for language in LANGUAGES]
    for position, legal in zip(subject.positions, subject.legal, strict=True):
        cells = {cell.name for cell in subject.game.scene(None, None, position).cells}
        moves = {str(move) for move in legal}
        words = {click for move in moves for click in read(move)} - cells - moves
        assert all(word.isupper() and len(word) == 1 for word in words)
        assert all(each.word(word) != word for each in said for word in words)


def test_a_finger_hits_one_cell_on_a_telephone(subject, notation):
    scene = subject.game.scene(None, None, subject.positions[0])
    drawing = lay_out(scene, speech(subject.game, subject.rules, notation), Caption(""), PHONE)
    circles = targets(scene, drawing.board).values()
    columns = {cell.x for cell in scene.cells}
    long = (max(columns) - min(columns) + BREADTH["point"]) * LEAST > PHONE
    assert min(2 * circle.radius for circle in circles) >= (CLOSE if long else LEAST)
    assert len({(circle.x, circle.y) for circle in circles}) == len(circles)
    assert all(0 <= c.x <= drawing.width and 0 <= c.y <= drawing.height for c in circles)
