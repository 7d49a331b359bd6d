"""Builds sections about contests and tournaments, the organiser's letters, and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.registry import find, games, in_words
from pbem.competitions.cross_table import standings
from pbem.competitions.entries import standing_entry
from pbem.competitions.models import Competition, Edition, Entrant
from pbem.competitions.standings import order
from pbem.competitions.systems.ladder import Ladder
from pbem.competitions.tournaments import by_hand_of
from pbem.matches.models import Announcement, Match, Tournament, TournamentInvitation
from pbem.outbox.notifications.kinds import Section
from pbem.outbox.rendering.board import board_at
from pbem.outbox.rendering.contest_tables import (
    MOST_CROSSED,
    Standing,
    crossed,
    kind,
    standings_of,
    title,
    whole_file,
)
from pbem.outbox.rendering.durations import in_short
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.players.models import Player
from pbem.ratings.leaderboards import title as title_of_game

State = Entrant.State
MOST_LISTED = 30


def contests_section(section: Section, reader: Reader) -> Context:
    rows = list(Competition.objects.automatic().filter(closed_at=None).order_by("pk")[:MOST_LISTED])
    lines = [_line(contest, reader) for contest in rows]
    lines += [_line_by_hand(each, reader) for each in (by_hand_of(reader.player) if reader.player else ())]
    return {"lines": lines, "open": [line for line in lines if line["takes"] and not line["mine"]]}


def _line(contest: Competition, reader: Reader) -> Context:
    mine = standing_entry(contest, reader.player) if reader.player else None
    waiting = contest.entrants.filter(edition=None, state=State.ENTERED).count()
    edition = contest.last
    starts_itself = contest.system == Competition.System.SELF_STARTING
    return {
        "contest": contest,
        "system": kind(contest),
        "game": title_of_game(contest.game_name, reader.language),
        "takes": contest.takes_entries(),
        "waiting": waiting,
        "needed": max(0, contest.chosen.least() - waiting) if starts_itself else 0,
        "edition": edition if edition and edition.ended_at is None else None,
        "players": edition.entrants.filter(state=State.PLAYING).count() if edition else 0,
        "mine": mine,
    }


def _line_by_hand(tournament: Tournament, reader: Reader) -> Context:
    """Returns the line of a competition in which the reader plays, and into which an organiser invites."""
    return {
        "contest": tournament.competition,
        "system": kind(tournament.competition),
        "game": title_of_game(tournament.game_name, reader.language),
        "takes": False,
        "invited": tournament.takes_entries,
        "edition": tournament,
        "players": tournament.players().count(),
        "mine": {"edition_id": tournament.pk},
    }


def contest_entry_section(section: Section, reader: Reader) -> Context:
    entrant = Entrant.objects.select_related("contest").get(pk=section["entrant"])
    return _line(entrant.contest, reader) | {"entrant": entrant, "left": section["left"]}


def contest_begins_section(section: Section, reader: Reader) -> Context:
    """Shows the reader's matches of a round, or of a tournament that starts all at once."""
    if "tournament" in section:
        return _tournament_begins(section, reader)
    edition = Edition.objects.select_related("contest").get(pk=section["edition"])
    contest, number = edition.contest, section["round"]
    rows = list(edition.matches().filter(round=number, seats__player=reader.player).order_by("pk"))
    begun = _begun(rows, reader)
    mine = edition.entrants.filter(player=reader.player).first()
    tables = sorted({line["table"] for line in begun["matches_begun"]})
    return begun | {
        "edition": edition,
        "contest": contest,
        "round": number,
        "rounds": _rounds(edition),
        "free": mine is not None and number in mine.byes,
        "position": mine.position if mine else None,
        "table_title": title(tables[0]) if len(tables) == 1 else "",
        "ends_at": edition.round_ends_at,
        "unfinished": contest.chosen.unfinished,
        "agreed": contest.agreed,
    }


def _tournament_begins(section: Section, reader: Reader) -> Context:
    tournament = Tournament.objects.select_related("competition").get(pk=section["tournament"])
    rows = list(tournament.matches.filter(seats__player=reader.player).order_by("round", "pk"))
    named = {"edition": tournament, "contest": tournament.competition}
    return _begun(rows, reader) | named | {"round": 1, "agreed": tournament.agreed}


def _begun(rows: Sequence[Match], reader: Reader) -> Context:
    """Lists the matches, with the board of the first in which the reader is to move."""
    matches = [_match(match, reader) for match in rows]
    yours = next((match for match, line in zip(rows, matches, strict=True) if line["yours"]), None)
    board = board_at(yours, yours.ply, reader.notation, reader.look_at(yours)) if yours else None
    example = next(iter(board.examples()), "") if board and yours else ""
    return {
        "matches_begun": matches,
        "waiting": [line for line in matches if line["yours"]],
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
        "table": match.tournament.label if match.tournament else "",
    }


def _rounds(edition: Edition) -> int:
    """Returns the minimum number of rounds. 0 when unknown."""
    if edition.contest.has_order or edition.contest.system == Competition.System.KNOCKOUT:
        return 0
    try:
        return edition.contest.chosen.rounds(edition.entrants.count())
    except ValueError:  # after withdrawals
        return 0


