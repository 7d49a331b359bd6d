"""Builds requested sections: tried lines, earlier boards, move lists, records, notes, statistics and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db.models import Count

from games.export import Line
from games.kit.words import speech
from games.protocol import AmbiguousMove, GameOver, IllegalMove
from pbem.matches.models import Event, Match, Seat
from pbem.matches.notes import notes_of
from pbem.outbox.notifications.kinds import Section
from pbem.outbox.rendering.board import Board, board_at, history, length
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.outbox.rendering.sections.match import event_context, match_context
from pbem.outbox.rendering.strip import Strip, last_moves, tried
from pbem.players.models import Player
from pbem.ratings.leaderboards import Listed, best_of, busiest_pools, change_of, figure, ratings_of, title
from pbem.ratings.robots import ratings_of_robot

MOST_LISTED = 60  # legal moves; Zèrtz may have two thousand


def tried_section(section: Section, reader: Reader) -> Context:
    """Shows the line `moves` from the position after `ply` turns. `left` counts moves that were not examined."""
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    match = context["match"]
    line = tried(match, section["ply"], section["moves"], reader.notation)
    strip, look = None, reader.look_at(match)
    if line.steps:
        strip = Strip(match, line.steps, reader.notation, line.outcome, look)
    now = context["board"] if strip is None else None
    first = strip is not None and context["yours"] and match.game.write
    return context | {
        "board": now,
        "examples": context["examples"] if now else (),
        "strip": strip,
        "page": strip.page if strip and not reader.text_only else [],
        "steps": len(line.steps),
        "first": first(line.steps[0].before, line.steps[0].move, reader.notation) if first else "",
        "stopped": _why(line, context["board"], reader),
        "left": section.get("left", 0) + line.left,
    }


def _why(line: Line, board: Board, reader: Reader) -> Context:
    """Returns where and why the line stops. Empty when all of it is legal."""
    if line.why is None:
        return {}
    game, spoken = board.match.game, board.speech
    there = line.steps[-1].after if line.steps else board.after
    why: Context = {"text": line.stopped}
    match line.why:
        case AmbiguousMove():
            moves = (game.move(reading) for reading in line.why.readings)
            why["readings"] = [game.write(there, move, reader.notation) for move in moves]
        case IllegalMove():
            why["objection"] = spoken.remark("objections", line.why.objection)
        case GameOver():
            why["over"] = spoken.outcome(line.why.outcome)
    return why


def strip_section(section: Section, reader: Reader) -> Context:
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    match = context["match"]
    strip = last_moves(match, section["ply"], section["last"], reader.notation, reader.look_at(match))
    if strip is None:
        return context
    page = [] if reader.text_only else strip.page
    return context | {"board": None, "strip": strip, "page": page, "steps": len(strip.steps)}


def description_section(section: Section, reader: Reader) -> Context:
    """Describes everything in words, for screen readers."""
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    match, board = context["match"], context["board"]
    strip = last_moves(match, section["ply"], 3, reader.notation)
    legal = board.after.count() if context["playing"] else 0
    listed = [board.write(str(move)) for move in board.after.moves()] if legal <= MOST_LISTED else []
    return context | {
        "board": None,
        "after": board.numbered_last,
        "words": board.words,
        "last": list(strip.frames) if strip else [],
        "legal": legal,
        "listed": sorted(listed) if context["playing"] else [],
        "some": board.examples(6) if legal > MOST_LISTED else (),
        "players": match.players,
        "sides": speech(match.game, board.after.rules, reader.notation).players,
        "outcome": board.outcome,
    }


def history_section(section: Section, reader: Reader) -> Context:
    match = reader.match(section["match"])
    board = board_at(match, section["ply"], reader.notation)
    turns = [
        {"turn": turn, "took": "" if turn.took is None else length(turn.took)}
        for turn in history(match, section["ply"], reader.notation)
    ]
    return {
        "match": match,
        "title": board.speech.phrases["name"],
        "players": match.players,
        "turns": turns,
        "outcome": board.outcome,
    }


def record_section(section: Section, reader: Reader) -> Context:
    """Attaches the record of the first `ply` turns only, since observers may see with a delay."""
    match = reader.match(section["match"])
    record = match.record()
    if section["ply"] < len(record.moves):
        record = replace(record, moves=record.moves[: section["ply"]], result=None)
    return {"match": match, "title": reader.title(match.game), "record": record}


def notes_section(section: Section, reader: Reader) -> Context:
    match = reader.match(section["match"])
    return {"match": match, "notes": list(notes_of(reader.player, match))}


# Ratings

Kind = Event.Kind
POOLS, PLAYERS = 6, 5  # in a letter about all games
ENDS = ("won", "lost", "drawn")


def rating_section(section: Section, reader: Reader) -> Context:
    player, now = Player.objects.get(pk=section["player"]), datetime.fromisoformat(section["at"])
    if player.robot:
        return {"name": player.name, "robot": player.robot, "lines": _of_robot(player, now, reader)}
    listed = ratings_of(player, now)
    own = player == reader.player
    return {
        "name": player.name,
        "own": own,
        "lines": [_line(each) | {"title": title(each.row.pool, reader.language)} for each in listed],
        "all": _tally(player) if own else None,
    }


def _tally(player: Player) -> Context | None:
    """Counts the player's matches by outcome. None without matches."""
    seats = Seat.objects.filter(player=player, match__status__in=(Match.Status.PLAYING, Match.Status.OVER))
    facts = ("side", "match__status", "match__winner", "match__reason")
    ends: Counter[str] = Counter()
    for side, status, winner, reason, number in seats.values_list(*facts).annotate(Count("pk")).order_by():
        ends.update(dict.fromkeys(_ends(side, status, winner, reason), number))
    played = sum(ends[end] for end in ENDS)
    return {"played": played} | {end: ends[end] for end in (*ENDS, "on_time", "running")} if ends else None


