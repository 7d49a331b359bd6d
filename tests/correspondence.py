"""What the journeys write to their players, kept letter by letter, so that two versions can be held side by side.

`python -m tests.correspondence COMMIT [-k clocks ...]` plays the in-process journeys of that version and of this
tree, or those that pytest's arguments leave, and prints what differs, byte for byte but for files, of which the
SHA-256 stands in the place. A journey is known by its function and parameters, in whichever file it is; one that
fails, or that ran there alone, is named. Salts and lots are drawn in the same order each time.
As a plugin of pytest it is `-p tests.correspondence --correspondence FILE`.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from email import message_from_bytes
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SEEDED = ("--hypothesis-profile", "quick", "--hypothesis-seed", "0")
JOURNEYS = ("-n", "2", "-q", "-m", "not prove", *SEEDED, "tests/journeys")
MAILBOXES = ("tests.mail_fixtures.Mailboxes", "tests.post.Mailboxes")  # in one version or another
OUTCOMES = ("passed", "skipped", "failed")  # of its set-up, itself and what follows the worst counts


@dataclass(frozen=True)
class Journey:
    """`node` is pytest's name for it: file, function, parameters."""

    node: str
    outcome: str
    letters: Sequence[str] = ()


@dataclass(frozen=True)
class Played:
    """The journeys of a tree, and how pytest ended."""

    journeys: Mapping[str, Journey]
    status: int = 0

    @property
    def ran(self) -> set[str]:
        return {key for key, journey in self.journeys.items() if journey.outcome != "skipped"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--correspondence", metavar="FILE", help="keep what each test writes to players")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """In every process: what is not there fails at once. The one that hears of all tests keeps the letters."""
    if file := session.config.getoption("--correspondence"):
        found(*MAILBOXES)
        if not hasattr(session.config, "workerinput"):
            session.config.pluginmanager.register(_Record(Path(file)))


class _Record:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._journeys: dict[str, Journey] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        known = self._journeys.get(report.nodeid, Journey(report.nodeid, "passed"))
        outcome = max(known.outcome, report.outcome, key=OUTCOMES.index)
        letters = dict(report.user_properties).get("letters", ())
        self._journeys[report.nodeid] = replace(known, outcome=outcome, letters=letters)

    def pytest_sessionfinish(self) -> None:
        self._file.write_text(json.dumps([asdict(journey) for journey in self._journeys.values()]))


@pytest.fixture(autouse=True)
def _correspondence(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not request.config.getoption("--correspondence"):
        yield
        return
    mailboxes, drawn, sent = found(*MAILBOXES), Random(0), list[str]()
    send = mailboxes.send

    def kept(mailboxes: object, sender: str, recipient: str, raw: bytes) -> str:
        answer = send(mailboxes, sender, recipient, raw)
        sent.append(f"From {sender} to {recipient}\n{shown(raw)}")
        return answer

    monkeypatch.setattr(mailboxes, "send", kept)
    monkeypatch.setattr(secrets, "token_bytes", drawn.randbytes)
    monkeypatch.setattr("random._urandom", Random(0).randbytes)  # of SystemRandom
    yield
    request.node.user_properties.append(("letters", sent))


def found(*names: str) -> Any:
    """The first of these that there is, in a module that is imported for it."""
    for name in names:
        module, _, attribute = name.rpartition(".")
        try:
            if value := getattr(import_module(module), attribute, None):
                return value
        except ModuleNotFoundError as missing:
            if not f"{module}.".startswith(f"{missing.name}."):
                raise
    raise pytest.UsageError(f"None of these is here: {', '.join(names)}")


def shown(raw: bytes) -> str:
    """Headers and words of a letter as they are, of the rest what tells it from another."""
    lines = []
    for part in message_from_bytes(raw).walk():
        lines += [f"{name}: {value}" for name, value in part.items()]
        content = part.get_payload(decode=True)
        if isinstance(content, bytes):
            words = part.get_content_maintype() == "text"
            lines += ["", content.decode(errors="replace") if words else sha256(content).hexdigest()]
    return "\n".join(lines)


def keyed(*trees: Sequence[Journey]) -> list[dict[str, Journey]]:
    """By function and parameters, behind the file's name where a tree has several such."""
    names = [Counter(_name(journey) for journey in tree) for tree in trees]

    def key(journey: Journey) -> str:
        name = _name(journey)
        several = any(count[name] > 1 for count in names)
        return f"{Path(journey.node.partition('::')[0]).stem}::{name}" if several else name

    return [{key(journey): journey for journey in tree} for tree in trees]


def _name(journey: Journey) -> str:
    return journey.node.partition("::")[2]


def objections(before: Played, after: Played) -> Iterator[str]:
    """What makes the comparison worthless, however alike the letters are."""
    for where, played in (("there", before), ("here", after)):
        failed = [key for key, journey in played.journeys.items() if journey.outcome == "failed"]
        yield from (f"{key} fails {where}" for key in failed)
        if played.status and not failed:
            yield f"pytest ends with {played.status} {where}"
    if len(after.ran) < len(before.ran):
        yield f"{len(before.ran)} journeys ran there, {len(after.ran)} here"
        yield from (f"{key} ran there alone" for key in sorted(before.ran - after.ran))


def play(tree: Path, arguments: Sequence[str]) -> tuple[list[Journey], int]:
    """The journeys of `tree`, with this plugin under another name, and how pytest ended."""
    babel = [sys.executable, "-m", "babel.messages.frontend", "--quiet"]
    subprocess.run(
        [*babel, "compile", "--domain", "django", "--directory", "pbem/locale"], cwd=tree, check=True
    )
    with TemporaryDirectory() as folder:
        file = Path(folder, "journeys.json")
        Path(folder, "keeper.py").write_bytes(Path(__file__).read_bytes())
        environ = {**os.environ, "PYTHONPATH": folder, "DEVELOPMENT": "1"}
        options = ["-p", "keeper", "--correspondence", str(file), *JOURNEYS, *arguments]
        ended = subprocess.run([sys.executable, "-m", "pytest", *options], cwd=tree, env=environ, check=False)
        kept = json.loads(file.read_text()) if file.exists() else []
    return [Journey(**journey) for journey in kept], ended.returncode


def write(folder: Path, journeys: Mapping[str, Journey]) -> None:
    """A file for each journey that has letters."""
    folder.mkdir()
    for key, journey in journeys.items():
        if journey.letters:
            name = re.sub(r"[^\w.-]+", "_", key, flags=re.ASCII)[:150]
            path = folder / f"{name}.{sha256(key.encode()).hexdigest()[:8]}.txt"
            path.write_text("\n\n".join(journey.letters), encoding="utf-8")


def main(commit: str, *arguments: str) -> int:
    with TemporaryDirectory() as temporary:
        tree = Path(temporary, "tree")
        subprocess.run(["git", "worktree", "add", "-q", "-d", str(tree), commit], cwd=ROOT, check=True)
        try:
            there, status_there = play(tree, arguments)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)
        here, status_here = play(ROOT, arguments)
        before, after = keyed(there, here)
        write(Path(temporary, "before"), before)
        write(Path(temporary, "after"), after)
        differ = subprocess.run(
            ["git", "diff", "--no-index", "--stat", "-p", "before", "after"], cwd=temporary, check=False
        ).returncode
    wrong = list(objections(Played(before, status_there), Played(after, status_here)))
    print(*wrong, f"{len(before)} journeys there, {len(after)} here", sep="\n")
    return int(bool(differ or wrong))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
