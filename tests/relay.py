"""A relay that misbehaves as told: an SMTP server on a port of its own with a script of replies."""

from __future__ import annotations

import socketserver
import ssl
import subprocess
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

HANG = "hang"  # say nothing, stay connected
HANG_UP = "hang up"  # say nothing, close
USUAL = {
    "CONNECT": "220 relay",
    "STARTTLS": "220 ready",
    "DATA": "354 go on",
    "QUIT": "221 bye",
    ".": "250 2.0.0 queued",
}


@dataclass
class Relay:
    """`script` has the replies to a verb in their order, then the usual one; `.` is the end of a letter.

    `taken` are the letters that heard a 250, or would have, had they been told.
    """

    script: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    offers: tuple[str, ...] = ()
    heard: list[str] = field(default_factory=list)
    taken: list[bytes] = field(default_factory=list)
    connections: int = 0
    address: tuple[str, int] = ("127.0.0.1", 0)
    tls: ssl.SSLContext | None = None

    @contextmanager
    def open(self) -> Iterator[Relay]:
        with _Server(self) as server:
            self.address = ("127.0.0.1", server.server_address[1])
            thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="relay")
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()

    @property
    def url(self) -> str:
        return "smtp://{}:{}".format(*self.address)

    def reply(self, verb: str) -> str:
        if self.script[verb]:
            return self.script[verb].pop(0)
        if verb == "EHLO":
            return "\r\n".join([*(f"250-{offer}" for offer in ("relay", *self.offers)), "250 8BITMIME"])
        return USUAL.get(verb, "250 OK")


class _Session(socketserver.StreamRequestHandler):
    """One connection, in a thread of its own."""

    server: _Server

    def handle(self) -> None:
        relay = self.server.relay
        relay.connections += 1
        with suppress(OSError):  # anyone who had enough of us has hung up
            self.named = False
            going_on = self._answer("CONNECT")
            while going_on and (line := self.rfile.readline()):
                verb = line.decode("utf-8").upper().split()[0]
                relay.heard.append(verb)
                going_on = self._answer(verb)

    def _answer(self, verb: str, letter: bytes = b"") -> bool:
        """Whether the connection stays."""
        relay = self.server.relay
        reply = relay.reply(verb)
        if verb in ("MAIL", "RCPT"):
            self.named = verb == "RCPT" and reply.startswith("250")
        if verb == "." and not self.named:
            reply = "554 5.5.1 no valid recipients"
        if verb == "." and reply[0] not in "45":
            relay.taken.append(letter)
        if reply == HANG_UP:
            return False
        if reply != HANG:
            self.wfile.write(reply.encode() + b"\r\n")
        if verb == "STARTTLS" and reply.startswith("220"):
            self._encrypt()
        if verb == "DATA" and reply.startswith("354"):
            lines: list[bytes] = []
            while (line := self.rfile.readline()) != b".\r\n":
                if not line:  # hung up amid the letter
                    return False
                lines.append(line)
            letter = b"".join(lines)
            relay.heard.append(".")
            return self._answer(".", letter)
        return not reply.startswith("421")

    def _encrypt(self) -> None:
        assert self.server.relay.tls
        self.request = self.server.relay.tls.wrap_socket(self.request, server_side=True)
        self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb", buffering=0)

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()
        self.request.close()


class _Server(socketserver.ThreadingTCPServer):
    def __init__(self, relay: Relay) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.relay = relay


def certificate(folder: Path, name: str = "localhost") -> tuple[Path, ssl.SSLContext]:
    """A certificate that only its owner vouches for, and a server's end of TLS that has it."""
    public, private = folder / f"{name}.pem", folder / f"{name}.key"
    asked = ("-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}")
    made = ["openssl", "req", "-x509", *asked, "-keyout", str(private), "-out", str(public)]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return public, context
