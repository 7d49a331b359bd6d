"""Docstrings and comments are plain: none of the constructions that had to be read twice is back."""

from __future__ import annotations

import re

from tests.test_named import texts

TWICE = re.compile(
    r"\b(nobody|somebody|anybody|anyone|whoever|whose|of which|what becomes of|whatever can|none if there is none)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"")


def test_no_construction_is_back_that_was_read_twice() -> None:
    ours = [
        (where, text)
        for where, text in texts()
        if where.startswith(("pbem/", "games/")) and where.endswith(".py")
    ]
    assert len(ours) > 4000
    assert [
        (where, found[0], text) for where, text in ours if (found := TWICE.search(QUOTED.sub("", text)))
    ] == []
