"""The service starts with what it runs with alone: neither what it is tested with nor an extra is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import packages_distributions

import pytest

from tests.dependencies import DEV, ROOT, RUN, read

STARTS = """
import sys
for name in {missing}: sys.modules[name] = None
import django; django.setup()
from django.core.management import call_command
import pbem.embedded, pbem.urls, pbem.beat
call_command("check")
"""


@pytest.mark.prove
def test_it_starts_without_what_it_is_tested_with() -> None:
    run, dev = read(ROOT / RUN), read(ROOT / DEV)
    missing = [
        module
        for module, distributions in packages_distributions().items()
        if not {name.lower().replace("_", "-") for name in distributions} & run.keys()
        and any(name.lower().replace("_", "-") in dev for name in distributions)
    ]
    assert {"py4swiss", "pytest"} <= set(missing)
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "pbem.settings", "DEVELOPMENT": "1"}
    started = subprocess.run(
        [sys.executable, "-c", STARTS.format(missing=missing)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode == 0, started.stderr