def contest_table_section(section: Section, reader: Reader) -> Context:
    if "tournament" in section:
        return _cross_table(section, reader)
    edition = Edition.objects.select_related("contest").get(pk=section["edition"])
    standings = standings_of(edition)
    return {
        "edition": edition,
        "contest": edition.contest,
        "standings": standings,
        "crossed": any(table.crossed for table in standings),
        "unplayed": any("-" in row.signs for table in standings for row in table.rows),
        "files": whole_file(standings, f"table-{edition.pk}"),
        "reader_pk": reader.player.pk if reader.player else None,
        "ladder": edition.contest.has_order,
        "reached": list(_reached(edition, reader)),
        "over": edition.ended_at is not None,
    }


def _cross_table(section: Section, reader: Reader) -> Context:
    tournament = Tournament.objects.select_related("competition").get(pk=section["tournament"])
    table = Standing("", crossed(standings(tournament)))
    return {
        "edition": tournament,
        "contest": tournament.competition,
        "standings": [table],
        "crossed": table.crossed,
        "unplayed": any("-" in row.signs for row in table.rows),
        "files": whole_file([table], f"table-{tournament.pk}"),
        "reader_pk": reader.player.pk if reader.player else None,
        "over": tournament.competition.closed_at is not None,
    }


def _reached(edition: Edition, reader: Reader) -> Iterator[str]:
    """Yields the names that the reader may challenge on a ladder, by place."""
    chosen, players = edition.contest.chosen, order(edition)
    if reader.player and isinstance(chosen, Ladder) and reader.player.pk in players:
        names = dict(Player.objects.filter(pk__in=players).values_list("pk", "name"))
        yield from (names[player] for player in chosen.reaches(players, reader.player.pk))


def contest_over_section(section: Section, reader: Reader) -> Context:
    context = contest_table_section(section, reader)
    mine = context["edition"].entrants.filter(player=reader.player).first()
    again = context["contest"].entrants.filter(player=reader.player, edition=None, state=State.ENTERED)
    shared = (f"{mine.place}=", mine.player_id) if mine else None
    rows = (row for table in context["standings"] for row in table.rows)
    return context | {
        "finished": mine,
        "tied": any((row.place, row.player) == shared for row in rows),
        "again": again.exists(),
        "asleep": bool(mine and mine.state == State.ASLEEP),
    }


def contest_withdrawn_section(section: Section, reader: Reader) -> Context:
    if "tournament" in section:
        return _left_tournament(section, reader)
    entrant = Entrant.objects.select_related("contest", "player").get(pk=section["entrant"])
    matches = Match.objects.filter(pk__in=section["matches"], seats__player=reader.player).order_by("pk")
    return {
        "contest": entrant.contest,
        "name": entrant.player.name,
        "own": entrant.player == reader.player,
        "erased": entrant.state == State.ERASED,
        "reason": entrant.reason,
        "numbers": [str(match.pk) for match in matches],
    }


def _left_tournament(section: Section, reader: Reader) -> Context:
    player = Player.objects.get(pk=section["player"])
    matches = Match.objects.filter(pk__in=section["matches"], seats__player=reader.player).order_by("pk")
    rows = list(matches)
    return {
        "contest": Tournament.objects.get(pk=section["tournament"]).competition,
        "name": player.name,
        "own": player == reader.player,
        "erased": section["erased"],
        "void": any(match.status == Match.Status.VOID for match in rows),
        "reason": section["reason"],
        "numbers": [str(match.pk) for match in rows],
    }


# The organiser's letters, tournament entries and limits


def announcement_section(section: Section, reader: Reader) -> Context:
    """Shows the organiser's words and, if wanted, the cross-table with Sonneborn-Berger scores."""
    announcement = Announcement.objects.select_related("tournament").get(pk=section["announcement"])
    rows = standings(announcement.tournament) if announcement.standings else ()
    lines = crossed(rows)
    return {
        "tournament": announcement.tournament.name,
        "said_subject": announcement.subject(reader.language),
        "text": announcement.in_language(reader.language),
        "table": Standing("", lines).text,
        "rows": list(zip(rows, lines, strict=True)),
        "crossed": len(rows) <= MOST_CROSSED,
        "mine": getattr(reader.player, "pk", None),
        "finished": bool(rows)
        and not any(c.points is None for row in rows for met in row.met.values() for c in met),
    }


# Tournament entries


def event_section(section: Section, reader: Reader) -> Context:
    invitation = TournamentInvitation.objects.select_related("tournament__competition").get(
        pk=section["event"]
    )
    return {**section, **_facts(invitation.tournament, reader)}


def takes_part_section(section: Section, reader: Reader) -> Context:
    return {
        **section,
        **_facts(Tournament.objects.select_related("competition").get(pk=section["tournament"]), reader),
    }


def _facts(tournament: Tournament, reader: Reader) -> Context:
    title = reader.title(find(tournament.game_name)[0])
    return {
        "cup": tournament.name,
        "title": f"{title}: {in_words(tournament.game_name, reader.language)}",
        "clock": in_short(tournament.agreed),
        "system": tournament.system,
        "entered": tournament.entries.count(),
        "open": tournament.takes_entries,
        "public": tournament.competition.public,
    }


# Limits and refused players


def limits_section(section: Section, reader: Reader) -> Context:
    player = reader.player
    if player is None:
        return {"limits": [], "refused": []}
    titles = {key: reader.title(game) for key, game in games().items()}
    refused = player.refusings.select_related("refused").order_by("refused__folded", "game")
    return {
        "limits": [
            {"game": titles.get(limit.game, ""), "most": limit.most}
            for limit in player.limits.order_by("game")
        ],
        "refused": [
            {"name": each.refused.name, "game": titles.get(each.game, ""), "blocked": each.blocked}
            for each in refused
        ],
    }
