"""How much is tried: `make prove` tries all; `make test` a fifth of the examples, and the first of long cases."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ALL = 100  # what hypothesis tries where nothing else is said
FEWEST = 5
# A busy machine is no fault, and what examples share is told apart by their own.
PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("thorough", max_examples=ALL, **PATIENT)
settings.register_profile("quick", max_examples=ALL // 5, derandomize=True, **PATIENT)


def examples(most: int, **more: Any) -> settings:
    """A decorator: so many, or the share of them that the profile tries."""
    return settings(max_examples=max(min(most, FEWEST), most * settings.default.max_examples // ALL), **more)


def first(cases: Collection[Any], quick: int = 1) -> list[Any]:
    """Parameters: so many of these, which `make test` tries, and the others, which take long together."""
    return [*islice(cases, quick), *(_long(case) for case in islice(cases, quick, None))]


def _long(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else [case]), marks=pytest.mark.prove)
