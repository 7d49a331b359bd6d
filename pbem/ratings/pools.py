"""Which matches are measured against each other: those with the same rules."""

from __future__ import annotations

from games.registry import find, in_words
from pbem.matches.models import Match


def pool_of(match: Match) -> str:
    """The canonical name of its game and rules."""
    return match.game_name


def game_of(pool: str) -> str:
    """The key of its game."""
    return pool.partition(":")[0]


def title(pool: str, language: str) -> str:
    """As players read it: the game, and the variant where it is not the usual one."""
    name = str(find(pool)[0].phrases(language)["name"])
    return f"{name}, {in_words(pool, language)}" if ":" in pool else name
