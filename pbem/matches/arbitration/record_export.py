"""Records of many matches as one text, which is what `import_records` reads."""

from __future__ import annotations

from collections.abc import Iterable

from games.export import to_json_line, to_text
from games.protocol import Notation
from pbem.matches.models import Match


def json_lines(matches: Iterable[Match]) -> str:
    """A record on each line."""
    return "".join(to_json_line(match.record()) for match in matches)


def score_sheets(matches: Iterable[Match], notation: Notation) -> str:
    """One after the other, each with the tag of its notation."""
    return "\n".join(to_text(match.record(), notation) for match in matches)
