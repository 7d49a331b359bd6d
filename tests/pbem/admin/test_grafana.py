"""The dashboard that is shipped shows numbers that `/metrics/` gives, with their bounds."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from pbem.health import HEALTH_CHECKS

ROOT = Path(__file__).parents[3]
BOARD = json.loads((ROOT / "deploy/grafana/pbem.json").read_text("utf-8"))
NAME = re.compile(r"\bpbem_\w+")


def shown(panel: dict[str, Any]) -> set[str]:
    return {name for target in panel["targets"] for name in NAME.findall(target["expr"])}


@pytest.mark.django_db
def test_each_number_is_given_and_each_that_is_given_is_shown() -> None:
    said = Client().get("/metrics/").content.decode()
    families = dict(re.findall(r"^# TYPE (\S+) (\S+)$", said, re.MULTILINE))
    given = {name for name, kind in families.items() if kind == "gauge"} | {
        vital.name for vital in HEALTH_CHECKS
    }
    for name, kind in families.items():
        if kind == "histogram":
            given |= {f"{name}_{part}" for part in ("bucket", "sum", "count")}
    assert set.union(*map(shown, BOARD["panels"])) == given
    # Labels by which lines are told apart are there as well.
    source = (ROOT / "pbem/health.py").read_text("utf-8")
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                assert f'"{label}": ' in source, panel["title"]


def test_what_is_ill_is_red() -> None:
    bounds = {
        name: step["value"]
        for panel in BOARD["panels"] if panel["type"] == "timeseries"
        for name in shown(panel) for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"][1:]
    }  # fmt: skip
    for vital in HEALTH_CHECKS:
        if vital.name != "pbem_mailbox_silent_seconds":  # whose bound the panel says in words
            assert bounds[vital.name] == max(vital.most, 1), vital.name


def test_it_can_be_imported_and_nothing_lies_on_another() -> None:
    variables = {variable["name"] for variable in BOARD["templating"]["list"]}
    assert variables == {"datasource", "job"}
    panels = BOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        assert panel["datasource"]["uid"] == "${datasource}"
        assert all('{job="$job"}' in target["expr"] for target in panel["targets"])
    for one, other in combinations([panel["gridPos"] for panel in panels], 2):
        apart = [
            one[at] + one[size] <= other[at] or other[at] + other[size] <= one[at]
            for at, size in ("xw", "yh")
        ]
        assert any(apart)
        assert one["x"] + one["w"] <= 24
