"""The Dutch system of FIDE for Swiss tournaments, by py4swiss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from pbem.competitions.systems.values import DRAWN, LOST, WON, Draw, Pair, StandingsInput, seeded

POINT = 10  # py4swiss counts in tenths
_TOKENS = {WON: "1", DRAWN: "=", LOST: "0"}


def paired_by_fide(seen: StandingsInput, length: int) -> Draw | None:
    """Returns the next of `length` rounds. None without a pairing by FIDE's rules. All games must be over."""
    entrants = seeded(seen.entrants)
    numbers = {entrant.player: number for number, entrant in enumerate(entrants, 1)}
    sections = [_section(player, numbers, seen) for player in numbers]
    absent = {numbers[entrant.player] for entrant in entrants if not entrant.active}
    report = ParsedTrf(
        player_sections=sections, x_section=XSection(number_of_rounds=length, zeroed_ids=absent)
    )
    try:
        found = DutchEngine.generate_pairings(report)
    except PairingError:
        return None
    players = {number: player for player, number in numbers.items()}
    pairs = (Pair(players[pair.white], players[pair.black]) for pair in found if pair.black)
    return Draw(tuple(pairs), tuple(players[pair.white] for pair in found if not pair.black))


def _section(player: int, numbers: Mapping[int, int], seen: StandingsInput) -> PlayerSection:
    """Returns the player's line of the FIDE tournament report."""
    points = sum(POINT * (game.points_of(player) or LOST) for game in seen.games)
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=numbers[player],
        points_times_ten=round(points),
        rank=numbers[player],
        results=list(_results(player, numbers, seen)),
    )


def _results(player: int, numbers: Mapping[int, int], seen: StandingsInput) -> Iterator[RoundResult]:
    played = {game.round: game for game in seen.games if game.points_of(player) is not None}
    for number in range(1, seen.begun + 1):
        if number not in played:
            yield RoundResult(id=0, color="-", result="Z")
        elif (game := played[number]).is_bye:
            yield RoundResult(id=0, color="-", result="U")
        else:
            side = "w" if game.first == player else "b"
            token = _TOKENS[game.points_of(player) or LOST]
            yield RoundResult(id=numbers[game.other(player)], color=side, result=token)
