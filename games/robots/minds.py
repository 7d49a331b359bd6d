"""The mind of each game that has one: `MIND` in the module `mind` of its package, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from games.registry import AnyGame
from games.robots.mind import Mind

MakesMind = Callable[[Any], Mind]


def find(game: AnyGame) -> MakesMind | None:
    """What makes the mind for a position of this game; None where its author has written none."""
    name = f"{game.package}.mind"
    try:
        found = find_spec(name)
    except ModuleNotFoundError:  # a game that is one module has no modules in it
        return None
    if found is None:
        return None
    makes: MakesMind = import_module(name).MIND
    return makes
