"""A game knows the kit and the protocol; nobody here knows a game, and its rules know no picture.

Held here and not in a list of contracts, so that a new game changes no file but its own.
"""

from itertools import permutations

import grimp
import pytest

from games.registry import games

HERE = sorted(game.package for game in games().values() if game.package.startswith("games."))
FAMILIES = {("games.gemma", "games.lines_of_action")}  # Gemma is Lines of Action on a vanishing board
PICTURES = ("PIL", "games.kit.image", "games.kit.layout", "games.kit.svg", "games.kit.text")


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("games", include_external_packages=True)


@pytest.mark.parametrize(("one", "other"), sorted(set(permutations(HERE, 2)) - FAMILIES))
def test_games_do_not_know_each_other(graph, one, other):
    assert not graph.chain_exists(importer=one, imported=other, as_packages=True)


@pytest.mark.parametrize("game", HERE)
@pytest.mark.parametrize("room", ["games.kit", "games.protocol", "games.registry", "games.record"])
def test_nobody_here_knows_a_game(graph, room, game):
    assert not graph.chain_exists(importer=room, imported=game, as_packages=True)


@pytest.mark.parametrize("game", HERE)
def test_rules_never_draw(graph, game):
    for picture in (*PICTURES, f"{game}.view"):
        assert not graph.chain_exists(importer=f"{game}.rules", imported=picture)
