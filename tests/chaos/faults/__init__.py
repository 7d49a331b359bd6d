"""What goes wrong beside deaths, a file each: `make chaos FAULTS=all`, or some of their names with commas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.chaos.faults import away, backlog, digests, disk, imap, lock, relay, restore, sleep, stop, webhooks
from tests.chaos.faults.scene import Fault

# Before the house opens: what joins the story from its first letter on.
JOINS: Mapping[str, Fault] = {
    "webhooks": webhooks.bring_by_web,
    "imap": imap.fetch_by_imap,
    "digests": digests.dawn_often,
}
FAULTS: Mapping[str, Fault] = JOINS | {
    "stop": stop.stop,
    "relay": relay.fall_silent,
    "lock": lock.lock,
    "disk": disk.fill_up,
    "restore": restore.restore,
    "backlog": backlog.pile_up,
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