def _ends(side: int, status: str, winner: int | None, reason: str) -> list[str]:
    if status == Match.Status.PLAYING:
        return ["running"]
    if winner is None:
        return ["drawn"]
    if winner == side:
        return ["won"]
    return ["lost", "on_time"] if reason == "time" else ["lost"]


def _of_robot(robot: Player, now: datetime, reader: Reader) -> list[Context]:
    return [
        {
            "title": title(each.pool, reader.language),
            "above": round(each.above),
            "rating": figure(each.among_people) if each.among_people else "",
            "deviation": round(each.among_people.deviation) if each.among_people else None,
        }
        for each in ratings_of_robot(robot, now)
    ]


def ratings_section(section: Section, reader: Reader) -> Context:
    pool, now = section["pool"], datetime.fromisoformat(section["at"])
    if pool:
        tables = [_table(pool, best_of(pool, now), reader)]
    else:
        tables = [_table(each, best_of(each, now, PLAYERS), reader) for each in busiest_pools(POOLS)]
    names = [len(line["name"]) for table in tables for line in table["lines"]]
    return {
        "tables": tables,
        "one": bool(pool),
        "width": max(names, default=0),
        "mine": reader.player and reader.player.pk,
    }


def _table(pool: str, listed: Iterable[Listed], reader: Reader) -> Context:
    lines = [_line(each) | {"player": each.row.player_id, "name": each.row.player.name} for each in listed]
    return {"title": title(pool, reader.language), "pool": pool, "lines": lines}


def _line(listed: Listed) -> Context:
    return {
        "rating": figure(listed.strength),
        "deviation": round(listed.strength.deviation),
        "matches": listed.row.matches,
        "last": listed.row.at,
    }


def result_section(section: Section, reader: Reader) -> Context:
    """Adds the change of the reader's rating, or the reason why there is none."""
    context = event_context(section, reader)
    match, seat = context["match"], context["seat"]
    row = change_of(match)
    if row is None or seat is None:
        return context
    if (strengths := row.strengths(seat.side)) is None:
        return context | {"uncounted": row.uncounted}
    before, after = strengths
    changed = {"title": title(row.pool, reader.language), "before": figure(before), "after": figure(after)}
    return context | {"rating": changed | {"deviation": round(after.deviation)}}


def undone_section(section: Section, reader: Reader) -> Context:
    """Adds whether a result was taken back, which ratings may have counted."""
    context = event_context(section, reader)
    match, event = context["match"], context["event"]
    if not match.agreed.rated:
        return context
    before = match.events.filter(pk__lt=event.pk, kind__in=(Kind.ENDED, Kind.UNDONE, Kind.VOIDED)).last()
    return context | {"uncounted": before is not None and before.kind == Kind.ENDED}
