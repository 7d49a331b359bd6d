"""Short dialogues by email as data: `dialogues/*.txt`, which `test_dialogues.py` plays: of the rows of each what they
begin with once, and each from where they part.

    # A title                      the name of the test
    given loa                      Alice and Bruno play this game, Alice moves first; all letters until here are read;
                                   `open zertz`: this one, too
    newcomer Joan joan@mail.org    has not signed up; `player Anna it` has; alice, bruno, charlie as named
    vouched or not                 all once more, with emails that no provider vouches for; `trusted or not`: and
                                   with a server that says nothing about them
    alice: CHALLENGE Bruno loa     a new email; `alice: [Subject] text`
    alice> b1-b3                   an answer to her newest letter; `alice@board> b1-b3` to the one kept as `board`
    alice?> YES                    no provider vouches for it; `alice!>`: it is forged; where one is marked `alice*>`,
                                   only such ones are `vouched or not`
    = ok                           its verdict is this, or one of these; `!= ok` it is not
    - a row | its second column    for {0} and {1} above; {first} and {last} are lines of {0}, `\\n` begins another;
                                   `&below` for all rows of the list of this name

What is expected stands in `FACTS` and `EXPECTED`, below. Two spaces divide what stands in one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from itertools import groupby, takewhile
from pathlib import Path
from random import Random

from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.matches.models import ConditionalLine, Invitation, Match, Offer, Seek
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.refusals import Code
from tests.journeys.test_by_mail_robots import thinks
from tests.mail_fixtures import Correspondent, Delivery, Post, registered, unwrapped
from tests.pbem.robots.conftest import any_move

FOLDER = Path(__file__).parent / "dialogues"
STANDING = {"alice": "en", "bruno": "it", "charlie": "en"}
MODELS = {
    model.__name__: model
    for model in (ConditionalLine, Invitation, Match, Offer, PersonalMessage, Player, Seek)
}
LETTER = re.compile(r"(\w+)([?!*]?)(?:@(\w+))?([:>]) ?(?:\[(.*?)\] )?(.*)", re.DOTALL)
WROTE = {"it": "Il giorno 4 maggio 2026 PBeM ha scritto:"}
DMARC = {"?": "none", "!": "fail"}


Row = tuple[str, ...]  # its lines


@dataclass(frozen=True)
class Dialogue:
    """A block with its rows, and whether providers vouch for its emails."""

    name: str
    rows: tuple[Row, ...]
    dmarc: str = "pass"


def dialogues() -> Iterator[Dialogue]:
    for file in sorted(FOLDER.glob("*.txt")):
        blocks = file.read_text("utf-8").strip().split("\n\n")
        lists = dict(block.split("\n", 1) for block in blocks if block.startswith("&"))
        for block in blocks:
            if not block.startswith("&"):
                lines = "\n".join(lists.get(line, line) for line in block.split("\n"))
                yield from _ways(file.stem, lines)


def _ways(topic: str, block: str) -> Iterator[Dialogue]:
    title, *lines = block.splitlines()
    title = re.sub(r"\W+", "_", title.removeprefix("# ")).lower().strip("_")
    ways = ["pass"]
    for switch, more in {"vouched or not": ["none"], "trusted or not": ["none", "unsaid"]}.items():
        ways += more if switch in lines else []
    switches = ("vouched or not", "trusted or not")
    steps = [line for line in lines if not line.startswith("- ") and line not in switches]
    story = [step for line in steps for step in line.split("  ")]
    rows = [re.split(r" \|(?: |$)", line.removeprefix("- ")) for line in lines if line.startswith("- ")]
    told = tuple(_told(story, row) for row in rows or [[""]])
    for way in ways:
        yield Dialogue(f"{topic}-{title}-{way}", told, way)


def _told(story: list[str], row: list[str]) -> Row:
    said = [column.strip().replace("\\n", "\n").replace("\\s", " ") for column in row]
    words = {"first": said[0].partition("\n")[0], "last": said[0].rpartition("\n")[2]}
    return tuple(_filled(line, said, words) for line in story)


def _filled(line: str, said: list[str], words: dict[str, str]) -> str:
    for name, text in (words | {str(number): text for number, text in enumerate(said)}).items():
        line = line.replace(f"{{{name}}}", text)
    return re.sub(r"\{\d\}", "", line).replace("\\n", "\n")


@dataclass(frozen=True)
class Cast:
    """What all lines of a row decide before its first: who takes part, and whether emails are marked `*`."""

    names: tuple[str, ...]
    marked: bool

    @classmethod
    def of(cls, row: Row) -> Cast:
        named = [re.compile(rf"{name}\b|with .*\b{name}\b|given ") for name in STANDING]
        names = [name for name, said in zip(STANDING, named, strict=True) if any(map(said.match, row))]
        return cls(tuple(names), any("*" in line for line in row))


def play(post: Post, dialogue: Dialogue) -> None:
    for cast, rows in groupby(dialogue.rows, Cast.of):
        with post.undone():
            people = {
                name: registered(post, name.title(), STANDING[name], WROTE.get(STANDING[name], ""))
                for name in cast.names
            }
            Play(post, dialogue.dmarc, cast.marked, people).through([*rows])


@dataclass
class Play:
    """Rows as they go on: who writes, which letters each has read, the verdict of the last email."""

    post: Post
    dmarc: str
    marked: bool
    people: dict[str, Correspondent]
    kept: dict[str, Delivery] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    verdict: str = ""

    def through(self, rows: list[Row]) -> None:
        """What all rows begin with once; then each as if none of the others had been played."""
        common = len([*takewhile(lambda lines: len({*lines}) == 1, zip(*rows, strict=False))])
        try:
            for line in rows[0][:common]:
                self.step(line)
        except Exception as error:
            error.add_note("\n".join(rows[0]))
            raise
        parted = (row[common:] for row in rows if len(row) > common)
        for _, following in groupby(parted, lambda row: row[0]):
            with self.post.undone():
                copied = {name: dict(getattr(self, name)) for name in ("people", "kept", "read")}
                replace(self, **copied).through([*following])

    def step(self, line: str) -> None:
        if condition := re.match(r"if (no match|(\w+) (?:asked|signing)) ", line):
            who = condition.group(2)
            if self.people[who].letter.kind in ("confirm", "signup") if who else not Match.objects.exists():
                self.step(line[condition.end() :])
            return
        if "{seek}" in line:
            line = line.replace("{seek}", str(Seek.objects.earliest("pk").pk))
        if "{match}" in line:
            line = line.replace("{match}", str(self.match.pk))
        verb, _, rest = line.partition(" ")
        if rest and verb in SETTING:
            SETTING[verb](self, rest)
        elif verb in FACTS:
            assert FACTS[verb](self, rest), (line, self.verdict, self.moves if Match.objects.exists() else [])
        elif letter := LETTER.fullmatch(line):
            self.write(*letter.groups())
        else:
            who = self.people[verb]
            verb, _, rest = rest.partition(" ")
            seen = Seen(who, who.letters[self.read.get(who.name, 0) :])
            assert EXPECTED[verb](seen, rest), (line, self.verdict, seen.kinds, seen.text)

    def write(self, name: str, mark: str, kept: str, how: str, subject: str, body: str) -> None:
        who = self.people[name]
        dmarc = DMARC.get(mark, "pass" if self.marked and not mark else self.dmarc)
        dmarc = "none" if dmarc == "unsaid" else dmarc
        if how == ":":
            row = who.writes(body, subject=subject or "", dmarc=dmarc)
        else:
            row = who.answers(self.kept[kept] if kept else who.letter, body, dmarc=dmarc)
        self.verdict = row.verdict if row.verdict == "ok" else Code(row.verdict).name.lower()

    def given(self, game: str) -> None:
        first, second = (self.people[name].player for name in ("alice", "bruno"))
        start(first=first, second=second, game=game, now=self.post.now, rng=Random(game))
        self.post.live()
        self.post.send()
        self.caught_up("all")

    def caught_up(self, names: str) -> None:
        for name in self.people if names == "all" else names.split():
            self.read[self.people[name].name] = len(self.people[name].letters)

    def newcomer(self, line: str) -> None:
        name, _, email = line.rpartition(" ")
        self.people[(name or "unnamed").split()[-1].lower()] = Correspondent(self.post, name, email)

    def player(self, line: str) -> None:
        name, language = line.split()
        self.people[name.lower()] = registered(self.post, name, language)

    def keep(self, line: str) -> None:
        who, *kinds, name = line.split()
        letters = self.people[who].letters
        self.kept[name] = next(letter for letter in reversed(letters) if not kinds or letter.kind in kinds)

    def wait(self, line: str) -> None:
        self.post.now += timedelta(hours=float(line.split()[0]))

    def do(self, line: str) -> None:
        {"robots think": lambda: thinks(self.post), "robots leave": Player.objects.robots().delete}[line]()

    def plays(self, name: str) -> None:
        """Their first move, any legal one."""
        self.write(name, "", "", ">", "", any_move(self.match, Player.objects.people().get().language))

    @property
    def match(self) -> Match:
        return Match.objects.latest("pk")

    @property
    def moves(self) -> list[str]:
        return [turn.move for turn in self.match.live_turns()]


@dataclass(frozen=True)
class Seen:
    """What lies in a mailbox since it was read."""

    who: Correspondent
    new: list[Delivery]

    @cached_property
    def kinds(self) -> list[str]:
        return [letter.kind for letter in self.new]

    @cached_property
    def text(self) -> str:
        return unwrapped(self.who.letter.text) if self.who.letters else ""

    @cached_property
    def all(self) -> str:
        return unwrapped(" ".join(letter.text for letter in self.new))

    def lines(self, letter: Delivery) -> list[str]:
        return [line.strip() for line in letter.text.splitlines()]


SETTING: dict[str, Callable[[Play, str], None]] = {
    "given": Play.given,
    "open": Play.given,
    "newcomer": Play.newcomer,
    "player": Play.player,
    "with": lambda play, names: None,
    "read": Play.caught_up,
    "keep": Play.keep,
    "hours": Play.wait,
    "play": Play.plays,
    "do": Play.do,
}

FACTS: dict[str, Callable[[Play, str], bool]] = {
    "=": lambda play, codes: play.verdict in codes.split(),  # `ok` or codes of `pbem.refusals`
    "!=": lambda play, codes: play.verdict not in codes.split(),
    "moves": lambda play, moves: play.moves == moves.split(),
    "match": lambda play, status: play.match.status == Match.Status[status.upper()],
    "states": lambda play, states: (
        [row.status.lower() for row in Match.objects.order_by("pk")] == states.split()
    ),
    "oldest": lambda play, moves: (
        [turn.move for turn in Match.objects.earliest("pk").live_turns()] == moves.split()
    ),
    "commands": lambda play, lines: InboundMail.objects.latest("pk").reading["commands"] == lines.split("; "),
    "undrawn": lambda play, _: not Match.objects.exclude(draw_offered_by=None).exists(),
    "thread": lambda play, name: play.people[name].letter.subject == str(play.match),
    "game": lambda play, key: play.match.game_name == key,
    "between": lambda play, names: set(play.match.players) == set(names.split()),
    "draw": lambda play, by: play.match.draw_offered_by == (int(by) if by else None),
    "people": lambda play, names: (
        {str(player.name) for player in Player.objects.people()} == set(names.split())
    ),
    "within": lambda play, names: (
        {str(player.name) for player in Player.objects.people()} <= set(names.split())
    ),
    "rows": lambda play, line: MODELS[line.split()[0]]._default_manager.count() == int(line.split()[1]),
    "asked": lambda play, lines: "; ".join(Confirmation.objects.latest("pk").lines) in lines.split(" or "),
    "unasked": lambda play, words: (
        not any(words in line for asked in Confirmation.objects.filter(agreed=False) for line in asked.lines)
    ),
    "asks": lambda play, words: words in Confirmation.objects.latest("pk").lines[-1],
    "question": lambda play, state: QUESTION[state](),
    "invited": lambda play, address: Invitation.objects.get().address == address,
    "seek": lambda play, line: (
        [f"{seek.player.name} {seek.game_name}" for seek in Seek.objects.all()] == [line]
    ),
}

QUESTION: dict[str, Callable[[], bool]] = {
    "none": lambda: not Confirmation.objects.exists(),
    "answered": lambda: not Confirmation.objects.filter(used_at=None).exists(),
    "open": lambda: Confirmation.objects.latest("pk").used_at is None,
    "declined": lambda: Confirmation.objects.earliest("pk").agreed is False,
}

EXPECTED: dict[str, Callable[[Seen, str], bool]] = {
    "kinds": lambda seen, kinds: seen.kinds == kinds.split(),  # of all since it was read, in order
    "kind": lambda seen, kinds: seen.who.letter.kind in kinds.split(),  # of the newest
    "not": lambda seen, kinds: seen.who.letter.kind not in kinds.split(),
    "got": lambda seen, number: len(seen.new) == int(number),
    "begins": lambda seen, _: seen.text.startswith(("Your turn", "Tocca a te")),
    "reads": lambda seen, text: text in seen.text,  # in the newest, wherever its lines end
    "lacks": lambda seen, text: text not in seen.text,
    "shows": lambda seen, line: line in seen.lines(seen.who.letter),  # as a line of the newest
    "hears": lambda seen, said: all(
        f"| {line}" in seen.who.letter.text for line in said.splitlines() if line
    ),
    "told": lambda seen, text: text in seen.all,  # in any of them since it was read
    "untold": lambda seen, text: text not in seen.all,
    "quotes": lambda seen, number: (
        seen.who.letter.text.count("\n  |") == int(number)
    ),  # lines of the opponent
    "topic": lambda seen, text: text in seen.who.letter.subject,
    "has": lambda seen, line: str(getattr(seen.who.player, line.split()[0])) == line.partition(" ")[2],
    "seeks": lambda seen, number: seen.who.player.seeks.count() == int(number),
}
