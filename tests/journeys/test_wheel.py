"""The wheel that a release is: built without the network, installed into a venv of its own, and played with."""

from __future__ import annotations

import getpass
import os
from email import message_from_bytes, policy
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from tests.journeys.conftest import House
from tests.journeys.wheels import built, copied, empty_venv, install, run
from tests.processes import ROOT, Process
from tests.smtp_fixtures import free_port

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(copied(tmp_path_factory.mktemp("source")))


@pytest.fixture(scope="module")
def pbem(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, empty_venv(tmp_path_factory.mktemp("installed")))


def test_all_that_is_no_module_is_in_it_and_nothing_of_the_tests(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    for source, inside in (
        ("templates", "pbem/templates"),
        ("pbem", "pbem"),
        ("games", "games"),
        ("deploy", "pbem/samples"),
    ):
        for file in (ROOT / source).rglob("*"):
            if file.suffix in (
                ".txt",
                ".html",
                ".toml",
                ".ttf",
                ".css",
                ".js",
                ".md",
                ".service",
                ".conf",
                ".json",
                ".gz",
                ".target",
                ".yaml",
            ):
                assert f"{inside}/{file.relative_to(ROOT / source)}" in names
    assert "pbem/locale/it/LC_MESSAGES/django.mo" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"pbem", "games"}


def test_the_demo_is_played_by_whoever_has_just_installed_it(pbem: Path, tmp_path: Path) -> None:
    ports = [f"127.0.0.1:{free_port()}" for _ in range(3)]
    said = run(
        str(pbem), "demo", "--once", "--door", ports[0], "--web", ports[1], "--post", ports[2],
        cwd=tmp_path, PATH=os.environ["PATH"],
    )  # fmt: skip
    assert "letters, with their pictures" in said
    letters = list((tmp_path / "var/letters").glob("*-bruno.eml"))
    texts = [
        message_from_bytes(letter.read_bytes(), policy=policy.default).get_body(("plain",))
        for letter in letters
    ]
    assert any("Tocca a te" in text.get_content() for text in texts)


def test_what_is_set_up_serves_and_its_samples_name_where_it_lies(
    pbem: Path, house: House, tmp_path: Path
) -> None:
    file, user = tmp_path / "new.env", getpass.getuser()
    env = {"PATH": os.environ["PATH"], "PBEM_ENV": str(file), "PBEM_USER": user}
    run(
        str(pbem), "setup", "--domain", "play.example.org", "--relay", house.env["EMAIL_URL"], "--door", "lmtp",
        "--database", "sqlite", "--organiser", "olga@example.org", "--var", str(tmp_path / "own"), "--user", user,
        cwd=tmp_path, **env,
    )  # fmt: skip
    with file.open("a", encoding="utf-8") as settings:
        settings.write(f"SMTP_LISTEN={house.env['SMTP_LISTEN']}\nWEB_LISTEN={house.env['WEB_LISTEN']}\n")
    service = Process([str(pbem), "serve"], env, tmp_path / "serve.log")
    house.stack.callback(service.stop)
    service.is_ready("web on ")
    with urlopen(f"http://{house.env['WEB_LISTEN']}/health/", timeout=30) as answer:
        assert answer.read() == b"well\n"
        assert answer.headers["Server"] == "PBeM"
    assert service.end() == 0
    run(str(pbem), "samples", str(tmp_path / "samples"), cwd=tmp_path, **env)
    unit = (tmp_path / "samples/systemd/pbem.service").read_text("utf-8")
    assert f"ExecStart={pbem} serve\n" in unit
