"""With how many examples a property is tried: `make prove` tries all, `make test` a fifth of them."""

from __future__ import annotations

from typing import Any

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
