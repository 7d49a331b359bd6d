"""The tests mirror the source, folder by folder."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
OF_ALL_GAMES = {Path("games/contract")}


def test_each_folder_of_tests_has_its_source() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "pbem", "games", "tests"], cwd=ROOT, capture_output=True, text=True
    )
    files = [Path(line) for line in listed.stdout.splitlines()]
    source = {file.parent for file in files if file.suffix == ".py" and file.parts[0] != "tests"}
    tested = {Path(*file.parts[1:-1]) for file in files if file.name.startswith("test_")}
    mirrored = {folder for folder in tested if folder.parts[:1] in (("games",), ("pbem",))}
    assert mirrored - source == OF_ALL_GAMES
    # A folder without tests of its own is tested in the one above.
    assert {
        folder for folder in source - mirrored if not {folder.parent, folder.parent.parent} & mirrored
    } == set()
