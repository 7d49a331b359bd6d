"""A short story of two matches with a clock: in one a move comes in time, and our program stumbles over it; in the
other somebody sleeps, whose time is over later. When that is lost, the move is opened again.
"""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.refusals import Code
from tests.chaos.faults.scene import Scene
from tests.chaos.history import Story, Ways
from tests.chaos.match import Match, begun
from tests.chaos.rows import Tables
from tests.smtp_fixtures import Letter

HURRIED, SLEEPY = 2, 5  # both have a clock
AT = 2  # the ply at which it happens
HURRY, MORE = 10.0, 1.0  # seconds; 250 is to be heard in time on a busy machine too
LOOKS = 0.5  # seconds between two looks at who has lost
MARK = "X-Stumble"  # the header of what our program stumbles over


class Hurry(Story):
    """It ends when all know how both matches ended."""

    is_set_aside = False
    asleep: Match | None = None

    @property
    def over(self) -> bool:
        return super().over or (bool(self.matches) and all(match.results == 2 for match in self.matches))

    @property
    def ways(self) -> Ways:
        return (
            (1.0, lambda match, ply: match.number == HURRIED and ply == AT, Hurry.is_in_a_hurry),
            (1.0, lambda match, ply: match.number == SLEEPY and ply == AT, Hurry.sleeps),
        )

    def _begin(self) -> None:
        for number in (HURRIED, SLEEPY) if not self.matches else ():
            self._introduce(begun(number, self.seed, digests=False))

    def is_in_a_hurry(self, match: Match, letter: Letter, ply: int) -> None:
        """No second letter says the same."""
        self._has_until(match, ply, HURRY)
        move, mark = match.moves[ply], {MARK: "over this"}
        written = self.pen.letter(
            "move", letter.to, move, to=letter.reply_to, move=(match.number, ply), headers=mark
        )
        match.written = ply + 1
        self.hand_in(written)

    def sleeps(self, match: Match, letter: Letter, ply: int) -> None:
        self.asleep, match.done = match, True
        self._falls_later()

    def looks_back(self, match: Match, letter: Letter) -> None:
        """Nobody asks what such a match was about."""

    def _is_too_late(self, match: Match, ply: int) -> None:
        """That is no refusal: the sender hears that the fault is ours."""
        self.is_set_aside = True
        self._falls_later()

    def _falls_later(self) -> None:
        """Anyone who sleeps has longer than the hurried one, so that nobody's flag falls before that one's might."""
        if self.asleep and self.is_set_aside and not self.asleep.deadlines:
            hurried = next(match for match in self.matches if match.number == HURRIED)
            left = (hurried.deadlines[AT] - datetime.now(UTC)).total_seconds()
            self._has_until(self.asleep, AT, max(left, 0.0) + MORE)


def open_again(scene: Scene) -> None:
    """The organiser looks at what was set aside when somebody has lost on time."""

    def look() -> None:
        if _set_aside(scene.tables) and _lost_on_time(scene.tables):
            scene.house.manage("shunted", "again", "--all")

    scene.again_and_again(LOOKS, look)
    scene.quiet.append(lambda: not _set_aside(scene.tables))


def _lost_on_time(tables: Tables) -> bool:
    return any(match.reason == "time" for match in tables.rows().matches)


def _set_aside(tables: Tables) -> bool:
    return any(row.verdict == Code.POISON for row in tables.rows().inbox)
