"""A game that has just begun keeps the contract of all games."""

import pytest

from tests.games.contract.conftest import Subject
from tests.games.contract.test_clicks import *  # noqa: F403
from tests.games.contract.test_notation import *  # noqa: F403
from tests.games.contract.test_pages import *  # noqa: F403
from tests.games.contract.test_phrases import *  # noqa: F403
from tests.games.contract.test_positions import *  # noqa: F403
from tests.games.contract.test_record import *  # noqa: F403
from tests.games.contract.test_scene import *  # noqa: F403


@pytest.fixture(scope="module")
def subject(three_stones):
    return Subject(three_stones.key)


@pytest.fixture(name="game")
def its_game(three_stones):
    return three_stones
