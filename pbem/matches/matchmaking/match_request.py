"""What somebody wants to play: the game with its rules, their side, the terms; read from the words of a challenge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.errors import UnknownName
from games.protocol import Side
from games.registry import AnyGame, canonical, find
from pbem.matches.terms import Terms, read_terms
from pbem.players.languages import LANGUAGES
from pbem.refusals import Code, Refused
from pbem.wording import wording


@dataclass(frozen=True)
class Wish:
    """`game` is a canonical name, `key` that of the game alone; `side` is the wisher's, None leaves it to the lot."""

    game: str
    key: str
    side: Side | None
    terms: Terms


def read_wish(name: str, options: Sequence[str] = ()) -> Wish:
    """`options` are terms, the wisher's side (`first`, `white`, `nero`) or parts of the game's name. Refuses C02."""
    words = _side_words(found(name)[0])
    terms, wishes = read_terms(option.casefold() for option in options)
    sides = [words[wish] for wish in wishes if wish in words]
    game, rules = found(_named(name, [wish for wish in wishes if wish not in words]))
    return Wish(canonical(game, rules), game.key, sides[-1] if sides else None, terms.clocked)


def found(name: str) -> tuple[AnyGame, Any]:
    """The game and the rules that `name` says. Refuses C02."""
    try:
        return find(name)
    except UnknownName as unknown:
        raise Refused(Code.NO_SUCH_GAME, text=name, nearest=unknown.nearest) from None


def _side_words(game: AnyGame) -> dict[str, Side]:
    """What a side is called, by anybody: its turn, and its name in this game in every language."""
    said = wording("pbem.matches")
    words = {word: side for side in Side for word in said.words("sides", side.name.lower())}
    for language in LANGUAGES:
        spoken = game.phrases(language)["sides"]
        words |= {spoken[key].casefold(): side for key, side in zip(game.sides, Side, strict=True)}
    return words


def _named(game: str, parts: Sequence[str]) -> str:
    """`zertz` and `zertz:blitz` with more parts."""
    if not parts:
        return game
    return f"{game}{',' if re.search('[:+]', game) else ':'}{','.join(parts)}"
