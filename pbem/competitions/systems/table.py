"""Systems by their stored names."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.competitions.systems.knockout import Knockout
from pbem.competitions.systems.ladder import Hill, Ladder, SelfStarting
from pbem.competitions.systems.round_robin import Groups, League, RoundRobin
from pbem.competitions.systems.settings import Settings
from pbem.competitions.systems.swiss import Swiss

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
