"""A real Postfix of the test's own, with the lines that we ship: its own queue, a high port, and no other mail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.processes import wait_until
from tests.smtp_fixtures import free_port

SHIPPED = Path(__file__).parents[2] / "deploy" / "postfix"
SBIN = "/usr/sbin"
_DAEMONS = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 1 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def reason_not_to_run() -> str:
    """ "" where a Postfix can be started."""
    if shutil.which("postfix", path=f"{os.environ['PATH']}:{SBIN}") is None:
        return "Debian's package postfix is not installed"
    return "" if os.geteuid() == 0 else "only root can start the master of Postfix"


needs_postfix = pytest.mark.skipif(bool(reason_not_to_run()), reason=reason_not_to_run())


@dataclass(frozen=True)
class Postfix:
    """Runs from `folder`; `address` is where it takes mail."""

    folder: Path
    address: tuple[str, int]

    def run(self, command: str, *arguments: str) -> str:
        """One of its commands, for this instance; what it printed."""
        call = [f"{SBIN}/{command}", "-c", str(self.folder / "etc"), *arguments]
        done = subprocess.run(call, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{call}: {done.stdout}{done.stderr}\n{self.log}"
        return done.stdout

    @property
    def log(self) -> str:
        path = self.folder / "log" / "mail.log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def queue(self) -> str:
        """One line of JSON for each letter that waits."""
        return self.run("postqueue", "-j")

    def try_again(self) -> None:
        """What the queue manager does by itself after some minutes."""
        self.run("postqueue", "-f")

    def has_logged(self, words: str) -> None:
        wait_until(lambda: words in self.log, f"{words!r} in the log of Postfix")


@contextmanager
def running(
    shipped: str,
    *,
    door: tuple[str, int],
    relay: tuple[str, int],
    master: str = "",
    export: str = "",
    lines: str = "",
) -> Iterator[Postfix]:
    """`shipped` is our file of lines for main.cf, `lines` are more of them; mail for elsewhere goes to `relay`.

    `master` are more daemons, `export` is a variable (NAME=VALUE) for what they start.
    """
    folder = Path(tempfile.mkdtemp(prefix="pbem-postfix-"))
    folder.chmod(0o755)  # its daemons are other users than root
    postfix = Postfix(folder, ("127.0.0.1", free_port()))
    try:
        _set_up(postfix, _lines(shipped, door) + lines, relay, master, export)
        postfix.run("postfix", "start")
        try:
            yield postfix
        finally:
            postfix.run("postfix", "stop")
    finally:
        shutil.rmtree(folder)


def _lines(shipped: str, door: tuple[str, int]) -> str:
    lines = (SHIPPED / shipped).read_text().replace("/srv/pbem/samples/postfix", str(SHIPPED))
    lines = re.sub(r"(?m)^(\w*smtpd_milters) = .*", r"\1 =", lines)  # of programs that are not here
    return lines.replace("play.example.org", "pbem.localhost").replace(
        "127.0.0.1:2525", "{}:{}".format(*door)
    )


def _set_up(postfix: Postfix, lines: str, relay: tuple[str, int], master: str, export: str) -> None:
    etc, queue, data, log = (postfix.folder / name for name in ("etc", "queue", "data", "log"))
    for folder in (etc, queue, data, log):
        folder.mkdir()
    shutil.chown(data, "postfix")
    own = {
        "compatibility_level": "3.6",
        "queue_directory": queue,
        "data_directory": data,
        "maillog_file": log / "mail.log",
        "maillog_file_prefixes": log,
        "syslog_name": postfix.folder.name,
        "multi_instance_enable": "no",
        "inet_interfaces": "loopback-only",
        "inet_protocols": "ipv4",
        "myhostname": "mx.pbem.localhost",
        "mydestination": "",
        "mynetworks": "127.0.0.0/8",
        "relayhost": "[{}]:{}".format(*relay),
        "smtp_host_lookup": "native",
        "queue_run_delay": "3s",
        "minimal_backoff_time": "1s",
        "maximal_backoff_time": "1s",
        "smtpd_peername_lookup": "no",
        "alias_maps": "",
        "export_environment": f"TZ {export}",
    }
    (etc / "main.cf").write_text(lines + "".join(f"{name} = {value}\n" for name, value in own.items()))
    (etc / "master.cf").write_text(_DAEMONS.format(port=postfix.address[1]) + master)
