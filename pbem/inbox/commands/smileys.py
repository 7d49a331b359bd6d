"""Smileys and laughter: they say nothing, and end a clause as an exclamation mark does."""

from __future__ import annotations

import re

FACE = r"[:;=]-?[)DP](?!\w)"  # what may end a sentence in the place of a full stop
_FACES = r"[:;=][-'’o]?[)(\]\[DPpdoO*|/3]+|[xX][dD]+|\^_*\^"
_LAUGHTER = r"(?i:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}h?|(?:hi){2,}|(?:ah){2,}a?|(?:eh){2,}e?)"
_EMOJI = r"[\u203c\u2049\u2600-\u27bf\U0001f000-\U0001faff]+[\ufe0f\u200d]*"
_SMILEY = re.compile(rf"(?<![^\W_])(?:{_FACES}|{_LAUGHTER})(?![^\W_])|<3+|{_EMOJI}")
# Behind a move a face has a blank before it, and may have the eyes of one.
_LAST = re.compile(rf"(?:\s++(?:{_FACES}|{_LAUGHTER}|[8xX]['’]?-?[)(DPpOo/|*\]\[]|<3+)|\s*+{_EMOJI})++\s*$")


def without_smileys(text: str) -> str:
    """`yes :) good luck` is `yes ! good luck`."""
    return _SMILEY.sub(" ! ", text)


def without_last_smileys(text: str) -> str:
    """`b1-b3 ;-)` is `b1-b3`."""
    return _LAST.sub("", text)
