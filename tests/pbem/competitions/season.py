"""Months of six contests at once without an organiser, and a recount of what they come to."""

from collections import Counter, defaultdict
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from games.protocol import Outcome, Side
from pbem.competitions.challenges import challenge
from pbem.competitions.cross_table import standings
from pbem.competitions.entries import enter, withdraw_entrant
from pbem.competitions.models import Challenge, Competition, Edition, Entrant
from pbem.competitions.standings import order
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.tasks import begin_and_end
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match
from pbem.matches.services import accept
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING

PLAN = {
    "league": (20, {"size": 10, "moving": 2, "days": 60}),
    "self_starting": (14, {"size": 5}),
    "swiss": (11, {"length": 5, "days": 25, "unfinished": "half"}),
    "groups": (16, {"size": 4, "advance": 2, "days": 40, "unfinished": "time"}),
    "knockout": (11, {}),
    "ladder": (12, {}),
}
State = Entrant.State


class Season:
    """Each day some matches end, a challenge is made or answered, and the sweep comes twice."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.now: datetime = MORNING
        languages = ("en", "it")
        self.players = [
            register(
                name=f"Player{number:02}",
                email=f"player{number:02}@example.org",
                language=languages[number % 2],
                now=MORNING,
            )
            for number in range(20)
        ]
        for system, (count, settings) in PLAN.items():
            begins = None if system == "self_starting" else MORNING
            contest = Competition.objects.create(
                name=system,
                system=system,
                game_name="loa",
                settings=SYSTEMS[system](**settings).kept(),
                begins_at=begins,
            )
            for player in self.rng.sample(self.players, count):
                always = self.rng.random() < 0.5 if system == "self_starting" else None
                enter(contest, player, always=always, now=MORNING)

    def live(self, days: int) -> None:
        for day in range(days):
            for _ in range(2):
                begin_and_end(now=self.now, rng=Random(day))
            self.some_end()
            self.ladder()
            if day == 30:
                self.withdraws()
            self.now += timedelta(days=1)

    def some_end(self) -> None:
        for match in Match.objects.filter(status="playing").order_by("pk"):
            if self.rng.random() < 0.07:
                winner = self.rng.choice((Side.FIRST, Side.FIRST, Side.SECOND, None))
                reason = self.rng.choice(("resigned", "resigned", "time")) if winner is not None else "agreed"
                finish(match, Outcome(winner, reason), now=self.now, side=None)

    def ladder(self) -> None:
        edition = Edition.objects.get(contest__system="ladder")
        for match in Match.objects.filter(status="proposed"):
            if self.rng.random() < 0.3:
                accept(next(s for s in match.seated if s.player_id != match.proposer_id), now=self.now)
        known = Player.objects.in_bulk()
        players = order(edition)
        at = self.rng.randrange(1, len(players))
        with suppress(Refused):
            challenge(
                edition.contest,
                known[players[at]],
                known[players[max(0, at - self.rng.randrange(1, 4))]],
                now=self.now,
                rng=self.rng,
            )

    def withdraws(self) -> None:
        entrant = Entrant.objects.filter(contest__system="swiss", state=State.PLAYING).order_by("pk")[3]
        withdraw_entrant(entrant, reason="", now=self.now)


def check_table(edition: Edition) -> None:
    """The points of each player as their matches give them, and the places in their order."""
    rows = {entrant.player_id: entrant for entrant in edition.entrants.all()}
    counted: dict[str, dict[int, float]] = defaultdict(dict)
    for table in edition.tables.order_by("pk"):
        for line in standings(table):  # the other cross-table, which knows no contests
            byes = len(rows[line.entrant.pk].byes) if not table.label else 0
            counted[table.label][line.entrant.pk] = line.points + byes
    for row in rows.values():
        if row.place is not None:
            assert row.points == counted[row.table].get(row.player_id, len(row.byes)), row
    if edition.contest.system != "knockout":
        for label in counted:
            told = [row for row in rows.values() if row.place is not None and row.table == label]
            by_place = sorted(told, key=lambda row: row.place or 0)
            assert [row.points for row in by_place] == sorted(
                (row.points or 0.0 for row in told), reverse=True
            )


def check_letters() -> None:
    """Each player has one letter for each round that they are in, and none of its single matches."""
    rows = OutboundMail.objects.filter(kind="contest_begins")
    had = Counter((row.player_id, row.sections[0]["edition"], row.sections[0]["round"]) for row in rows)
    assert set(had.values()) == {1}
    expected = set()
    for edition in Edition.objects.exclude(contest__system="ladder"):
        seats = edition.matches().values_list("seats__player", "round")
        expected |= {(player, edition.pk, number) for player, number in seats}
        expected |= {(row.player_id, edition.pk, n) for row in edition.entrants.all() for n in row.byes}
    ladder = Edition.objects.get(contest__system="ladder")
    expected |= {(row.player_id, ladder.pk, 1) for row in ladder.entrants.all()}
    assert set(had) == expected
    begun = OutboundMail.objects.filter(kind="turn", ply=0).exclude(match__proposer__isnull=False)
    assert not begun.exists()
    over = Counter(OutboundMail.objects.filter(kind="contest_over").values_list("player", "cause"))
    assert set(over.values()) == {1}
    placed = Entrant.objects.filter(place__isnull=False).count()
    assert sum(over.values()) == placed


def check_ladder() -> None:
    """Its positions are 1 to 12 without a gap, and some were won."""
    edition = Edition.objects.get(contest__system="ladder")
    positions = edition.entrants.filter(state=State.PLAYING).order_by("position")
    assert list(positions.values_list("position", flat=True)) == list(range(1, 13))
    assert Challenge.objects.filter(succeeded=True).count() >= 5


def judge() -> None:
    """What they come to is what one counts by hand, and nobody gets more than one letter a round."""
    ended = Edition.objects.filter(ended_at__isnull=False)
    by_system = Counter(ended.values_list("contest__system", flat=True))
    assert by_system["league"] >= 2
    assert by_system["self_starting"] >= 2
    assert by_system["swiss"] == by_system["groups"] == by_system["knockout"] == 1
    for edition in ended:
        check_table(edition)
    check_letters()
    check_ladder()
    swiss = Edition.objects.get(contest__system="swiss")
    assert swiss.entrants.filter(state=State.WITHDRAWN).count() == 1
    met = Counter(frozenset(match.seats.values_list("player", flat=True)) for match in swiss.matches())
    assert set(met.values()) == {1}
    assert max(len(row.byes) for row in swiss.entrants.all()) == 1
    groups = Edition.objects.get(contest__system="groups")
    finalists = groups.tables.get(label="final").entries.values_list("player", flat=True)
    assert set(finalists) == {row.player_id for row in groups.entrants.all() if row.table == "final"}
    assert len(finalists) == 8
    cup = Edition.objects.get(contest__system="knockout")
    assert cup.entrants.filter(place=1).count() == 1
