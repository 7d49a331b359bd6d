"""OpenDKIM and OpenDMARC with the files that we ship, each in a folder of a Postfix of the test's own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.processes import Process, wait_until

DEPLOY = Path(__file__).parents[2] / "deploy"
NAMES = ("opendkim", "opendmarc")
# Others can write in the folder of the test's, and its names are in no DNS.
OWN = {"opendkim": "RequireSafeKeys no\nTestDNSData file:", "opendmarc": "TestDNSData "}
needs_milters = pytest.mark.skipif(
    not all(map(shutil.which, NAMES)), reason="Debian's packages opendkim and opendmarc are not installed"
)


@contextmanager
def judging(queue: Path, key: bytes, records: Mapping[str, str]) -> Iterator[None]:
    """`key` signs what leaves; `records` are what both find in DNS, by name, as text."""
    own = queue.parent / "milters"
    own.mkdir()
    own.chmod(0o755)
    private = own / "pbem.private"
    private.write_bytes(key)
    private.chmod(0o600)
    shutil.chown(private, "opendkim")
    with ExitStack() as stack:
        for name in NAMES:
            zone = own / f"{name}.zone"
            zone.write_text("".join(f"{at} {text}\n" for at, text in records.items()))
            folder = queue / name
            folder.mkdir()
            shutil.chown(folder, name, "postfix")
            folder.chmod(0o2750)
            text = (DEPLOY / name / f"{name}.conf").read_text()
            text = re.sub(r"/var/spool/postfix\b", str(queue), text)
            text = re.sub(r"(?m)^(PidFile|TrustAnchorFile|PublicSuffixList) .*\n", "", text)
            text = text.replace("/etc/dkimkeys", str(own)).replace("play.example.org", "pbem.localhost")
            config = own / f"{name}.conf"
            config.write_text(text + OWN[name] + f"{zone}\n")
            option = "-x" if name == "opendkim" else "-c"
            process = Process([f"/usr/sbin/{name}", "-f", option, str(config)], {}, own / f"{name}.log")
            stack.callback(process.stop)
            wait_until((folder / f"{name}.sock").exists, f"{name} at its socket")
        yield
