"""What goes wrong beside deaths, a file each: `make chaos FAULTS=all`, or some of their names with commas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.chaos.faults import away, lock, relay, sleep, stop
from tests.chaos.faults.scene import Fault

FAULTS: Mapping[str, Fault] = {
    "stop": stop.stop,
    "relay": relay.fall_silent,
    "lock": lock.lock,
    "away": away.stay_away,
    "sleep": sleep.sleep_long,
}


def chosen(names: str) -> Sequence[str]:
    """Of a list with commas; raises ValueError for what is none."""
    if names == "all":
        return list(FAULTS)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := set(wanted) - FAULTS.keys():
        raise ValueError(f"{', '.join(sorted(unknown))}: there are {', '.join(FAULTS)}")
    return wanted
