"""Sections about the reader himself: his addresses, and the letters that he gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.outbox.writing.reader import Reader
from pbem.outbox.writing.sections.context import Builder, Context
from pbem.players.subscriptions import WORDS


def _letters(section: Mapping[str, Any], reader: Reader) -> Context:
    """The sorts of letters, whether the reader gets them, and the command that changes it."""
    words = section["words"]
    sorts = []
    for sort, said in WORDS.items():
        comes = reader.player is not None and reader.player.wants(sort)
        command = f"{words['stop' if comes else 'start']} {words[sort]}"
        sorts.append(
            {"name": said.name, "what": said.brings if comes else said.without}
            | {"comes": comes, "command": command}
        )
    return {"sorts": sorts, "all": f"{words['stop']} {words['all']}"}


def _addresses(section: Mapping[str, Any], reader: Reader) -> Context:
    mine = reader.player.addresses.verified() if reader.player else ()
    return {**section, "mine": [address.email for address in mine]}


BUILDERS: Mapping[str, Builder] = {
    "addresses": _addresses,
    "letters": _letters,
}
