"""`python -m tests.chaos --letters 300 --kills 18 --seed 1`: prints one line, and what was wrong."""

from __future__ import annotations

import signal
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from rich.console import Console

from tests.chaos.deaths import KINDS
from tests.chaos.faults import FAULTS, chosen
from tests.chaos.run import chaos, prepared, run
from tests.servers import postgres

MOST = 10  # exceptions shown of each invariant


def main() -> int:
    """The exit status: 0 if nothing was wrong."""
    parser = ArgumentParser(prog="make chaos", description="The real service under letters and kills.")
    parser.add_argument("--letters", type=int, default=300)
    parser.add_argument("--kills", type=int, default=len(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    listed = ", ".join(FAULTS)
    parser.add_argument("--faults", type=chosen, default=[], help=f"all, or of {listed}, with commas")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # everything that was started ends with it
    errors = Console(stderr=True, highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="pbem-chaos-"))
    with postgres() as server:
        plan = chaos(options.letters, options.kills, options.seed, options.faults, say=errors.print)
        signal.signal(signal.SIGINT, lambda *_: plan.stop.set())  # the story ends here, and is judged
        report = run(plan, server, prepared(server), folder)
    print(report)
    for name, exceptions in report.broken.items():
        errors.print(f"{name}: {len(exceptions)}", *exceptions[:MOST], sep="\n  ", markup=False)
    errors.print(f"logs: {folder}")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
