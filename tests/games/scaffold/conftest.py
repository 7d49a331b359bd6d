"""A game that has just begun, installed as the package that it is: found as any other is."""

import sys
import tomllib

import pytest

from games import registry
from games.scaffold.begin import begin, on_its_own
from tests.games.contract.conftest import language, notation  # noqa: F401 - the contract asks for them


@pytest.fixture(scope="module")
def three_stones(tmp_path_factory):
    """The game of this name, as the registry finds it: its distribution lies on the path, as pip would lay it."""
    folder = tmp_path_factory.mktemp("begun")
    begin(on_its_own("three_stones", folder))
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    about = folder / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    points = (f"{key} = {value}" for key, value in project["entry-points"][registry.PLUGINS].items())
    (about / "entry_points.txt").write_text("\n".join((f"[{registry.PLUGINS}]", *points)))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        registry.games.cache_clear()
        yield registry.games()["three_stones"]
    registry.games.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "three_stones"]:
        del sys.modules[name]  # else the name is taken when the next module asks for the game
