"""A name server for tests: answers over UDP on this machine, and is silent or broken for some names."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


@dataclass
class Zone:
    """`records[name][type]` are texts as a zone file has them. `broken` names get SERVFAIL, `silent` nothing."""

    records: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    server: str = ""

    def add(self, name: str, kind: str, *texts: str) -> None:
        self.records.setdefault(name, {}).setdefault(kind, []).extend(texts)

    def txt(self, name: str, text: str) -> None:
        """A TXT record, in strings of 255 octets as the protocol has them."""
        pieces = [text[start : start + 255] for start in range(0, len(text), 255)] or [""]
        self.add(name, "TXT", " ".join(f'"{piece}"' for piece in pieces))

    def answer(self, octets: bytes) -> bytes | None:
        query = dns.message.from_wire(octets)
        [question] = query.question
        name, kind = (
            question.name.to_text(omit_final_dot=True).lower(),
            dns.rdatatype.to_text(question.rdtype),
        )
        self.asked.append(name)
        if name in self.silent:
            return None
        response = dns.message.make_response(query)
        if name in self.broken:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif name not in self.records:
            response.set_rcode(dns.rcode.NXDOMAIN)
        elif texts := self.records[name].get(kind):
            response.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *texts))
        return response.to_wire()


@contextmanager
def served(zone: Zone) -> Iterator[Zone]:
    """The zone on a free port of this machine, which is then its `server`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        host, port = listening.getsockname()
        zone.server = f"{host}:{port}"
        thread = threading.Thread(target=_serve, args=(zone, listening), daemon=True)
        thread.start()
        try:
            yield zone
        finally:
            listening.sendto(b"", (host, port))  # an empty datagram wakes the thread, which ends
            thread.join()


def _serve(zone: Zone, listening: socket.socket) -> None:
    while True:
        octets, client = listening.recvfrom(4096)
        if not octets:
            return
        if response := zone.answer(octets):
            listening.sendto(response, client)
