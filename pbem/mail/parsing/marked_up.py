"""Reads text of kinds that few programs still write: text/enriched (RFC 1896) and text/markdown (RFC 7763)."""

from __future__ import annotations

import re

_PARAMETER = re.compile(r"<param>[^<]{0,1000}</param>", re.IGNORECASE)
_TAG = re.compile(r"<<|</?[a-z][a-z0-9-]{0,60}>", re.IGNORECASE)
_LINE_ENDS = re.compile(r"\n+")
_NOT_FILLED = re.compile(r"</?nofill>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def enriched(text: str) -> str:
    """The words alone: one line end is a blank, of several one less is meant."""
    pieces = _NOT_FILLED.split(_PARAMETER.sub("", text))
    pieces[1::2] = [piece.replace("\n", "\n\n") for piece in pieces[1::2]]
    filled = _LINE_ENDS.sub(lambda found: "\n" * (len(found[0]) - 1) or " ", "".join(pieces).strip("\n"))
    return _TAG.sub(lambda found: "<" if found[0] == "<<" else "", filled)


def unescaped(text: str) -> str:
    """As it was written, without the marks that keep a sign from being one of the markup: `b1\\-b3`."""
    return _ESCAPED.sub(r"\1", text)
