"""The line of our letters below which nobody answers: the outbox prints it, the inbox stops at it."""

import re
from collections.abc import Mapping
from types import MappingProxyType

# Short enough that no mail program wraps it, even behind several quote marks.
MARKERS: Mapping[str, str] = MappingProxyType(
    {
        "en": "===== answer above this line =====",
        "it": "===== rispondi sopra questa riga =====",
    }
)

# Words between double bars, whatever the language, and whatever a mail program put before or after them.
_MARKER = re.compile(r"={5}[^=]{3,60}={5}")


def is_marker(line: str) -> bool:
    return _MARKER.search(line[:400]) is not None
