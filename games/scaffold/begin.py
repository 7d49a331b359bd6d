"""Writes a new game: `games.scaffold.newgame` under a name chosen by its author."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from games.registry import games

REPOSITORY = Path(__file__).parents[2]

_IMPORTS = re.compile(r"(?:^from \S+ import .*\n)+", re.MULTILINE)


@dataclass(frozen=True)
class Home:
    """The destination of the game `name`: its package, and where in `root` each folder of templates goes.

    `then` are the commands that show and test it there.
    """

    name: str
    root: Path
    package: str
    rooms: Mapping[str, str]
    then: tuple[str, ...]


def in_the_repository(name: str) -> Home:
    """Returns a home among the built-in games. Raises ValueError when PBeM is installed without its tests."""
    if not (REPOSITORY / "tests" / "games").is_dir():
        raise ValueError("no repository is here: --into FOLDER writes a package of its own")
    return Home(
        name,
        REPOSITORY,
        f"games.{name}",
        {"newgame": f"games/{name}", "tests": f"tests/games/{name}"},
        (
            f"python -m games show {name}",
            f"python -m pytest tests/games/contract tests/games/{name} -k {name}",
        ),
    )


def on_its_own(name: str, root: Path) -> Home:
    """Returns a home in a package of its own, to be installed beside this one."""
    return Home(
        name,
        root,
        name,
        {"newgame": name, "tests": "tests", "package": ""},
        (f"pip install -e {root}", f"python -m games show {name}", f"python -m pytest {root / 'tests'}"),
    )


def begin(home: Home) -> tuple[Path, ...]:
    """Writes the game and returns the paths of its files.

    Raises ValueError, and writes nothing, when the name is invalid or taken, or a file exists.
    """
    name = home.name
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or iskeyword(name):
        raise ValueError(f"{name!r} cannot name a game: small letters, digits and _, and no word of Python")
    there = find_spec(home.package)
    if name in games() or (there and there.origin):  # a folder left empty by a game has no origin
        raise ValueError(f"{name!r} is taken")
    texts = {
        home.root / room / template.name: _renamed(template.read_text("utf-8"), name, home.package)
        for folder, room in home.rooms.items()
        for template in sorted(files(__package__).joinpath(folder).iterdir(), key=lambda one: one.name)
        if template.is_file()
    }
    if taken := [path for path in texts if path.exists()]:
        raise ValueError(f"{taken[0]} is there already")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tuple(texts)


def _renamed(template: str, name: str, package: str) -> str:
    """Returns the template with `newgame` renamed and its imports sorted again."""
    text = template.replace("games.scaffold.newgame", package)
    text = text.replace("newgame", name).replace("Newgame", name.replace("_", " ").capitalize())
    return _IMPORTS.sub(_sorted, text)


def _sorted(imports: re.Match[str]) -> str:
    return "".join(sorted(imports[0].splitlines(keepends=True), key=lambda line: line.split()[1]))
