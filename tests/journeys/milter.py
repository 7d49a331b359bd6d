"""The least of milters: asked at the end of a letter, it puts its verdict on top (the protocol of Sendmail 8.14)."""

from __future__ import annotations

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

VERSION, MAY_ADD_HEADERS = 6, 0x01
NOT_ASKED_BEFORE_THE_END = 0x37F  # of nothing but the end of the letter
NEGOTIATE, END_OF_LETTER, QUIT = b"O", b"E", b"Q"
INSERT, GO_ON = b"i", b"c"


@dataclass
class Milter:
    """Listens at `port`; `verdict` is what DMARC says of each letter, "" to say nothing."""

    port: int = 0
    verdict: str = ""


@contextmanager
def milter() -> Iterator[Milter]:
    own = Milter()

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while length := self.rfile.read(4):
                packet = self.rfile.read(*struct.unpack("!I", length))
                if packet[:1] == NEGOTIATE:
                    _, _, steps = struct.unpack("!III", packet[1:13])
                    offer = struct.pack("!III", VERSION, MAY_ADD_HEADERS, steps & NOT_ASKED_BEFORE_THE_END)
                    self._say(NEGOTIATE + offer)
                elif packet[:1] == END_OF_LETTER:
                    self._judge()
                elif packet[:1] == QUIT:
                    return

        def _judge(self) -> None:
            if own.verdict:
                spf = "pass" if own.verdict == "pass" else "none"
                said = (
                    f"mx.pbem.localhost; spf={spf} smtp.mailfrom=players.localhost;"
                    f" dmarc={own.verdict} header.from=players.localhost"
                )
                self._say(INSERT + struct.pack("!I", 0) + f"Authentication-Results\0{said}\0".encode())
            self._say(GO_ON)

        def _say(self, packet: bytes) -> None:
            self.wfile.write(struct.pack("!I", len(packet)) + packet)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        server.daemon_threads = True
        own.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="milter")
        thread.start()
        try:
            yield own
        finally:
            server.shutdown()
            thread.join()
