"""Writes letters as mail programs do, each with a number of its own."""

from __future__ import annotations

from base64 import b32decode
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate

from tests.chaos.relay import Submission

DOMAIN = "pbem.localhost"
PLAY = f"play@{DOMAIN}"
AUTHSERV_ID = "mx.chaos.test"
PLAYERS, STRANGERS = "players.localhost", "strangers.localhost"


@dataclass
class Pen:
    seed: int
    written: int = 0

    def letter(
        self,
        what: str,
        sender: str,
        body: str,
        *,
        to: str = PLAY,
        envelope: str | None = None,
        dmarc: str = "pass",
        headers: Mapping[str, str] | None = None,
        named: bool = True,
        move: tuple[int, int] | None = None,
    ) -> Submission:
        """`envelope`: the sender there, if another one than in From. `named`: it has a Message-ID."""
        self.written += 1
        spf = "pass" if dmarc == "pass" else "none"
        name = f"<{self.seed}.{self.written}@{sender.partition('@')[2]}>"
        fields = {
            "Authentication-Results": f"{AUTHSERV_ID}; spf={spf} smtp.mailfrom={sender}; dmarc={dmarc}",
            "From": f"Somebody <{sender}>",
            "To": to,
            "Subject": "Re: our match",
            "Date": formatdate(),  # a letter of another day is none that she writes now
            **({"Message-ID": name} if named else {}),
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8",
            **(headers or {}),
        }
        head = "".join(f"{field}: {value}\n" for field, value in fields.items())
        raw = f"{head}\n{body}\n".replace("\n", "\r\n").encode()
        envelope = sender if envelope is None else envelope
        return Submission(what, envelope, to, name if named else "", raw, move)


def ply_of(reply_to: str) -> int | None:
    """Which turn the answer to a letter is for; None where the address is not about one."""
    purpose, _, token = reply_to.partition("@")[0].partition("+")
    return int.from_bytes(b32decode(token.upper())[6:8], "big") if purpose == "m" else None
