"""What is shipped beside the program says what it means: units, containers, proxies, and the notes about them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from pbem.command import PROGRAMS
from pbem.settings import CELERY_TASK_QUEUES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSED = sorted((DEPLOY / "docker").glob("compose*.yaml"))
EXPOSED_AT_MOST = 2.5  # of ten, by systemd's own reckoning


def service_of(unit: Path) -> dict[str, list[str]]:
    """Its section [Service]; a name may stand there several times."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text("utf-8").partition("[Service]\n")[2].partition("\n[")[0].splitlines():
        if line and line[0] != "#":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def is_command(words: list[str]) -> bool:
    return words[0] in PROGRAMS or words[0] in get_commands()


def test_each_command_line_is_one_of_ours() -> None:
    for unit in UNITS:
        service = service_of(unit)
        for line in (*service["ExecStart"], *service.get("ExecStartPre", ())):
            program, *words = shlex.split(line)
            assert program == "/srv/pbem/venv/bin/pbem" or (program, line.count("/srv/pbem/var")) == (
                "mkdir",
                1,
            )
            assert program == "mkdir" or is_command(words), line
        assert service["User"] == ["pbem"]
        assert service["LoadCredential"] == ["pbem.env:/etc/pbem.env"]


def test_what_runs_for_long_has_bounds_and_only_one_migrates() -> None:
    migrating = set()
    for unit in UNITS:
        service = service_of(unit)
        if "migrate" in " ".join((*service["ExecStart"], *service.get("ExecStartPre", ()))):
            migrating.add(unit.name)
        if "Type" in service:
            continue
        assert service["Restart"] == ["always"], unit
        assert service["TimeoutStopSec"] == ["30"]
        assert service["MemoryMax"]
        waits = "/srv/pbem/venv/bin/pbem await_database" in service.get("ExecStartPre", ())
        assert waits == (unit.name != "pbem.service")
    assert migrating == {
        "pbem.service",
        "pbem-migrate.service",
    }  # the two are in each other's way (Conflicts=)


def test_the_target_starts_them_all() -> None:
    lines = (DEPLOY / "systemd/pbem.target").read_text("utf-8")
    wanted = set(" ".join(re.findall(r"^Wants=(.*)$", lines, re.MULTILINE)).split())
    workers = {f"pbem-worker@{queue}.service" for queue in CELERY_TASK_QUEUES}
    assert workers <= wanted
    files = {unit.name for unit in UNITS}
    assert {re.sub("@.+", "@.service", name) for name in wanted} <= files
    for name in wanted:
        unit = (DEPLOY / "systemd" / re.sub("@.+", "@.service", name)).read_text("utf-8")
        assert "PartOf=pbem.target\n" in unit


def copied(folder: Path) -> None:
    """As `install.md` says, but for the program, which is not there: `true` is."""
    for file in (DEPLOY / "systemd").glob("pbem*"):
        (shutil.copytree if file.is_dir() else shutil.copy)(file, folder / file.name)
    for unit in folder.glob("*.service"):
        unit.write_text(unit.read_text("utf-8").replace("/srv/pbem/venv/bin/pbem", "/bin/true"), "utf-8")


def analysed(*words: str) -> str:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_what_a_unit_may_not_do_is_said_once_and_for_all_of_them() -> None:
    said = (DEPLOY / "systemd/pbem-.service.d/hardening.conf").read_text("utf-8")
    names = set(re.findall(r"^(\w+)=", said, re.MULTILINE))
    assert {"NoNewPrivileges", "ProtectSystem", "SystemCallFilter"} <= names
    for unit in UNITS:
        assert not names & set(service_of(unit)), unit.name
        if not unit.name.startswith("pbem-"):
            own = DEPLOY / "systemd" / f"{unit.name}.d/hardening.conf"
            assert own.read_text("utf-8") == said, unit.name


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
@pytest.mark.prove
def test_systemd_reads_each_line(tmp_path: Path) -> None:
    copied(tmp_path)
    for unit in UNITS:
        about = str(tmp_path / unit.name.replace("@", "@inbound"))
        said = [line for line in analysed("verify", "--man=no", about).splitlines() if "pbem" in line]
        assert said == [], unit.name


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_finds_little_exposed(tmp_path: Path) -> None:
    copied(tmp_path)
    for unit in UNITS:
        file = shutil.copy(unit, tmp_path / unit.name.replace("@", "@one"))
        said = analysed("security", "--offline=yes", "--no-pager", str(file))
        exposed = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
        assert exposed, said
        assert float(exposed[1]) <= EXPOSED_AT_MOST, (unit.name, exposed[0])


def test_images_have_plain_names_and_each_container_does_something_of_ours() -> None:
    for file in COMPOSED:
        services = yaml.safe_load(file.read_text("utf-8"))["services"]
        migrating = [
            name for name, service in services.items() if service.get("command", [""])[0] == "migrate"
        ]
        assert migrating == ["migrate"]
        for name, service in services.items():
            assert re.fullmatch(r"[a-z]+(:[\w.-]+)?", service["image"]), name  # no registry is named
            assert not service["image"].endswith(":latest")
            if service["image"] == "pbem":
                assert is_command(service["command"]), name
                assert service["read_only"]
                assert service["cap_drop"] == ["ALL"]
                assert (file.parent / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
            for other in service.get("depends_on", ()):
                assert other in services
    together = yaml.safe_load((DEPLOY / "docker/compose.yaml").read_text("utf-8"))["services"].values()
    heard = {service["command"][1] for service in together if service.get("command", [""])[0] == "worker"}
    assert heard == {*CELERY_TASK_QUEUES, "robots"}


def test_the_image_is_built_of_what_is_there_and_not_run_by_root() -> None:
    text = re.sub(r"\\\n", " ", (DEPLOY / "docker/Dockerfile").read_text("utf-8"))
    steps = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    assert {step for step, _ in steps} <= {
        "FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD",
    }  # fmt: skip
    assert "://" not in text
    images = [rest.split()[0] for step, rest in steps if step == "FROM"]
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+", image) for image in images)
    assert [rest for step, rest in steps if step == "USER"] == ["pbem"]
    for step, rest in steps:
        if step == "COPY" and not rest.startswith("--from"):
            assert (ROOT / rest.split()[0]).exists()
        if step == "RUN" and "apt-get install" in rest:
            assert "--no-install-recommends" in rest
            assert "rm -rf /var/lib/apt/lists/*" in rest
    assert ["ENTRYPOINT", '["pbem"]'] in steps


def test_proxies_say_who_asks_and_how() -> None:
    nginx = (DEPLOY / "nginx/pbem.conf").read_text("utf-8")
    assert nginx.count("{") == nginx.count("}")
    assert "return 301 https://$host$request_uri;" in nginx
    for header in (
        "Host $host",
        "X-Forwarded-For $proxy_add_x_forwarded_for",
        "X-Forwarded-Proto $scheme",
        'SCRIPT_NAME ""',
    ):
        assert nginx.count(f"proxy_set_header {header};") == nginx.count("proxy_pass ")
    caddy = (DEPLOY / "caddy/Caddyfile").read_text("utf-8")
    assert caddy.count("{") == caddy.count("}")
    for proxy in (nginx, caddy):
        assert "127.0.0.1:8000" in proxy
        assert "gzip" in proxy
        assert "/metrics/" in proxy


def test_the_notes_lead_to_what_is_there() -> None:
    for page in (*DEPLOY.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for where in re.findall(r"\]\((?!http|#|mailto)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / where).exists(), (page.name, where)


def test_each_command_in_the_notes_is_one_of_ours() -> None:
    known = {*PROGRAMS, *get_commands(), "help"}
    for page in DEPLOY.glob("*.md"):
        for name in re.findall(r"(?:`|^)pbem ([a-z_]+)", page.read_text("utf-8"), re.MULTILINE):
            assert name in known, (page.name, name)
