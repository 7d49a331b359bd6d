"""Systems by their stored names."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.contests.systems.knockout import Knockout
from pbem.contests.systems.ladder import Hill, Ladder, SelfStarting
from pbem.contests.systems.round_robin import Groups, League, RoundRobin
from pbem.contests.systems.settings import Settings
from pbem.contests.systems.swiss import Swiss

SYSTEMS: Mapping[str, type[Settings]] = {
    "round_robin": RoundRobin,
    "groups": Groups,
    "league": League,
    "self_starting": SelfStarting,
    "swiss": Swiss,
    "knockout": Knockout,
    "ladder": Ladder,
    "hill": Hill,
}
