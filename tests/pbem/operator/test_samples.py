"""What `pbem samples` writes names the folders of this installation, wherever they are."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from pbem.operator.management.commands.samples import IN_THE_SOURCE

Samples = Callable[[], Path]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings file is, or will be."""
    file = tmp_path / "own.env"
    monkeypatch.setenv("PBEM_ENV", str(file))
    return file


@pytest.fixture
def written(tmp_path: Path, file: Path) -> Samples:
    def write() -> Path:
        folder = tmp_path / "shipped"
        call_command("samples", str(folder))
        return folder

    return write


def lines(folder: Path, *names: str) -> str:
    files = [path for name in names for path in (folder / name).rglob("*") if path.is_file()]
    assert files
    return "".join(path.read_text("utf-8") for path in files)


def test_units_and_lines_for_postfix_name_where_everything_lies(
    written: Samples, file: Path, tmp_path: Path
) -> None:
    file.write_text(f"MAIL_DOMAIN=x\nVAR=/elsewhere\nVAR={tmp_path}/own\n", "utf-8")
    folder = written()
    said = lines(folder, "systemd", "postfix")
    assert "/srv/pbem" not in said
    assert "/etc/pbem.env" not in said
    assert f"ReadWritePaths={tmp_path}/own\n" in said
    assert f"LoadCredential=pbem.env:{file}\n" in said
    assert f"header_checks = regexp:{folder}/postfix/header_checks\n" in said
    assert f"ExecStart={Path(sys.executable).parent}/pbem backup {tmp_path}/own/backups\n" in said


def test_before_there_is_a_settings_file_they_name_the_usual_folder(written: Samples) -> None:
    said = lines(written(), "systemd")
    assert "ReadWritePaths=/srv/pbem/var\n" in said
    assert "LoadCredential=pbem.env:/etc/pbem.env\n" in said


def test_a_container_has_paths_of_its_own(written: Samples, file: Path) -> None:
    file.write_text("VAR=/elsewhere\n", "utf-8")
    folder = written()
    for source in (IN_THE_SOURCE / "docker").iterdir():
        assert (folder / "docker" / source.name).read_text("utf-8") == source.read_text("utf-8")


def test_no_path_of_ours_is_written_that_nobody_knows() -> None:
    said = lines(IN_THE_SOURCE, "systemd", "postfix")
    assert set(re.findall(r"/srv/pbem/\w+", said)) == {"/srv/pbem/venv", "/srv/pbem/var", "/srv/pbem/samples"}
