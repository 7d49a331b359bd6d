"""What the journeys write to their players, kept letter by letter, so that two versions can be held side by side.

`python -m tests.correspondence COMMIT` plays the in-process journeys of that version and of this tree, and prints
what differs, byte for byte but for files, of which the SHA-256 stands in the place. Salts and lots are drawn in the
same order each time. As a plugin of pytest it is `-p tests.correspondence --correspondence FOLDER`.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[1]
JOURNEYS = [
    "-n",
    "2",
    "-q",
    "-m",
    "not prove",
    "--hypothesis-profile",
    "quick",
    "--hypothesis-seed",
    "0",
    "tests/journeys",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--correspondence", metavar="FOLDER", help="keep what each test writes to players")


@pytest.fixture(autouse=True)
def _correspondence(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = request.config.getoption("--correspondence")
    if not folder:
        yield
        return
    from tests.post import Mailboxes  # noqa: PLC0415 - it has models, which exist only now

    drawn, sent = Random(0), list[str]()
    send = Mailboxes.send

    def kept(mailboxes: Mailboxes, sender: str, recipient: str, raw: bytes) -> str:
        answer = send(mailboxes, sender, recipient, raw)
        sent.append(f"From {sender} to {recipient}\n{shown(raw)}")
        return answer

    monkeypatch.setattr(Mailboxes, "send", kept)
    monkeypatch.setattr(secrets, "token_bytes", drawn.randbytes)
    monkeypatch.setattr("random._urandom", Random(0).randbytes)  # of SystemRandom
    yield
    if sent:
        path = Path(folder, re.sub(r"[^\w.-]+", "_", request.node.nodeid)[:200] + ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n\n".join(sent), encoding="utf-8")


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


def play(tree: Path, folder: Path) -> None:
    """The journeys of `tree`, with this plugin."""
    environ = {**os.environ, "PYTHONPATH": str(folder.parent), "DEVELOPMENT": "1"}
    (folder.parent / "keeper.py").write_bytes(Path(__file__).read_bytes())
    options = ["-p", "keeper", "--correspondence", str(folder)]
    subprocess.run([sys.executable, "-m", "pytest", *options, *JOURNEYS], cwd=tree, env=environ, check=False)


def main(commit: str) -> int:
    with TemporaryDirectory() as temporary:
        tree, before, after = (Path(temporary, name) for name in ("tree", "before", "after"))
        subprocess.run(["git", "worktree", "add", "-q", "-d", str(tree), commit], cwd=ROOT, check=True)
        try:
            for catalog in (ROOT / "pbem").rglob("*.mo"):
                (tree / catalog.relative_to(ROOT)).write_bytes(catalog.read_bytes())
            play(tree, before)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)
        play(ROOT, after)
        return subprocess.run(
            ["git", "diff", "--no-index", "--stat", "-p", before, after], check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
