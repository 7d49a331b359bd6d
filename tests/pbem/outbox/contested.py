"""The letters about contests, among those of `tests.pbem.outbox.correspondence`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from random import Random
from typing import Any, Protocol

from games.protocol import Outcome, Side
from pbem.competitions import tournaments
from pbem.competitions.entries import enter, withdraw_entrant
from pbem.competitions.models import Competition, Edition
from pbem.competitions.rounds import begin_edition, end_edition
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.tasks import conclude
from pbem.competitions.tournaments import open_tournament
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match
from pbem.matches.terms import Terms
from pbem.players.models import Player
from pbem.players.services import register


class Players(Protocol):
    """What writes them."""

    language: str
    alice: Player
    bruno: Player

    def _now(self) -> datetime: ...
    def _writing(self, *, alice: str, bruno: str) -> AbstractContextManager[None]: ...
    def _tell(self, player: Player, name: str, /, **facts: Any) -> None: ...


def about_contests(desk: Players) -> None:
    desk._tell(desk.alice, "contests, none")
    others = [
        register(name=name, email=f"{name.lower()}@example.org", language=desk.language, now=desk._now())
        for name in ("Nadia", "Olmo")
    ]
    cup = _opened(desk, "round_robin", "Coppa d'autunno", days=90, unfinished="half")
    first = enter(cup, desk.alice, now=desk._now())
    desk._tell(desk.alice, "contest_entry", entrant=first.pk, left=False)
    desk._tell(desk.alice, "contest_entry, left", entrant=first.pk, left=True)
    _all_enter(cup, [desk.bruno, *others], desk._now())
    desk._tell(desk.bruno, "contests")
    with desk._writing(alice="contest_begins", bruno="contest_begins, the other"):
        edition = begin_edition(cup, now=desk._now(), rng=Random(1))
    desk._tell(desk.alice, "contest_table", edition=edition.pk)
    with desk._writing(alice="contest_withdrawn", bruno="contest_withdrawn, the other"):
        withdraw_entrant(edition.entrants.get(player=others[0]), reason="Trasloco", now=desk._now())
    _all_end(edition.unfinished().exclude(seats__player=desk.alice), desk._now())
    (last, *rest) = edition.unfinished().filter(seats__player=desk.bruno)
    with desk._writing(alice="result, unfinished", bruno="result, unfinished, the other"):
        Match.objects.filter(pk__in=[match.pk for match in rest]).delete()
        edition.unfinished().exclude(pk=last.pk).delete()
        conclude(edition, now=desk._now())
    with desk._writing(alice="contest_over", bruno="contest_over, the other"):
        end_edition(edition, now=desk._now())
    _about_a_ladder(desk, others)
    _about_a_series(desk)
    _about_a_tournament(desk, others)


def _about_a_ladder(desk: Players, others: Iterable[Player]) -> None:
    ladder = _opened(desk, "ladder", "Scala")
    _all_enter(ladder, [desk.alice, desk.bruno, *others], desk._now())
    with desk._writing(alice="contest_begins, a ladder", bruno="contest_begins, a ladder, the other"):
        edition = begin_edition(ladder, now=desk._now(), rng=Random(1))
    desk._tell(desk.bruno, "contest_table, a ladder", edition=edition.pk)


def _about_a_series(desk: Players) -> None:
    series = _opened(desk, "self_starting", "Serie", size=3)
    enter(series, desk.alice, always=True, now=desk._now())
    desk._tell(desk.alice, "contest_entry, always", entrant=series.entrants.get().pk, left=False)
    swiss = _opened(desk, "swiss", "Svizzero", length=2)
    _all_enter(swiss, Player.objects.filter(name__in=["Alice", "Bruno", "Nadia"]), desk._now())
    with desk._writing(alice="contest_begins, swiss", bruno="contest_begins, swiss, the other"):
        begin_edition(swiss, now=desk._now(), rng=Random(1))
    desk._tell(desk.alice, "contest_begins, free", edition=_freed(desk).pk, round=1)


def _about_a_tournament(desk: Players, others: Iterable[Player]) -> None:
    """The organiser's own, of which no contest knows."""
    system, terms = "single", Terms(clock="3d/move", rated=True)
    cup = open_tournament("Coppa di primavera", game="loa", system=system, terms=terms, now=desk._now())
    with desk._writing(alice="contest_begins, a tournament", bruno="contest_begins, a tournament, the other"):
        players = [desk.alice, desk.bruno, *others]
        tournaments.begin_round_robin(cup, players, at_once=True, now=desk._now(), rng=Random(1))
    names = {
        "alice": "contest_withdrawn, a tournament",
        "bruno": "contest_withdrawn, a tournament, the other",
    }
    with desk._writing(**names):
        tournaments.withdraw(cup, desk.alice, reason="Trasloco", now=desk._now())


def _freed(desk: Players) -> Edition:
    """An edition in whose first round Alice has no opponent."""
    edition = Edition.objects.latest("pk")
    edition.entrants.filter(player=desk.alice).update(byes=[1])
    edition.matches().filter(seats__player=desk.alice).update(round=9)
    return edition


def _opened(desk: Players, system: str, name: str, **settings: Any) -> Competition:
    return Competition.objects.create(
        name=name,
        system=system,
        game_name="loa",
        terms=Terms(clock="3d/move", rated=True).kept(),
        settings=SYSTEMS[system](**settings).kept(),
        begins_at=desk._now() + timedelta(days=3),
    )


def _all_enter(contest: Competition, players: Iterable[Player], now: datetime) -> None:
    for player in players:
        enter(contest, player, now=now)


def _all_end(matches: Iterable[Match], now: datetime) -> None:
    for match in matches:
        finish(match, Outcome(Side.FIRST, "resigned"), now=now, side=None)
