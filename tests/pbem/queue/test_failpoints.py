"""A process dies at the failpoint that it was asked to, and at no other."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.queue.failpoints import FAILPOINTS
from tests.chaos.deaths import KINDS, deaths

ROOT = Path(__file__).parents[3]
LIFE = """
from pbem.queue.failpoints import failpoint
for name in ("kept", "read", "read", "kept"):
    print(name, flush=True)
    failpoint(name)
"""


@pytest.mark.parametrize(
    ("die_at", "lived"),
    [
        ("", ["kept", "read", "read", "kept"]),
        ("kept", ["kept"]),
        ("read", ["kept", "read"]),
        ("read:2", ["kept", "read", "read"]),
        ("read:3", ["kept", "read", "read", "kept"]),
    ],
)
def test_dying(die_at: str, lived: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIFE], cwd=ROOT, env={"DIE_AT": die_at}, capture_output=True, text=True
    )
    assert done.stdout.split() == lived
    assert done.returncode == (0 if len(lived) == 4 else -signal.SIGKILL)


def test_in_chaos_somebody_dies_at_every_failpoint() -> None:
    """But while a mailbox is emptied, which is not in its story."""
    met = {death.moment for death in deaths(len(KINDS), letters=300, seed=1)}
    assert met == {"", *FAILPOINTS} - {"moving"}
