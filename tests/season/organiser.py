"""The organiser of a season: stops a clock now and then, gives time, and announces holidays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING

from pbem.matches.clock import absences, stops
from pbem.matches.models import Match
from tests.season.plan import DAY, HOUR

if TYPE_CHECKING:
    from tests.season.season import Season


STOPS, GIFTS = 0.02, 0.02  # for each match
HOLIDAYS_EVERY, AHEAD = 40 * DAY, 6 * DAY


@dataclass
class Organiser:
    season: Season

    def plan(self) -> None:
        season, rng = self.season, self.season.rng
        length = season.end - season.begin
        for share, act in ((STOPS, self._stop), (GIFTS, self._give)):
            for _ in range(max(1, round(share * season.plan.matches))):
                season.at(season.begin + rng.uniform(0.1, 0.9) * length, act)
        for number in range(1, 1 + max(1, length // HOLIDAYS_EVERY)):
            moment = season.begin + number * min(HOLIDAYS_EVERY, length / 2)
            season.at(moment, partial(self._announce, (moment + AHEAD).date()))

    def _match(self) -> Match | None:
        """One that is being played by the clock, and whose clock runs."""
        playing = Match.objects.filter(status=Match.Status.PLAYING, stopped=[], deadline__isnull=False)
        pks = list(playing.order_by("pk").values_list("pk", flat=True))
        return Match.objects.get(pk=self.season.rng.choice(pks)) if pks else None

    def _stop(self) -> None:
        if match := self._match():
            stops.stop(match, reason="a question", now=self.season.post.now)
            days = timedelta(days=self.season.rng.uniform(0.5, 6))
            self.season.at(self.season.post.now + days, partial(self._go_on, match.pk))

    def _go_on(self, pk: int) -> None:
        match = Match.objects.get(pk=pk)
        if match.status == Match.Status.PLAYING:
            stops.resume(match, reason="answered", now=self.season.post.now)

    def _give(self) -> None:
        if match := self._match():
            seat = self.season.rng.choice(match.seated)
            stops.extend(seat, 12 * HOUR, reason="a flood", now=self.season.post.now)

    def _announce(self, day: date) -> None:
        absences.add_holiday(day, now=self.season.post.now)
        self.season.notes.holidays.append(day)
