"""The commands of deploy/README.md with the shipped sample settings: first as they are, then filled in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdef" * 4


def managed(settings: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """`deploy/manage` as it is shipped, in an empty environment."""
    user = os.environ.get("USER") or "root"
    environment = {"PATH": os.environ["PATH"], "PBEM_ENV": str(settings), "PBEM_PYTHON": sys.executable}
    return subprocess.run(
        [str(ROOT / "deploy/manage"), *arguments],
        env=environment | {"PBEM_USER": user} | more,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """As it is shipped, but for a folder that is there."""
    var = tmp_path / "var"
    var.mkdir()
    shipped = (ROOT / "deploy/pbem.env").read_text("utf-8")
    file = tmp_path / "pbem.env"
    file.write_text(shipped.replace("/srv/pbem/var", str(var)), "utf-8")
    return file


@pytest.fixture
def filled(sample: Path) -> Path:
    text = sample.read_text("utf-8")
    text = text.replace("SECRET_KEY=\n", f"SECRET_KEY={KEY}\n").replace("KEYS=1:\n", f'KEYS="1:{KEY}"\n')
    sample.write_text(text, "utf-8")
    return sample


def test_the_sample_as_it_is_says_what_is_missing(sample: Path) -> None:
    said = managed(sample, "check", "--deploy")
    assert said.returncode == 1
    assert "Traceback" not in said.stderr
    assert "pbem.E010" in said.stderr
    assert "pbem.E001" in said.stderr
    assert "pbem.E06" not in said.stderr


def test_the_sample_filled_in_is_well(filled: Path) -> None:
    said = managed(filled, "check", "--deploy")
    assert (said.returncode, said.stderr) == (0, "")
    assert "no issues" in said.stdout


def test_the_first_organiser_is_made_as_written(filled: Path) -> None:
    assert managed(filled, "migrate", "--verbosity", "0").returncode == 0
    made = managed(
        filled, "createsuperuser", "--noinput", "--username", "olga", "--email", "o@example.org",
        DJANGO_SUPERUSER_PASSWORD="right horse battery",
    )  # fmt: skip
    assert (made.returncode, made.stderr) == (0, "")
    assert (filled.parent / "var/pbem.sqlite3").exists()


def test_nothing_in_the_settings_is_executed(filled: Path) -> None:
    trap = filled.parent / "trap"
    with filled.open("a", encoding="utf-8") as settings:
        settings.write(f"EMAIL_URL=smtps://pbem:p$(touch {trap})`touch {trap}`&;@relay.example.org\n")
    assert "Traceback" not in managed(filled, "check").stderr
    assert not trap.exists()


def test_settings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    said = managed(tmp_path / "missing.env", "check")
    assert (said.returncode, "missing.env cannot be read" in said.stderr) == (78, True)


def test_the_notes_name_files_that_are_there() -> None:
    notes = (ROOT / "deploy/README.md").read_text("utf-8")
    for name in ("deploy/pbem.env", "deploy/systemd/pbem.service", "deploy/manage"):
        assert name in notes
        assert (ROOT / name).exists()
