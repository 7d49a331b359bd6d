"""A position as a file, for whom a program plays: the question that our own robots are asked (`docs/robots.md`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.matches.asked import asked
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Reader


def position_files(contexts: Iterable[Mapping[str, Any]], reader: Reader) -> list[Attachment]:
    """One for each match that the sections show and in which the program is to move."""
    if reader.player is None or not reader.player.program:
        return []
    shown = (context for context in contexts if context.get("match") and context.get("yours"))
    matches = {context["match"].pk: context["match"] for context in shown}
    return [
        Attachment(f"position-{pk}.json", "json", json.dumps({"match": pk} | asked(match)) + "\n")
        for pk, match in matches.items()
    ]
