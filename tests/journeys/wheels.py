"""Wheels of ours, built without the network, and a venv of its own for each installation."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.processes import ROOT

SOURCE = ("pyproject.toml", "README.md", "LICENSE", "pbem", "games", "templates", "deploy")
UNTOUCHED = shutil.ignore_patterns("__pycache__", "*.mo", "build")  # the wheel compiles translations itself
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def run(*command: str, cwd: Path, **env: str) -> str:
    """What it says. With `env` nothing else is in its environment."""
    done = subprocess.run(command, cwd=cwd, env=env or None, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def copied(folder: Path) -> Path:
    """The source as it is here."""
    for name in SOURCE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=UNTOUCHED)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def built(source: Path) -> Path:
    """The wheel of that source."""
    folder = source / "dist"
    run(*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", str(folder), ".", cwd=source)
    [wheel] = folder.glob("pbem-*.whl")
    return wheel


def empty_venv(folder: Path) -> Path:
    """What PBeM stands on is lent by the Python of this test."""
    venv.create(folder, with_pip=False)
    site = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (site / "lent.pth").write_text(sysconfig.get_path("purelib"))
    return folder


def install(wheel: Path, folder: Path) -> Path:
    """The console script; in place of another version that may be there."""
    python = folder / "bin" / "python"
    words = ("install", "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    run(*PIP, "--python", str(python), *words, cwd=folder)
    return folder / "bin" / "pbem"
