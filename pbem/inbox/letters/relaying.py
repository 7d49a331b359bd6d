"""What of one player's words reaches another: no e-mail address, and no more than a page."""

from __future__ import annotations

import re

LONGEST = 2_000  # characters
CUT = "[…]"

# Nothing like e2-e4@d6, which is a move of trapdoor chess.
_ADDRESS = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@])", re.IGNORECASE)


def relayed(text: str) -> str:
    """The text as the other player gets it."""
    without = _ADDRESS.sub(CUT, text.rstrip().lstrip("\n"))
    if len(without) <= LONGEST:
        return without
    page = without[: LONGEST - len(CUT) - 1]
    whole_words = page.rsplit(maxsplit=1)[0] if page[-1:].strip() and " " in page else page
    return f"{whole_words.rstrip()} {CUT}"
