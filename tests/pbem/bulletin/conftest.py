"""A cup of Zèrtz that is half over, of which Marino makes a newsletter."""

from datetime import datetime, timedelta
from random import Random

import pytest

from games.export import to_json_line
from games.protocol import Side
from games.record import Course, Record
from games.registry import find
from pbem.bulletin.models import ChosenPosition, Commentary
from pbem.competitions.tournaments import open_tournament
from pbem.matches.arbitration import import_records
from pbem.matches.models import Match, Tournament
from pbem.players.models import Player
from pbem.players.services import register
from tests.pbem.admin.conftest import NOON, charlie, desk, olga

__all__ = ["charlie", "desk", "olga"]
NAMES = ("Alice", "Bruno", "Carla", "Dino")


@pytest.fixture
def cup(db: None) -> Tournament:
    """Four of its six matches are over, a day after each other, after eight turns each."""
    for name in NAMES:
        register(name=name, email=f"{name.lower()}@example.org", language="it", now=NOON)
    cup = open_tournament("Coppa d'inverno", game="zertz", now=NOON)
    pairs = [(first, second) for first in NAMES for second in NAMES if first < second]
    for number, pair in enumerate(pairs[:4]):
        over(cup, "zertz", pair, NOON + timedelta(days=number))
    for pair in pairs[4:]:
        kept(cup, record("zertz", pair, 3), NOON)
    return cup


def record(game: str, players: tuple[str, str], plies: int = 8, setup: str = "") -> Record:
    """A random game that is always the same."""
    found, rules = find(game)
    rng = Random(f"{game} {players}")
    setup = setup or (found.draw_setup(rules, rng) if found.draw_setup else "")
    course, moves = Course(found, found.start(rules, setup)), []
    while len(moves) < plies and not course.outcome():
        move = course.position.sample(rng)
        moves.append(str(move))
        course.play(move)
    return Record(game, found.version, tuple(moves), setup, None, players)


def kept(cup: Tournament, written: Record, now: datetime) -> Match:
    [match] = import_records(to_json_line(written), tournament=cup, now=now)
    return match


def over(cup: Tournament, game: str, players: tuple[str, str], ended: datetime, plies: int = 8) -> Match:
    """The first player wins, whatever stands on the board."""
    match = kept(cup, record(game, players, plies), ended)
    if match.status != Match.Status.OVER:
        match.status, match.winner, match.reason = Match.Status.OVER, int(Side.FIRST), "resigned"
    match.ended_at = ended
    match.save()
    return match


def commented(match: Match, title: str, words: str, positions: dict[int, str], now: datetime) -> Commentary:
    said = Commentary.objects.create(match=match, title=title, words=words, written_at=now)
    for plies, caption in positions.items():
        ChosenPosition.objects.create(commentary=said, plies=plies, caption=caption)
    return said


def player(name: str) -> Player:
    return Player.objects.get(name=name)
