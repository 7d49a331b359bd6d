"""How well free wording is read: of the wishes in a set, how many are read right, wrong or not at all; of its talk, how
much is asked about, answered, or acts.

No table, example or threshold is fitted to the sets `fresh` and `unseen`. `fresh.*.txt` was written by somebody who
knew the README and nothing else; `unseen` is each tenth example, read by a model that was learned from the other nine.
A line is read alone: what becomes of an unclear answer to an offer (`pbem.inbox.dialogue.unsure_answers`) is not in the
figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

from games import lenient_parser
from games.protocol import LANGUAGES
from pbem import intents
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.match_commands import Move, Try
from pbem.inbox.commands.parser import understand
from pbem.inbox.commands.verbs import verb_of
from pbem.inbox.understanding.intents import lines_of
from pbem.intents import Bar
from pbem.intents.weights import Model, packed
from tests.boards import Board
from tests.intents import REQUESTS, TENTHS, examples, learned

HERE = Path(__file__).parent
OLDER = HERE.parent / "pbem" / "inbox"
TALK, NEW, ASKED, GAME = "talk", "new", "asked", "loa"
SAME = {"LETTERS": "STOP"}  # which is about letters
OWN = 4  # the number of the match whose letter is answered


@dataclass(frozen=True)
class Line:
    """`situation`: the game of the turn letter that it answers, `asked` (a draw offer is answered) or a `new` email.
    `wanted`: `talk`, or what should come of it, as verbs or verbs with the begin of their line, ` / ` between equals.
    """

    language: str
    situation: str
    wanted: str
    text: str

    @property
    def board(self) -> Board:
        return board(GAME if self.situation in (NEW, ASKED) else self.situation, self.language)


class Figures(NamedTuple):
    """Shares of the wishes (right, wrong, missed) and of the talk (asked, answered) in per cent; `acts` is a number.
    Milliseconds of the processor for a line, in the middle and at most."""

    wishes: int
    right: float
    wrong: float
    missed: float
    talk: int
    asked: float
    answered: float
    acts: int
    middle: float
    longest: float


@cache
def board(name: str, language: str) -> Board:
    return Board.of(name, language)


def lines(file: Path) -> Iterator[Line]:
    for line in file.read_text("utf-8").splitlines():
        situation, wanted, text = (part.strip() for part in line.split("|", 2))
        yield Line(file.suffixes[0][1:], situation, wanted, text)


def fresh() -> Sequence[Line]:
    return [line for language in LANGUAGES for line in lines(HERE / f"fresh.{language}.txt")]


def fitted() -> Mapping[str, Sequence[Line]]:
    """The sets that tables and examples were fitted to."""
    requests = [line for language in LANGUAGES for line in lines(OLDER / f"requests.{language}.txt")]
    return {"requests": requests} | {
        f"{name}, {situation}": [
            Line(language, situation, TALK, text)
            for language in LANGUAGES
            for text in (OLDER / f"{name}.{language}.txt").read_text("utf-8").splitlines()
        ]
        for name in ("everyday", "hypothetical")
        for situation in (GAME, NEW)
    }


def unseen() -> Mapping[str, Sequence[Line]]:
    """Each tenth example, where its intent has a line of its own."""
    found: dict[str, list[Line]] = {f"unseen, {situation}": [] for situation in (GAME, NEW)}
    for language, intent, text in examples()[::TENTHS]:
        for situation in (GAME, NEW):
            ways = lines_of(intent, anew=situation == NEW)
            wanted = TALK if intent == intents.TALK else " / ".join(way.split(" {")[0] for way in ways)
            if wanted:
                found[f"unseen, {situation}"].append(Line(language, situation, wanted, text))
    return found


@contextmanager
def without_the_tenth() -> Iterator[None]:
    """Requests are told by a model that was learned from nine tenths of the examples; takes minutes."""
    rest = [each for at, each in enumerate(examples()) if at % TENTHS] + examples("wishes")
    found = Model.of(packed(learned(REQUESTS, rest)))
    known = intents.model
    other = {intents.MODEL: found}
    intents.guesses.cache_clear()
    with patch.object(intents, "model", lambda file=intents.MODEL: other.get(file) or known(file)):
        yield
    intents.guesses.cache_clear()


def read(line: Line) -> tuple[Sequence[Command], Sequence[Command]]:
    """What is done at once, and what is asked about."""
    on, new = line.board, line.situation == NEW
    found = understand(
        [line.text],
        subject=None,
        language=line.language,
        is_move=on.is_move,
        match=None if new else OWN,
        answers=lambda: "draw" if line.situation == ASKED else "",
        legal=None if new else on.legal,
        guess=None if line.wanted == "REGISTER" else Bar.USUAL,  # who signs up is a stranger
    )
    return found.commands, found.asks


def told(command: Command, on: Board) -> str:
    """Its verb and the rest of its line; a move as the game writes it."""
    if isinstance(command, Move | Try):
        text = command.text if isinstance(command, Move) else next(iter(command.moves), "")
        return f"{verb_of(command)} {_move(text, on)}"
    return " ".join([verb_of(command), *command.line.upper().split()[1:]])


def _move(text: str, on: Board) -> str:
    try:
        found = lenient_parser.parse(on.game, on.position, text, on.notation)
    except ValueError:
        return text
    return on.game.write(on.position, found, on.notation)


def is_wanted(wanted: str, said: str) -> bool:
    """Whether it is one of the ways: its verb, and the move if it is one."""
    verb, _, rest = said.partition(" ")
    for way in wanted.split("/"):
        words = way.upper().split()
        if SAME.get(verb, verb) in words and (verb != "MOVE" or words[1:] in ([], [rest.upper()])):
            return True
    return False


def outcome(line: Line, done: Sequence[Command], asks: Sequence[Command]) -> str:
    if line.wanted == TALK:
        if any(not command.reading for command in done):
            return "acts"
        return "answered" if done else "asked" if asks else "ok"
    got = done or asks
    if not got:
        return "missed"
    return "right" if is_wanted(line.wanted, told(got[0], line.board)) else "wrong"


def figures(found: Sequence[tuple[Line, str, float]]) -> Figures:
    """Of lines with their outcomes and milliseconds."""
    count = Counter(outcome for _, outcome, _ in found)
    talk = sum(line.wanted == TALK for line, *_ in found)
    wishes, times = len(found) - talk, [spent for *_, spent in found]

    def share(name: str, of: int) -> float:
        return round(100 * count[name] / max(of, 1), 1)

    return Figures(
        wishes=wishes,
        right=share("right", wishes),
        wrong=share("wrong", wishes),
        missed=share("missed", wishes),
        talk=talk,
        asked=share("asked", talk),
        answered=share("answered", talk),
        acts=count["acts"],
        middle=round(median(times), 1),
        longest=round(max(times)),
    )


def measured(lines: Sequence[Line]) -> list[tuple[Line, str, float]]:
    found = []
    for line in lines:
        began = process_time()
        done, asks = read(line)
        spent = 1000 * (process_time() - began)
        found.append((line, outcome(line, done, asks), spent))
    return found


def table(name: str, found: Sequence[tuple[Line, str, float]]) -> Mapping[str, Figures]:
    """A set by language, and by what its lines answer."""
    groups: dict[str, list[tuple[Line, str, float]]] = {}
    for each in found:
        line = each[0]
        context = line.situation if line.situation in (NEW, ASKED) else "match"
        groups.setdefault(f"{name} {line.language} {context}", []).append(each)
    return {key: figures(each) for key, each in sorted(groups.items())}


def evaluate(*, every: int = 1) -> Mapping[str, Figures]:
    """Of all sets, of the large ones each so many-th line."""
    found = dict(table("fresh", measured(fresh())))
    for name, each in fitted().items():
        found |= table(name.partition(",")[0], measured(each[::every]))
    with without_the_tenth():
        for each in unseen().values():
            found |= table("unseen", measured(each[::every]))
    return found
