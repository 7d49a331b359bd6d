"""What a club lives: one match, one move after the other, each with two letters, a file each; now and before.

Both players want receipts. Those had a picture at BEFORE and have none now.
"""

from __future__ import annotations

import os
import queue
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.checkout import checkout, short
from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.floor import measured
from tests.bench.journey import Game, Journey
from tests.bench.serving import ROOT, Processes, manage
from tests.bench.sites import site
from tests.bench.whole import SETTLED
from tests.chance import random_game
from tests.smtp_fixtures import Letter

BEFORE = "54d9953"  # the build to compare with
MOVES, UNCOUNTED = 100, 10
WARMING = 20  # moves of a match before the first that is measured
PIXELS = {"today's": 780, "the former": 640}  # widths of a picture
BOUND = 0.35
SERVER = "mx.players.localhost"  # its Authentication-Results are trusted
CHAT = "How is the weather at your place? Here it rains.\nI had not seen that one coming, well played!"
LOOK = 0.001  # seconds between looks at the letters


@dataclass
class Side:
    """One state of the program, and milliseconds of CPU of a move in it, round by round."""

    journey: Journey
    processes: Processes
    pixels: int
    widths: set[int]  # of the pictures that came
    taken: list[float] = field(default_factory=list)

    def measure(self, moves: int, uncounted: int, seed: int) -> None:
        """A match of its own."""
        (game,) = self.journey.begin(1, lambda number: _game(number, moves, seed))
        written = game.moves
        game.moves = written[:uncounted]
        self.journey.play([game], chat=CHAT)
        time.sleep(SETTLED)
        before = self.processes.cpu
        game.moves = written
        self.journey.play([game], chat=CHAT)
        time.sleep(SETTLED)
        if self.widths != {self.pixels}:
            raise RuntimeError(f"pictures are {self.widths} px wide, not {self.pixels}")
        self.taken.append((self.processes.cpu - before) / (moves - uncounted) * 1000)


def alone(effort: Effort) -> Iterator[Row]:
    """At either size of pictures both draw the same number of pixels across."""
    effort.say("what nobody can beat")
    least = measured(effort)
    moves, uncounted = effort.few(MOVES, quick=16), effort.few(UNCOUNTED, quick=4)
    with ExitStack() as stack:
        old = stack.enter_context(checkout(effort.against or BEFORE))
        pairs = {}
        for name, pixels in PIXELS.items():
            effort.say(f"services with {name} pictures start")
            pairs[name] = [stack.enter_context(_service(root, pixels)) for root in (ROOT, old)]
        for name, pair in pairs.items():
            for side in pair:
                effort.say(f"warming up, {name} pictures")
                side.measure(effort.few(WARMING, quick=4), 2, seed=0)
                side.taken.clear()
        for number in range(effort.rounds):
            effort.say(f"round {number + 1} of {effort.rounds}")
            for pair in pairs.values():
                for side in pair if number % 2 == 0 else reversed(pair):
                    side.measure(moves, uncounted, seed=number + 1)
    label = f"the same at {short(effort.against or BEFORE)}"
    for name, (new, before) in pairs.items():
        what = f"a move, {name} pictures of {new.pixels} px"
        yield Row(f"{what}, CPU", median(new.taken), "ms CPU", Peer(label, median(before.taken)))
        ratios = [ours / theirs for ours, theirs in zip(new.taken, before.taken, strict=True)]
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        yield Row(f"{what}, part of {label} ({spread})", median(ratios), "times", bound=BOUND)
        yield Row(
            f"{what}, CPU", median(new.taken), "ms CPU", Peer("a letter in, one row, two out", least.cpu)
        )


def _game(number: int, moves: int, seed: int) -> Game:
    languages = ("en", "it")
    players = f"First{number}", f"Second{number}"
    return Game("loa", players, languages, random_game("loa", languages, moves, Random(seed)))


@contextmanager
def _service(root: Path, pixels: int) -> Iterator[Side]:
    """`serve` with its defaults, letters as files, and a mail server that vouches for players."""
    with TemporaryDirectory(prefix="pbem-bench-") as folder:
        letters = Path(folder) / "letters"
        letters.mkdir()
        rows = f"{folder}/pbem.sqlite3"
        settings = {
            "EMAIL_URL": f"file://{letters}",
            "DATABASE_URL": f"sqlite:///{rows}",
            "AUTHSERV_IDS": SERVER,
            "PYTHONPATH": _patched(folder, root, pixels),
        }
        with site(settings, [manage("serve")], root) as (journey, processes):
            journey.vouched = f"Authentication-Results: {SERVER}; dmarc=pass header.from=players.localhost\n"
            with _fetched(letters, journey.letters) as widths:
                if root != ROOT:
                    _resize(rows, pixels)
                yield Side(journey, processes, pixels, widths)


def _patched(folder: str, root: Path, pixels: int) -> str:
    """A PYTHONPATH on which every process draws that wide: a width of pictures is no setting."""
    words = f"from games.kit import layout\nlayout.DENSE = {pixels}\n"
    Path(folder, "sitecustomize.py").write_text(words)
    return os.pathsep.join((folder, str(root)))


def _resize(rows: str, pixels: int) -> None:
    """A width of pictures was a player's, of three."""
    with sqlite3.connect(rows) as connection:
        connection.execute(
            "CREATE TRIGGER resize AFTER INSERT ON players_player BEGIN"
            f" UPDATE players_player SET picture_size = {pixels} WHERE id = NEW.id; END"
        )
    connection.close()


@contextmanager
def _fetched(folder: Path, letters: queue.SimpleQueue[Letter]) -> Iterator[set[int]]:
    """Letters go from their files to the players. The widths of their boards come together."""
    stop, widths = threading.Event(), set[int]()

    def fetch() -> None:
        while not stop.wait(LOOK):
            for path in sorted(folder.iterdir()):
                if not (raw := path.read_bytes()).endswith(b"\r\n"):
                    continue  # it is being written
                path.unlink()
                letter = Letter(path.name.rpartition("-")[0], raw, time.perf_counter())
                if letter.kind == "turn":
                    widths.add(_width(raw))
                letters.put(letter)

    thread = threading.Thread(target=fetch, name="letters", daemon=True)
    thread.start()
    try:
        yield widths
    finally:
        stop.set()
        thread.join()


def _width(raw: bytes) -> int:
    """Of the board of a letter, 0 where there is none (PNG, IHDR)."""
    for part in message_from_bytes(raw).walk():
        if part.get_content_type() == "image/png":
            png = part.get_payload(decode=True)
            assert isinstance(png, bytes)
            return int.from_bytes(png[16:20])
    return 0
