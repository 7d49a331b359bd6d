"""Smileys: they say nothing, and end a clause as an exclamation mark does."""

from __future__ import annotations

import re

_SMILEY = re.compile(
    r"(?<![^\W_])(?:[:;=][-'o]?[)(\]DPpdoO*|/3]+|[xX][dD]+|\^_*\^)(?![^\W_])|<3+|[\u2600-\u27bf\U0001f000-\U0001faff]+[\ufe0f\u200d]*"
)


def without_smileys(text: str) -> str:
    """`yes :) good luck` is `yes ! good luck`."""
    return _SMILEY.sub(" ! ", text)
