"""An older state of this repository in a folder of its own, which runs in this environment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.serving import ROOT


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Nothing of it is known to git, so that nothing is left behind however this process ends."""
    with TemporaryDirectory(prefix="pbem-bench-old-") as folder:
        archive = subprocess.run(
            ["git", "archive", "--format=tar", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        compiled = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "compile"]
        where = ["--domain", "django", "--directory", f"{folder}/pbem/locale"]
        subprocess.run([*compiled, *where], check=True)
        yield Path(folder)


def short(commit: str) -> str:
    said = subprocess.run(
        ["git", "rev-parse", "--short", commit], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return said.stdout.strip()
