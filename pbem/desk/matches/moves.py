"""Moves as the desk writes and reads them: in the letters of the language in which its pages are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.utils.translation import get_language, get_language_info, gettext

from games.protocol import Notation
from pbem.matches.models import Match, Turn
from pbem.players.languages import LANGUAGES
from pbem.players.models import Player


def desk_notation() -> Notation:
    return Notation(get_language() or settings.LANGUAGE_CODE)


def language_name(code: str) -> str:
    """As the language of the page calls it."""
    info = get_language_info(code)
    return str(gettext(info["name"]))


def written(match: Match, turns: Iterable[Turn]) -> Mapping[int, str]:
    """By number of the row: each move as the desk writes it, those that were taken back from where they were played.

    `turns` are all of the match, by ply and number.
    """
    notation, said = desk_notation(), {}
    stood: dict[int, list[Turn]] = {}
    for turn in turns:
        earlier = [before for before in stood.get(turn.ply - 1, ()) if before.pk < turn.pk]
        position = match.at(earlier[-1].position) if earlier else match.start_position()
        said[turn.pk] = match.game.write(position, match.game.move(turn.move), notation)
        stood.setdefault(turn.ply, []).append(turn)
    return said


def notations() -> list[tuple[str, str]]:
    """What a score sheet without a tag may be written in: (as a tag says it, in words)."""
    return [
        (f"{code} {coordinates}", f"{language_name(code)}, {label}")
        for code in LANGUAGES
        for coordinates, label in Player.Coordinates.choices
    ]


def notation_of(tag: str) -> Notation | None:
    """None where nothing was chosen."""
    return Notation(*tag.split(maxsplit=1)) if tag else None
