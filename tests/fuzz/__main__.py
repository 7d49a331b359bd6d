"""`python -m tests.fuzz --seconds 60`: feeds the reader letters that nobody wrote, led by the code they reach."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time

try:
    import atheris
except ImportError:
    sys.exit("make fuzz needs atheris, which is installed on Linux x86-64 only")

import django

from games.protocol import LANGUAGES
from games.registry import names

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
with atheris.instrument_imports(include=["pbem.inbox"]):
    django.setup()
    from pbem.inbox.commands.verbs import VERBS_OF
    from tests.boards import Board, read_on

MAIL = Path(__file__).parents[1] / "mail"
FOUND = Path("var/fuzz")  # a letter that raises or is slow is left here
CORPUS = FOUND / "corpus"  # those that reached something new: the next run begins with them
DICTIONARY = FOUND / "mail.dict"
PHRASES = Path(__file__).with_name("mail.dict")
LONGEST = 64 * 1024
SLOW = 1.0  # seconds of processor time, best of three, in instrumented code

SENT = (MAIL / "turn_letter.en.txt").read_text(encoding="utf-8")
BOARDS = [None, *(Board.of(name, language) for name in names() for language in LANGUAGES)]


@dataclass
class Figures:
    """What is printed when the time is over."""

    ends: float
    known: int  # letters that the corpus had before
    letters: int = 0
    slowest: float = 0.0

    def leave(self) -> None:
        """The corpus has grown where letters of letters have reached what none had reached before."""
        print(
            f"{self.letters:,} letters tried, 0 exceptions, "
            f"slowest {1000 * self.slowest:.0f} ms (instrumented, best of three); "
            f"{len(list(CORPUS.iterdir())) - self.known:,} of them reached something new",
            flush=True,
        )
        os._exit(0)  # libFuzzer would run on


def main(seconds: float) -> None:
    CORPUS.mkdir(parents=True, exist_ok=True)
    DICTIONARY.write_text("\n".join([PHRASES.read_text("ascii"), *lines_of_verbs()]), encoding="ascii")
    figures = Figures(ends=monotonic() + seconds, known=len(list(CORPUS.iterdir())))

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
    atheris.Setup([sys.argv[0], *arguments, str(CORPUS), str(MAIL)], one_letter)
    atheris.Fuzz()


def lines_of_verbs() -> Iterator[str]:
    """Every verb in every language at the beginning of a line, in libFuzzer's spelling."""
    for verb in VERBS_OF:
        octets = "".join(f"\\x{octet:02x}" for octet in f"\n{verb.upper()} ".encode())
        yield f'"{octets}"'


def try_letter(raw: bytes) -> float:
    """Read it as a reply and as a new letter, by any game; seconds that it took. Raises on any broken promise."""
    board = BOARDS[sum(raw[:64]) % len(BOARDS)]
    language = board.notation.language if board else "en"
    begun = process_time()
    for sent in (SENT, None):
        reading = read_on(board, raw, language=language, sent=sent, own_domain="pbem.example")
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
