"""What we stand on, looked at without the network: pinned, with hashes, as asked for, under licences that we know.

`make check` runs it. Whether a version has a known hole only a service on the network can tell: see deploy/SECURITY.md.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
RUN, DEV = "requirements.txt", "requirements-dev.txt"
_PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[\w.]+)(?: ; (?P<marker>.+))?")
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
# Each may be used by a program under the BSD licence, linked as a library and unchanged. As SPDX writes them, and as
# older packages do, in `License` or in a classifier.
LICENCES = re.compile(
    r"(?:MIT|MIT-0|MIT-CMU|ISC|BSD|New BSD|BSD-[23]-Clause|Apache[ -]2\.0|PSF-2\.0|MPL-2\.0|LGPL-3\.0-only"
    r"|CC0-1\.0|CC-BY-4\.0|MIT License|BSD License|Apache Software License|Python Software Foundation License"
    r"|Mozilla Public License 2\.0 \(MPL 2\.0\)|ZPL 2\.1|Zope Public License|Unlicense)"
)
SAID_ELSEWHERE = {"dkimpy": "Zlib"}  # its LICENSE; "BSD-like" in its metadata


def problems(root: Path = ROOT) -> Iterator[str]:
    """A line for each."""
    run, dev = (read(root / name) for name in (RUN, DEV))
    for name, text in ((RUN, root / RUN), (DEV, root / DEV)):
        yield from _lines(name, text.read_text("utf-8"))
    for name, versions in run.items():
        if dev.get(name) != versions:
            yield f"{name}: {RUN} has {versions}, {DEV} {dev.get(name)}"
    told = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    yield from _asked(told["project"]["dependencies"], RUN, run)
    yield from _asked(told["dependency-groups"]["dev"], DEV, dev)
    yield from _installed(run)


def read(file: Path) -> dict[str, list[str]]:
    """The versions of each package; several where markers tell them apart."""
    found: dict[str, list[str]] = {}
    for pin in _PIN.finditer(file.read_text("utf-8")):
        found.setdefault(pin["name"], []).append(pin["version"])
    return found


def _lines(file: str, text: str) -> Iterator[str]:
    """Nothing but pins with hashes: no address, no folder, no option."""
    for entry in re.split(r"\n(?=\S)", text.strip()):
        lines = [line.strip().removesuffix("\\").strip() for line in entry.splitlines()]
        first, *rest = [line for line in lines if not line.startswith("#")] or [""]
        if not _PIN.fullmatch(first):
            yield f"{file}: {first!r} is no name with one version"
        elif not rest or not all(map(_HASH.fullmatch, rest)):
            yield f"{file}: {first} has no hashes, or more than hashes"


def _asked(requirements: list[str], file: str, pinned: Mapping[str, list[str]]) -> Iterator[str]:
    for text in requirements:
        wanted = Requirement(text)
        versions = pinned.get(canonicalize_name(wanted.name), [])
        if not versions or not all(wanted.specifier.contains(version) for version in versions):
            yield f"{file}: pyproject.toml wants {wanted}, and {versions or 'nothing'} is pinned"


def _installed(pinned: Mapping[str, list[str]]) -> Iterator[str]:
    for name, versions in pinned.items():
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # of another Python, or another machine
        if found.version not in versions:
            yield f"{name}: {found.version} is installed, {versions} pinned"
        said = licences(found)
        if name not in SAID_ELSEWHERE and not any(map(_is_known, said)):
            yield f"{name}: its licence is {' or '.join(said) or 'not told'}: is it one that we may stand on?"


def licences(found: Distribution) -> list[str]:
    """As its metadata say."""
    classifiers = [
        line.split(" :: ")[-1] for line in found.metadata.get_all("Classifier") or [] if "License ::" in line
    ]
    told = [
        found.metadata[name] for name in ("License-Expression", "License") if name in found.metadata
    ] + classifiers
    return [text for text in told if text and "\n" not in text]


def _is_known(text: str) -> bool:
    return all(LICENCES.fullmatch(part) for part in re.split(r" (?:AND|OR) ", text))


if __name__ == "__main__":
    found = list(problems())
    sys.exit("\n".join(found) if found else 0)
