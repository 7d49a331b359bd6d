"""What two players agree on beside the rules of the game, read from the words of a challenge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any


@dataclass(frozen=True)
class Terms:
    """Every field is a value that JSON knows, and its default is what a match has that says nothing.

    `forced`: the service plays a move where the rules leave no other. `absence`: clocks rest
    while a player is away, and the match may be paused; an event may want neither.
    `automatic`: a day of absence is taken for whoever has nearly used up his time, and wants that. `gifts`: a
    player may give the other time.
    `rated`: it is to count for the ratings. `pair`: a second match with the sides changed begins with it.
    `pie`: the second player may take the first move over as his own; None: as the game has it.
    """

    forced: bool = False
    absence: bool = True
    automatic: bool = True
    gifts: bool = True
    rated: bool = False
    pair: bool = False
    pie: bool | None = None

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Terms:
        """From what `kept` gave."""
        return cls(**kept)

    def kept(self) -> dict[str, Any]:
        """What differs from the defaults, for a row."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(NONE, name)}


NONE = Terms()

# How each term is written, in every language, without case.
WORDS: tuple[tuple[str, Callable[[Terms, re.Match[str]], Terms]], ...] = (
    (r"forced|forzate", lambda terms, said: replace(terms, forced=True)),
    (r"no-?absences?|senza-?assenz[ae]", lambda terms, said: replace(terms, absence=False)),
    (
        r"no-?automatic-?absence|senza-?assenza-?automatica",
        lambda terms, said: replace(terms, automatic=False),
    ),
    (r"no-?gifts?|senza-?regali", lambda terms, said: replace(terms, gifts=False)),
    (r"rated|classifica|valida", lambda terms, said: replace(terms, rated=True)),
    (r"unrated|casual|friendly|amichevole", lambda terms, said: replace(terms, rated=False)),
    (r"pairs?|coppi[ae]|andata-?e?-?ritorno", lambda terms, said: replace(terms, pair=True)),
    (r"pie|torta", lambda terms, said: replace(terms, pie=True)),
    (r"no-?pie|senza-?torta", lambda terms, said: replace(terms, pie=False)),
)


def read_terms(words: Iterable[str]) -> tuple[Terms, list[str]]:
    """The terms, and the words that are none: the game's own."""
    terms, rest = NONE, []
    for word in words:
        for pattern, put in WORDS:
            if said := re.fullmatch(pattern, word, re.IGNORECASE):
                terms = put(terms, said)
                break
        else:
            rest.append(word)
    return terms, rest
