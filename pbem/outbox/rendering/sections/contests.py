"""Sections about contests: which there are, a round that begins, tables, the end, who enters and who withdraws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.contests.entries import standing_entry
from pbem.contests.models import Contest, Edition, Entrant
from pbem.contests.reading import order
from pbem.contests.systems.ladder import Ladder
from pbem.matches.models import Match
from pbem.outbox.rendering.board import board_at
from pbem.outbox.rendering.contest_tables import Picture, standings_of, title
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Player
from pbem.ratings.pools import title as title_of_game

State = Entrant.State
MOST_LISTED = 30


def _contests(section: Mapping[str, Any], reader: Reader) -> Context:
    rows = list(Contest.objects.filter(closed_at=None).order_by("pk")[:MOST_LISTED])
    lines = [_line(contest, reader) for contest in rows]
    return {"lines": lines, "open": [line for line in lines if line["takes"] and not line["mine"]]}


def _line(contest: Contest, reader: Reader) -> Context:
    mine = standing_entry(contest, reader.player) if reader.player else None
    waiting = contest.entrants.filter(edition=None, state=State.ENTERED).count()
    edition = contest.last
    starts_itself = contest.system == Contest.System.SELF_STARTING
    return {
        "contest": contest,
        "game": title_of_game(contest.game_name, reader.language),
        "takes": contest.takes_entries(),
        "waiting": waiting,
        "needed": max(0, contest.chosen.least() - waiting) if starts_itself else 0,
        "edition": edition if edition and edition.ended_at is None else None,
        "players": edition.entrants.filter(state=State.PLAYING).count() if edition else 0,
        "mine": mine,
    }


def _entry(section: Mapping[str, Any], reader: Reader) -> Context:
    entrant = Entrant.objects.select_related("contest").get(pk=section["entrant"])
    return _line(entrant.contest, reader) | {"entrant": entrant, "left": section["left"]}


def _begins(section: Mapping[str, Any], reader: Reader) -> Context:
    """The reader's matches of the round, and the board of the first in which it is their turn."""
    edition = Edition.objects.select_related("contest").get(pk=section["edition"])
    contest, number = edition.contest, section["round"]
    rows = list(edition.matches().filter(round=number, seats__player=reader.player).order_by("pk"))
    matches = [_match(match, reader) for match in rows]
    mine = edition.entrants.filter(player=reader.player).first()
    yours = next((match for match, line in zip(rows, matches, strict=True) if line["yours"]), None)
    board = board_at(yours, yours.ply, reader.notation, reader.look_at(yours)) if yours else None
    example = next(iter(board.examples()), "") if board and yours else ""
    tables = sorted({line["table"] for line in matches})
    return {
        "edition": edition,
        "contest": contest,
        "round": number,
        "rounds": _rounds(edition),
        "matches_begun": matches,
        "waiting": [line for line in matches if line["yours"]],
        "free": mine is not None and number in mine.byes,
        "position": mine.position if mine else None,
        "table_title": title(tables[0]) if len(tables) == 1 else "",
        "ends_at": edition.round_ends_at,
        "unfinished": contest.chosen.unfinished,
        "agreed": contest.agreed,
        "board": board,
        "board_match": yours,
        "example": f"{yours.pk} {example}" if yours and example else "",
    }


def _match(match: Match, reader: Reader) -> Context:
    seat = reader.seat_in(match)
    assert seat is not None
    sides = match.game.phrases(reader.language)["sides"]
    side = match.game.sides[seat.side]
    return {
        "number": match.pk,
        "opponent": seat.opponent.player.name,
        "first": seat.side == 0,
        "colour": "" if side in ("first", "second") else sides[side],
        "yours": match.status == Match.Status.PLAYING and seat.is_to_move,
        "table": match.tournament.table.label if match.tournament else "",
    }


def _rounds(edition: Edition) -> int:
    """How many there will be at least; 0 where nobody knows."""
    if edition.contest.has_order or edition.contest.system == Contest.System.KNOCKOUT:
        return 0
    try:
        return edition.contest.chosen.rounds(edition.entrants.count())
    except ValueError:  # some have withdrawn since
        return 0


def _table(section: Mapping[str, Any], reader: Reader) -> Context:
    edition = Edition.objects.select_related("contest").get(pk=section["edition"])
    standings = standings_of(edition)
    heading = str(edition)
    return {
        "edition": edition,
        "contest": edition.contest,
        "standings": standings,
        "crossed": any(table.crossed for table in standings),
        "unplayed": any("-" in row.signs for table in standings for row in table.rows),
        "strip": Picture(
            standings,
            reader.player.pk if reader.player else None,
            reader.look,
            heading,
            f"table-{edition.pk}",
        )
        if standings
        else None,
        "ladder": edition.contest.has_order,
        "reached": list(_reached(edition, reader)),
        "over": edition.ended_at is not None,
    }


def _reached(edition: Edition, reader: Reader) -> Iterator[str]:
    """Whom the reader may challenge on a ladder, by place."""
    chosen, players = edition.contest.chosen, order(edition)
    if reader.player and isinstance(chosen, Ladder) and reader.player.pk in players:
        names = dict(Player.objects.filter(pk__in=players).values_list("pk", "name"))
        yield from (names[player] for player in chosen.reaches(players, reader.player.pk))


def _over(section: Mapping[str, Any], reader: Reader) -> Context:
    context = _table(section, reader)
    mine = context["edition"].entrants.filter(player=reader.player).first()
    again = context["contest"].entrants.filter(player=reader.player, edition=None, state=State.ENTERED)
    return context | {
        "mine": mine,
        "again": again.exists(),
        "asleep": bool(mine and mine.state == State.ASLEEP),
    }


def _withdrawn(section: Mapping[str, Any], reader: Reader) -> Context:
    entrant = Entrant.objects.select_related("contest", "player").get(pk=section["entrant"])
    matches = Match.objects.filter(pk__in=section["matches"], seats__player=reader.player).order_by("pk")
    return {
        "entrant": entrant,
        "contest": entrant.contest,
        "name": entrant.player.name,
        "own": entrant.player == reader.player,
        "erased": entrant.state == State.ERASED,
        "reason": entrant.reason,
        "numbers": [match.pk for match in matches],
    }


BUILDERS: Mapping[str, Builder] = {
    "contests": _contests,
    "contest_entry": _entry,
    "contest_begins": _begins,
    "contest_table": _table,
    "contest_over": _over,
    "contest_withdrawn": _withdrawn,
}
