"""Removes smileys and laughter."""

from __future__ import annotations

import re

FACE = r"[:;=]-?[)DP](?!\w)"  # ends a sentence as a full stop does
_FACES = r"[:;=][-'’o]?[)(\]\[DPpdoO*|/3]+|[xX][dD]+|\^_*\^"
_LAUGHTER = r"(?i:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}h?|(?:hi){2,}|(?:ah){2,}a?|(?:eh){2,}e?)"
_EMOJI = r"[\u203c\u2049\u2600-\u27bf\U0001f000-\U0001faff]+[\ufe0f\u200d]*"
_SMILEY = re.compile(rf"(?<![^\W_])(?:{_FACES}|{_LAUGHTER})(?![^\W_])|<3+|{_EMOJI}")
# Behind a move a face has a space before it, and may have the eyes 8 or X.
_LAST = re.compile(rf"(?:\s++(?:{_FACES}|{_LAUGHTER}|[8xX]['’]?-?[)(DPpOo/|*\]\[]|<3+)|\s*+{_EMOJI})++\s*$")


def without_smileys(text: str) -> str:
    """Replaces smileys by `!`: `yes :) good luck` becomes `yes ! good luck`."""
    return _SMILEY.sub(" ! ", text)


def without_last_smileys(text: str) -> str:
    """Removes smileys at the end: `b1-b3 ;-)` becomes `b1-b3`."""
    return _LAST.sub("", text)
