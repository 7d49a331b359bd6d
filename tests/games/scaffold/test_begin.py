"""A new game is written under its name, where it is wanted, and over nothing that is there."""

import re

import pytest

from games.scaffold import begin as scaffold
from games.scaffold.begin import begin, in_the_repository, on_its_own

GAME = {
    "__init__.py",
    "evaluation.py",
    "notation.py",
    "phrases.en.toml",
    "phrases.it.toml",
    "rules.en.md",
    "rules.it.md",
    "rules.py",
    "view.py",
}
TESTS = {"test_perft.py", "test_rules.py"}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository that is empty."""
    (tmp_path / "tests" / "games").mkdir(parents=True)
    monkeypatch.setattr(scaffold, "REPOSITORY", tmp_path)
    return tmp_path


def written(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_in_the_repository_a_game_is_two_folders(repository):
    files = begin(in_the_repository("merels"))
    assert {path.relative_to(repository).as_posix() for path in files} == written(repository)
    assert written(repository) == {
        *(f"games/merels/{name}" for name in GAME),
        *(f"tests/games/merels/{name}" for name in TESTS),
    }


def test_a_package_of_its_own_can_be_installed(tmp_path):
    begin(on_its_own("merels", tmp_path / "new"))
    assert written(tmp_path / "new") == {
        *(f"merels/{name}" for name in GAME),
        *(f"tests/{name}" for name in TESTS),
        "pyproject.toml",
    }


def test_the_name_stands_everywhere(repository):
    files = begin(in_the_repository("nine_men"))
    texts = {path.name: path.read_text("utf-8") for path in files}
    assert not [name for name, text in texts.items() if "newgame" in text.casefold()]
    assert 'key="nine_men"' in texts["__init__.py"]
    assert "from games.nine_men.rules import" in texts["view.py"]
    assert texts["rules.it.md"].startswith("# Nine men\n")
    assert texts["phrases.en.toml"].startswith('name = "Nine men"\n')


@pytest.mark.parametrize("name", ["abalone", "zen"])
def test_imports_are_in_order(repository, name):
    """Whether those of the game come before those of the kit and the protocol, or after."""
    for path in begin(in_the_repository(name)):
        imported = re.findall(r"^from (games\S*) import ", path.read_text("utf-8"), re.MULTILINE)
        assert imported == sorted(imported)


@pytest.mark.parametrize(
    "name", ["", "Othello", "2048", "nine-men", "nine men", "città", "class", "../kit", "a.b"]
)
def test_what_is_no_name_is_refused(repository, name):
    with pytest.raises(ValueError, match="cannot name a game"):
        begin(in_the_repository(name))
    assert not written(repository)


@pytest.mark.parametrize("name", ["loa", "lines_of_action", "kit", "scaffold", "record"])
def test_a_name_that_is_taken_is_refused(repository, name):
    with pytest.raises(ValueError, match="is taken"):
        begin(in_the_repository(name))
    assert not written(repository)


@pytest.mark.parametrize("name", ["loa", "random", "games"])
def test_a_package_of_its_own_hides_no_other(tmp_path, name):
    with pytest.raises(ValueError, match="is taken"):
        begin(on_its_own(name, tmp_path))


def test_a_folder_that_a_game_has_left_is_free(tmp_path, monkeypatch):
    (tmp_path / "merels" / "__pycache__").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    assert begin(on_its_own("merels", tmp_path))


def test_no_file_is_written_over(repository):
    there = repository / "tests" / "games" / "merels" / "test_perft.py"
    there.parent.mkdir()
    there.write_text("mine")
    with pytest.raises(ValueError, match=r"test_perft\.py is there already"):
        begin(in_the_repository("merels"))
    assert written(repository) == {"tests/games/merels/test_perft.py"}
    assert there.read_text() == "mine"


def test_where_no_repository_is_a_folder_must_be_named(tmp_path, monkeypatch):
    monkeypatch.setattr(scaffold, "REPOSITORY", tmp_path)
    with pytest.raises(ValueError, match="--into"):
        in_the_repository("merels")
