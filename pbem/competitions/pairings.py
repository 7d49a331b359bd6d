"""Lists of pairings and players, as pasted or saved from a spreadsheet, and Berger tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from games.registry import canonical
from pbem.matches.matchmaking.match_request import found
from pbem.matches.offers import Mistake, Mistaken
from pbem.players.models import Player
from pbem.players.names import fold, spelled
from pbem.refusals import Code, Refused
from pbem.wording import wording

_WORDS = wording("pbem.competitions")
_HEADINGS = {
    heading
    for words in _WORDS.each("headings").values()
    for heading in zip(words["first"], words["second"], strict=True)
}


@dataclass(frozen=True)
class Line:
    """A line: two names or addresses and perhaps a game; `number` from 1."""

    number: int
    text: str
    names: tuple[str, str]
    game: str


@dataclass(frozen=True)
class Pairing:
    """A match to begin. `game` is a canonical name."""

    first: Player
    second: Player
    game: str


def pairings(text: str, *, game: str) -> list[Pairing]:
    """Returns a pairing per line; `game` is the default. Raises Mistaken with all mistakes.

    A line is `first, second` or `first, second, game`; tabs and semicolons separate as well as commas. Empty
    lines, lines that begin with #, and headings are skipped.
    """
    lines, mistakes = _lines(text)
    known = _known(name for line in lines for name in line.names)
    seen: dict[tuple[int, int, str], int] = {}
    made = []
    for line in lines:
        try:
            pairing = _pairing(line, known, game)
            key = (pairing.first.pk, pairing.second.pk, pairing.game)
            if key in seen:
                raise Refused(Code.REPEATED_LINE, number=seen[key])
            seen[key] = line.number
            made.append(pairing)
        except Refused as refused:
            mistakes.append(Mistake(line.number, line.text, refused))
    if mistakes:
        raise Mistaken(mistakes)
    return made


def players_listed(text: str) -> list[Player]:
    """Returns the players named one per line, or separated by commas, without duplicates. Raises Mistaken."""
    lines = [
        (number, name.strip())
        for number, written in enumerate(text.lstrip("\ufeff").splitlines(), start=1)
        for name in re.split(r"[,;\t]", written)
        if name.strip()
    ]
    known = _known(name for _, name in lines)
    players: dict[Player, None] = {}
    mistakes = []
    for number, name in lines:
        try:
            players[_player(name, known)] = None
        except Refused as refused:
            mistakes.append(Mistake(number, name, refused))
    if mistakes:
        raise Mistaken(mistakes)
    return list(players)


def _lines(text: str) -> tuple[list[Line], list[Mistake]]:
    lines: list[Line] = []
    mistakes: list[Mistake] = []
    for number, written in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        # Names of games contain commas: only the first two separate.
        parting = "\t" if "\t" in written else ";" if ";" in written else ","
        fields = [field.strip().strip('"').strip() for field in written.split(parting, 2)]
        if not written.strip(" \t;,") or written.lstrip().startswith("#"):
            continue
        if not lines and tuple(field.casefold() for field in fields[:2]) in _HEADINGS:
            continue
        if len(fields) < 2 or not all(fields[:2]):
            mistakes.append(Mistake(number, written.strip(), Refused(Code.BAD_LINE, text=written.strip())))
        else:
            game = fields[2].strip('";, \t') if len(fields) > 2 else ""
            lines.append(Line(number, written.strip(), (fields[0], fields[1]), game))
    return lines, mistakes


def _pairing(line: Line, known: dict[str, list[Player]], game: str) -> Pairing:
    first, second = (_player(name, known) for name in line.names)
    if first == second:
        raise Refused(Code.AGAINST_YOURSELF, name=first.name)
    return Pairing(first, second, canonical(*found(line.game or game)))


def _player(name: str, known: dict[str, list[Player]]) -> Player:
    match known.get(fold(spelled(name)), []):
        case [player]:
            return player
        case []:
            unreachable = Player.objects.called(name) or Player.objects.writing_from(name).first()
            if unreachable:
                raise Refused(Code.GETS_NO_LETTERS, text=name)
            raise Refused(
                Code.NO_SUCH_PLAYER, text=name, nearest=() if "@" in name else Player.objects.near(name)
            )
        case several:
            raise Refused(Code.SHARED_ADDRESS, text=name, nearest=tuple(player.name for player in several))


def _known(names: Iterator[str]) -> dict[str, list[Player]]:
    """Returns players that get letters, and robots, by folded name and by address. Two queries."""
    wanted = {fold(spelled(name)) for name in names}
    known: dict[str, list[Player]] = {}
    for player in Player.objects.opponents().filter(folded__in=wanted):
        known[player.folded] = [player]
    addresses = [name for name in wanted if "@" in name]
    by_address = Player.objects.reachable().filter(
        addresses__email__in=addresses, addresses__verified_at__isnull=False
    )
    for player in by_address.prefetch_related("addresses"):
        for address in player.addresses.all():
            if (
                address.verified_at
                and address.email in addresses
                and player not in known.get(address.email, ())
            ):
                known.setdefault(address.email, []).append(player)
    return known


# Berger tables

Entrant = TypeVar("Entrant")
Rounds = tuple[tuple[tuple[Entrant, Entrant], ...], ...]  # by round, pairs of (first, second) to move


def rounds(entrants: Sequence[Entrant], *, double: bool = False) -> Rounds[Entrant]:
    """Returns the rounds: each pair meets once, or twice with sides changed; an odd number gives byes.

    Each entrant's first moves exceed the second ones by at most one. Order and sides are those of FIDE's
    Handbook, C.05, annex 1. Raises ValueError for fewer than two entrants.
    """
    if len(entrants) < 2:
        raise ValueError(f"{len(entrants)} entrants: a round robin needs two")
    size = len(entrants) + len(entrants) % 2  # the last is a bye for an odd number
    single = tuple(
        tuple(
            (entrants[first - 1], entrants[second - 1])
            for first, second in _round(number, size)
            if max(first, second) <= len(entrants)
        )
        for number in range(1, size)
    )
    return (*single, *(tuple((b, a) for a, b in pairs) for pairs in single)) if double else single


def _round(number: int, size: int) -> list[tuple[int, int]]:
    """Pairs across the table: the opponent of the last entrant sits in the middle."""
    turning = size - 1
    middle = (number + 1) * (size // 2) % turning or turning  # twice the middle is number + 1, modulo turning
    last = (middle, size) if middle <= size // 2 else (size, middle)
    across = [
        sorted(((middle + step - 1) % turning + 1, (middle - step - 1) % turning + 1))
        for step in range(1, size // 2)
    ]
    return [last, *((low, high) if (low + high) % 2 else (high, low) for low, high in across)]
