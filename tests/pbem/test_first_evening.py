"""`pbem` with the shipped sample settings: first as they are, then filled in; and from nothing, by `pbem setup`."""

import getpass
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parents[2]
KEY = "0123456789abcdef" * 4


def managed(settings: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """`pbem` in an environment that holds nothing else."""
    environment = {"PATH": os.environ["PATH"], "PBEM_ENV": str(settings), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "pbem", *arguments],
        env=environment | {"PBEM_USER": getpass.getuser()} | more,
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


def test_settings_that_are_not_there_are_named(tmp_path: Path) -> None:
    said = managed(tmp_path / "missing.env", "check")
    assert (said.returncode, said.stdout) == (78, "")
    assert (
        said.stderr
        == f"{tmp_path}/missing.env, which PBEM_ENV names, is not there. `pbem setup` writes it.\n"
    )
    assert (
        managed(tmp_path / "missing.env", "receive_mail", "play@play.example.org").returncode
        == os.EX_TEMPFAIL
    )


def test_the_sample_as_it_is_gives_no_traceback_anywhere(sample: Path) -> None:
    with sample.open("a", encoding="utf-8") as settings:
        settings.write("CELERY_BROKER_URL=redis://127.0.0.1:1\n")
    for command in (
        ["serve"],
        ["web"],
        ["worker", "inbound"],
        ["beat"],
        ["doctor"],
        ["sendtest", "olga@example.org"],
    ):
        said = managed(sample, *command)
        assert said.returncode != 0, (command, said.stdout)
        assert "Traceback" not in said.stderr + said.stdout, (command, said.stderr)


def test_values_that_cannot_be_read_are_named_in_a_line_each(filled: Path) -> None:
    with filled.open("a", encoding="utf-8") as settings:
        settings.write("TIME_ZONE=Mars\nLANGUAGE_CODE=xx\nLOG_LEVEL=LOUD\nDATABASE_URL=here\n")
    for command in ("serve", "web", "check"):
        said = managed(filled, command)
        assert said.returncode == 78
        assert [line.partition(":")[0] for line in said.stderr.splitlines()] == [
            "DATABASE_URL",
            "LANGUAGE_CODE",
            "TIME_ZONE",
            "LOG_LEVEL",
        ]


def test_from_nothing_to_a_service_that_is_set_up(tmp_path: Path) -> None:
    file, var = tmp_path / "new.env", tmp_path / "var"
    user = getpass.getuser()
    answers = (
        "--domain",
        "play.example.org",
        "--relay",
        "smtps://pbem:p%40ss@relay.example.org",
        "--door",
        "lmtp",
    )
    answers += ("--database", "sqlite", "--organiser", "olga@example.org", "--var", str(var), "--user", user)
    said = managed(file, "setup", *answers)
    assert (said.returncode, said.stderr) == (0, "")
    assert file.stat().st_mode & 0o777 == 0o600
    assert re.search(r"https://play.example.org/admin/sign-in/1/\S+/", said.stdout)
    assert "play.example.org. MX 10" in said.stdout
    text = file.read_text("utf-8")
    keys = re.findall(r"^(SECRET_KEY|MAIL_TOKEN_KEYS)=(?:1:)?([0-9a-f]{64})$", text, re.MULTILINE)
    assert len({key for _, key in keys}) == 2
    assert managed(file, "check", "--deploy").returncode == 0
    told = managed(file, "doctor", "--json", EMAIL_URL="", DNS_SERVERS="127.0.0.1:1")
    assert told.returncode == 1
    assert {problem["setting"] for problem in json.loads(told.stdout)} == {"EMAIL_URL", "DNS_SERVERS"}
    again = managed(file, "setup", *answers)
    assert again.returncode == 0
    assert "stays as it is" in again.stdout
    assert file.read_text("utf-8") == text


def test_answers_that_cannot_be_are_named_before_anything_is_written(tmp_path: Path) -> None:
    file = tmp_path / "new.env"
    said = managed(
        file, "setup", "--domain", "https://play.example.org", "--door", "cat", "--organiser", "olga",
        "--var", str(tmp_path / "var"), "--user", getpass.getuser(),
    )  # fmt: skip
    assert said.returncode == 1
    starts = ("CommandError: The door is", "The domain is", "The first organiser is")
    assert all(map(str.startswith, said.stderr.splitlines(), starts)), said.stderr
    assert len(said.stderr.splitlines()) == len(starts)
    assert "Traceback" not in said.stderr
    assert not file.exists()
    assert not (tmp_path / "var").exists()
