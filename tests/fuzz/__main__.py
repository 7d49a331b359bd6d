"""`python -m tests.fuzz --seconds 60`: feeds the reader letters that nobody wrote, led by the code they reach."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, process_time

import atheris

from games.protocol import LANGUAGES
from games.registry import names

with atheris.instrument_imports(include=["pbem.inbox"]):
    from pbem.inbox.trial import Board, on_trial

MAIL = Path(__file__).parents[1] / "mail"
FOUND = Path("var/fuzz")  # a letter that raises or is slow is left here
DICTIONARY = Path(__file__).with_name("mail.dict")
LONGEST = 64 * 1024
SLOW = 1.0  # seconds of processor time, best of three, in instrumented code

SENT = (MAIL / "turn_letter.en.txt").read_text(encoding="utf-8")
BOARDS = [None, *(Board.of(name, language) for name in names() for language in LANGUAGES)]


@dataclass
class Figures:
    """What is printed when the time is over."""

    ends: float
    letters: int = 0
    slowest: float = 0.0

    def leave(self) -> None:
        print(
            f"{self.letters} letters tried, 0 exceptions, "
            f"slowest {1000 * self.slowest:.0f} ms (instrumented, best of three)",
            flush=True,
        )
        os._exit(0)  # libFuzzer would run on


def main(seconds: float) -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    figures = Figures(ends=monotonic() + seconds)

    def one_letter(raw: bytes) -> None:
        if monotonic() > figures.ends:
            figures.leave()
        figures.letters += 1
        took = try_letter(raw)
        if took > figures.slowest:
            figures.slowest = max(figures.slowest, min(took, try_letter(raw), try_letter(raw)))
        if figures.slowest > SLOW:
            raise TimeoutError(f"a letter took {figures.slowest:.1f} s")

    options = {
        "max_len": LONGEST,
        "len_control": 0,
        "artifact_prefix": f"{FOUND}/",
        "dict": DICTIONARY,
        "verbosity": 0,
        "timeout": 30,
    }
    arguments = [f"-{name}={value}" for name, value in options.items()]
    atheris.Setup([sys.argv[0], *arguments, mkdtemp(), str(MAIL)], one_letter)
    atheris.Fuzz()


def try_letter(raw: bytes) -> float:
    """Read it as a reply and as a new letter, by any game; seconds that it took. Raises on any broken promise."""
    board = BOARDS[sum(raw[:64]) % len(BOARDS)]
    language = board.notation.language if board else "en"
    begun = process_time()
    for sent in (SENT, None):
        reading = on_trial(raw, board=board, language=language, sent=sent, own_domain="pbem.example")
        hold_to_promises(reading)
    return (process_time() - begun) / 2


def hold_to_promises(reading: dict) -> None:
    json.dumps(reading, ensure_ascii=False).encode("utf-8")
    assert not (reading["automatic"] and reading["commands"]), reading
    assert reading["verdict"] or reading["commands"], reading
    for name in ("from", "subject"):
        assert not set(reading[name]) & set("\r\n\0"), reading
    for name in ("new_text", "chat"):
        assert not set(reading[name]) & set("\r\0\u202e\u200b"), reading


if __name__ == "__main__":
    parser = ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    main(parser.parse_args().seconds)
