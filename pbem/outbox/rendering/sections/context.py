"""The shape of what a section's templates are given, and of what makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.outbox.rendering.recipient import Reader

Context = dict[str, Any]
Builder = Callable[[Mapping[str, Any], Reader], Context]
