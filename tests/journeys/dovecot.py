"""A real Dovecot of the test's own: mailboxes in a folder, on high ports, that letters are delivered to by LMTP."""

from __future__ import annotations

import os
import shutil
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from imap_tools import BaseMailBox, MailBoxUnencrypted

from tests.processes import TIMEOUT, wait_until
from tests.smtp_fixtures import free_port

SBIN = "/usr/sbin/dovecot"
USER, PASSWORD = "play@pbem.localhost", "corner&edge"
_CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = {ssl}
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail/%u
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
first_valid_gid = 1
auth_username_chars =
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/home/%u allow_all_users=yes
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
namespace inbox {{
  inbox = yes
  separator = .
  prefix = {prefix}
}}
"""


def reason_not_to_run() -> str:
    """ "" where a Dovecot can be started."""
    if not Path(SBIN).exists():
        return "Debian's packages dovecot-imapd and dovecot-lmtpd are not installed"
    return "" if os.geteuid() == 0 else "only root can start a Dovecot that has users of its own"


needs_dovecot = pytest.mark.skipif(bool(reason_not_to_run()), reason=reason_not_to_run())


@dataclass
class Dovecot:
    """Any user may sign in with PASSWORD; `start` and `stop` it as often as needed."""

    folder: Path
    imap: int
    imaps: int
    lmtp: int
    user: str = USER
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"imap://{quote(self.user)}:{quote(PASSWORD)}@127.0.0.1:{self.imap}/INBOX"

    def deliver(self, raw: bytes, sender: str = "alice@players.localhost") -> None:
        with smtplib.LMTP("127.0.0.1", self.lmtp, timeout=TIMEOUT) as client:
            client.ehlo("mx.club.example")
            assert client.mail(sender)[0] == 250
            assert client.rcpt(self.user)[0] == 250
            assert client.data(raw)[0] == 250

    def has(self, folder: str = "INBOX") -> list[bytes]:
        """The letters of a folder, without touching them."""
        with self.signed_in() as mailbox:
            if not mailbox.folder.exists(folder):
                return []
            mailbox.folder.set(folder, readonly=True)
            return [
                mailbox.client.uid("FETCH", uid, "(BODY.PEEK[])")[1][0][1]
                for uid in mailbox.uids("ALL", charset=None)
            ]

    def signed_in(self) -> BaseMailBox:
        return MailBoxUnencrypted("127.0.0.1", self.imap).login(self.user, PASSWORD)

    def start(self) -> None:
        self.process = subprocess.Popen([SBIN, "-F", "-c", str(self.folder / "dovecot.conf")])
        for port in (self.imap, self.lmtp):
            wait_until(lambda port=port: _listens(port), f"Dovecot on port {port}")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(TIMEOUT)
            self.process = None


@contextmanager
def running(*, user: str = USER, prefix: str = "", ssl: str = "no", lines: str = "") -> Iterator[Dovecot]:
    """`user` has the mailbox, `prefix` is that of all folders, `ssl` and `lines` are configuration."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    folder.chmod(0o755)
    dovecot = Dovecot(folder, free_port(), free_port(), free_port(), user)
    for name in ("mail", "home"):
        (folder / name).mkdir()
        shutil.chown(folder / name, "nobody")
    text = _CONFIGURATION.format(
        folder=folder,
        prefix=prefix,
        ssl=ssl,
        password=PASSWORD,
        imap=dovecot.imap,
        imaps=dovecot.imaps if ssl != "no" else 0,
        lmtp=dovecot.lmtp,
    )
    (folder / "dovecot.conf").write_text(text + lines)
    try:
        dovecot.start()
        yield dovecot
    finally:
        dovecot.stop()
        shutil.rmtree(folder)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
