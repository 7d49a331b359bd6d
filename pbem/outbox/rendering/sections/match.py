"""Builds sections about a match: boards, events, clocks, absences and refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.protocol import Objection, Outcome
from games.registry import games, in_words
from pbem.analysis.service import may_be_analysed
from pbem.matches.clock.ledger import by_reason
from pbem.matches.clock.service import left_out, remaining
from pbem.matches.matchmaking.rematch import pair_of
from pbem.matches.models import Event, Match, Reason, Seat, Turn
from pbem.matches.notes import notes_of
from pbem.matches.offers import asked_in, may_begin, may_swap
from pbem.outbox.notifications.kinds import Section, Trait, kinds
from pbem.outbox.notifications.match_events import FIRST
from pbem.outbox.rendering.board import Board, board_at
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.outbox.rendering.rules_page import goal_of
from pbem.outbox.rendering.sections.conditional import aftermath, ended_by, invitation, left_over, taken_back
from pbem.outbox.rendering.sections.lists import offer_of
from pbem.outbox.signed_addresses import play_address
from pbem.players.models import Player
from pbem.queue.sql import compiled_query
from pbem.ratings.leaderboards import figure, pool_of
from pbem.ratings.robots import strength_of_robot
from pbem.refusals import sentence
from pbem.refusals.codes import MOVES, heading

# Absences

Until = date | datetime


def away_until(player: Player, now: datetime) -> Until | None:
    """Returns the last whole day of an absence, or the moment when it ends. None when not absent."""
    until = player.away_until(now)
    if until is None:
        return None
    wall = until.astimezone(ZoneInfo(player.zone))
    return (wall - timedelta(seconds=1)).date() if wall.time() == datetime.min.time() else until


def away_section(section: Section, reader: Reader) -> Context:
    """Converts `since` and `until` to days, or moments when they are not whole days."""
    going = section["kind"] == "away"
    message = section["message"] if going else ""
    return {**section, **_when(section), "actor": section["name"], "message": message}


here_again_section = day_taken_section = away_section


def absences_section(section: Section, reader: Reader) -> Context:
    """Lists a player's absences. `changed` is the one they have just changed."""
    context: Context = {**section, "absences": [{**each, **_when(each)} for each in section["absences"]]}
    if changed := section.get("changed"):
        context["changed"] = {**changed, **_when(changed)}
    return context


def _when(facts: Section) -> dict[str, Until | bool]:
    since = date.fromisoformat(facts["first"])
    until = date.fromisoformat(facts["last"]) if facts["last"] else datetime.fromisoformat(facts["until"])
    return {"since": since, "until": until, "single": since == until}


# Clocks

MINUTE = timedelta(minutes=1)
DISCREET = frozenset((Reason.NIGHT, Reason.WEEKDAY, Reason.HOLIDAY))  # they would reveal where a player lives


def clock_of(match: Match, seat: Seat | None) -> Context | None:
    """Returns the banks at the start of the turn, independent of the time of writing. None without a clock."""
    control = match.agreed.control
    if control is None or match.status != Match.Status.PLAYING:
        return None
    first, second = match.seated if seat is None else (seat, seat.opponent)
    lefts = [each.bank.limit(control) if each.bank else control.bank for each in (first, second)]
    return {
        "untouched": lefts == [control.bank, control.bank],
        "over": match.flagged_at is not None,
        "stopped": bool(match.stopped),
        "banks": not control.is_fixed or control.ceiling is not None,
        "first": first.player.name,
        "first_left": lefts[0],
        "second": second.player.name,
        "second_left": lefts[1],
    }


def clock_section(section: Section, reader: Reader) -> Context:
    """Shows one match's clock at the time of the request, or those of all timed matches, the most urgent first."""
    at = datetime.fromisoformat(section["at"])
    if "match" in section:
        return _faces(reader.match(section["match"]), reader, at)
    playing = Match.objects.filter(status=Match.Status.PLAYING).of(reader.player) if reader.player else ()
    faces = [_faces(match, reader, at) for match in playing if match.agreed.control is not None]
    return {
        "faces": sorted(faces, key=lambda face: (not face["yours"], face["deadline"] or at, face["match"].pk))
    }


def _faces(match: Match, reader: Reader, at: datetime) -> Context:
    seat = reader.seat_in(match)
    seats = match.seated if seat is None else (seat, seat.opponent)
    playing = match.status == Match.Status.PLAYING
    return {
        "match": match,
        "title": reader.title(match.game),
        "terms": match.agreed,
        "opponent": seat.opponent.player.name if seat else "",
        "playing": playing,
        "yours": playing and seat is not None and seat.is_to_move,
        "mover": match.moving.player.name if match.moving else "",
        "deadline": match.deadline,
        "over": match.flagged_at is not None,
        "stopped": bool(match.stopped),
        "left": [(s.player.name, remaining(s, at)) for s in seats],
        "left_out": not_counted(match, seat, at) if playing else [],
        "by_reader": seat is not None,
    }


def not_counted(match: Match, seat: Seat | None, at: datetime) -> list[tuple[object, timedelta]]:
    """Returns the uncharged time of the current turn by reason. A player's own hours are private."""
    intervals = left_out(match, at)
    if seat is None or not seat.is_to_move:
        intervals = [each for each in intervals if each[2] not in DISCREET]
    known = by_reason(intervals).items()
    return [(Reason(why).label, length) for why, length in known if length >= MINUTE]


_SENTENCE_END = re.compile(r"\.(?: (?=[^\W\d_a-z])|$)")  # not the end of an address with a dot too many
BOARDLESS = kinds(Trait.BOARDLESS)
COLOURLESS = frozenset(("first", "second"))  # in Zèrtz the marbles belong to both players
LEARNT = 5  # half-moves: three moves of the first player
ENDS = {Event.Kind.ENDED, Event.Kind.VOIDED}


def match_context(match: Match, reader: Reader, ply: int | None = None) -> Context:
    """Returns the common context of a match section: the board after `ply` turns, by default now."""
    seat = reader.seat_in(match)
    ply = match.ply if ply is None else min(ply, match.ply)  # turns may have been taken back
    board = board_at(match, ply, reader.notation, reader.look_at(match))
    playing = match.status == Match.Status.PLAYING and ply == match.ply
    yours = seat is not None and playing and seat.is_to_move
    return {
        "match": match,
        "board": board,
        "ply": ply,
        "seat": seat,
        "title": board.speech.phrases["name"],
        "moved": board.last_sentence,
        "written": board.written_last,
        "opponent": seat.opponent.player.name if seat else "",
        "colour": board.speech.phrases["sides"][colour] if (colour := _colour(match, seat)) else "",
        "last_mover": match.players[board.last.side] if board.last else "",
        "first_name": match.players[0],
        "variant": in_words(match.game_name, reader.language),
        "playing": playing,
        "yours": yours,
        "mover": match.moving.player.name if match.moving else "",
        "clock": clock_of(match, seat),
        "away_until": away_until(seat.opponent.player, reader.written_at) if seat and playing else None,
        "draw_offered": seat is not None and match.draw_offered_by == seat.opponent.side,
        "examples": board.examples() if yours else (),
        "only_move": yours and board.only_move,
        "may_swap": yours and may_swap(match),
        "goal": goal_of(match, reader) if (yours and ply == 1) or (seat and playing and ply == 0) else "",
    }


def event_context(section: Section, reader: Reader) -> Context:
    event = reader.preloaded.get(section["event"]) or next(iter(_events(section["event"])), None)
    if event is None:
        raise Event.DoesNotExist(f"event {section['event']!r}")
    match = event.match = reader.match(event.match_id)
    context = match_context(match, reader, event.ply)
    board: Board = context["board"]
    turn = _turn_of(event, board)
    actor = event.actor
    outcome = match.outcome()
    return context | {
        "event": event,
        "actor": actor.player.name if actor else "",
        "is_actor": actor is not None and context["seat"] is not None and actor.pk == context["seat"].pk,
        "message": event.facts.get("text") or event.facts.get("reason") or (turn.message if turn else ""),
        "taken_back": taken_back(event, board),
        "passed": board.last is not None and event.ply > board.last.ply + 1,
        "outcome": board.speech.outcome(outcome) if outcome else "",
        "result": _result(outcome, context),
        "pair": _pair(match) if event.kind == Event.Kind.ENDED else None,
        "may_be_analysed": event.kind == Event.Kind.ENDED and may_be_analysed(match),
        "record": match.record() if event.kind == Event.Kind.ENDED else None,
        "notes": list(notes_of(reader.player, match)) if event.kind in ENDS else (),
        "board": None if section["kind"] in BOARDLESS or _is_off(match) else board,
        **_replaced(event),
        "robot_rating": _robot_rating(event, context["seat"]),
        "invitation": invitation(board) if _may_plan(section, context) else "",
        "left_over": left_over(context["seat"], reader.notation) if event.kind in ENDS else (),
        **aftermath(event, context["seat"], board),
    }


def played_section(section: Section, reader: Reader) -> Context:
    """Shows the board in a newcomer's numbered receipts, where the answer of a robot is awaited, and where the opponent
    had to pass.
    """
    context = event_context(section, reader)
    number, alarm, seat = section.get("number", 0), section.get("alarm", ""), context["seat"]
    shown = number or (seat and (seat.opponent.player.robot or context["yours"]))
    context |= {"alarm": alarm, "last_receipt": number == FIRST and not alarm}
    return context if shown else context | {"board": None}


def _is_off(match: Match) -> bool:
    """Tells whether the match was declined, so that its board is not shown."""
    return match.status == Match.Status.DECLINED


def _may_plan(section: Section, context: Context) -> bool:
    """Tells whether to suggest conditional moves: from the player's third move on."""
    return bool(section["kind"] == "played" and context["playing"] and context["ply"] >= LEARNT)


def _colour(match: Match, seat: Seat | None) -> str:
    """Returns the key of the reader's colour. Empty in games without colours."""
    side = match.game.sides[seat.side] if seat else ""
    return "" if side in COLOURLESS else side


def _robot_rating(event: Event, seat: Seat | None) -> str:
    """Returns a robot's rating when a match with it starts. Empty when unknown."""
    if seat is None or event.kind != Event.Kind.STARTED or not seat.opponent.player.robot:
        return ""
    strength = strength_of_robot(seat.opponent.player, pool_of(event.match), event.happened_at)
    return figure(strength) if strength else ""


@compiled_query
def _events(pk: int) -> QuerySet[Event]:
    return Event.objects.filter(pk=pk)


def _replaced(event: Event) -> Context:
    """Returns the names of the seat's previous and new players."""
    if event.kind != Event.Kind.REPLACED:
        return {}
    names = Player.objects.in_bulk([event.facts["before"], event.facts["after"]])
    return {word: getattr(names.get(event.facts[word]), "name", "") for word in ("before", "after")}


def _pair(match: Match) -> Context | None:
    """Returns the result of a pair of matches, or the one that is still being played. None without a pair."""
    pair = pair_of(match)
    if pair is None:
        return None
    scores = [(seat.player.name, f"{pair.points(seat.player):g}") for seat in match.seated]
    return {"other": pair.other.pk, "over": pair.over, "scores": scores}


def _result(outcome: Outcome | None, context: Context) -> str:
    """Returns `won`, `lost` or `drawn` for the reader. Empty while there is no result."""
    if outcome is None or context["seat"] is None:
        return ""
    if outcome.winner is None:
        return "drawn"
    return "won" if outcome.winner == context["seat"].side else "lost"


def _turn_of(event: Event, board: Board) -> Turn | None:
    """Returns the turn that caused the event, with its message."""
    first = event.facts.get("first")
    if event.facts.get("itself") and board.recent and first < board.recent[0].ply:
        return board.match.live_turns().filter(ply=first).first()  # many turns follow it
    return next((turn for turn in board.recent if turn.ply == first), None)


def refused_section(section: Section, reader: Reader) -> Context:
    name = section.get("name", "")
    wrote = section.get("text") or name or section.get("number") or ""
    move = section.get("text", "") if section["code"] in MOVES else ""
    limit = {"limit": str(section["limit"])} if "limit" in section else {}
    answers = section.get("answers", False)  # the letter asked for legal moves instead of making one
    said = "" if answers else sentence(section["code"], play_address=play_address(), name=name, **limit)
    context: Context = {
        "code": section["code"],
        "heading": _("Your legal moves") if answers else heading(section["code"], move),
        "move": move,
        "sentence": said,
        "about": _SENTENCE_END.split(said)[0] or _("Your legal moves"),
        "wrote": "" if section.get("free") or (name and name in said) else wrote,
        "lines": section.get("lines", ()),
        "why": section.get("why", ""),
        "nearest": section.get("nearest", ()),
        "questions": [
            each | {"title": reader.title(games()[each["game"]])} for each in section.get("questions", ())
        ],
        "usage": section.get("usage", ""),
        "cells": section.get("cells", ()),
        "lost": section.get("lost", False),
        "name": name,
        "free": section.get("free", ""),
        "unheard": section.get("unheard", False),
        "rest": section.get("rest", ""),
        "stands_still": section.get("stands_still", False),
        "ends": ended_by(section["code"], reader),
    }
    if pk := section.get("match"):
        context |= match_context(reader.match(pk), reader)
        board: Board = context["board"]
        context |= _asked(context)
        context["begun"] = board.examples(1) if section.get("begun") else ()
        context["readings"] = [board.write(move) for move in section.get("readings", ())]
        if facts := section.get("objection"):
            context["objection"] = _objection(board, facts)
        context["cells"] = [
            each | {"why": _objection(board, facts)} if (facts := each.get("objection")) else each
            for each in context["cells"]
        ]
        if _is_off(context["match"]):
            context["board"] = None
    return context


def _objection(board: Board, facts: Sequence[Any]) -> str:
    """Returns the rules' objection to a move as a sentence."""
    code, *filled = facts
    return board.speech.remark("objections", Objection(code, *map(tuple, filled)))


def _asked(context: Context) -> Context:
    """Returns the question waiting for the reader's YES or NO, and a first move that also means YES."""
    seat: Seat | None = context["seat"]
    question = asked_in(seat) if seat else None
    asked: Context = {"question": question.what if question else ""}
    if question and question.offer:
        asked["pending"] = {"facts": {"offer": str(question.offer.kind), **question.offer.facts}}
    if seat and question is None and seat.match.status == Match.Status.PROPOSED:
        asked["withdraws"] = seat.match.proposer_id == seat.player_id
    if seat and may_begin(seat):
        board: Board = context["board"]
        asked["opening"] = board.examples(1)
    return asked


def board_section(section: Section, reader: Reader) -> Context:
    return match_context(reader.match(section["match"]), reader, section.get("ply"))


renewed_section = board_section


def confirm_section(section: Section, reader: Reader) -> Context:
    """Asks for a YES, with the board when it has changed since the letter that was answered."""
    asked: Context = {**section}
    if pk := section.get("resigns"):
        match = reader.match(pk)
        seat = reader.seat_in(match)
        about = {"number": pk, "title": reader.title(match.game)}
        asked |= about | {"opponent": seat.opponent.player.name if seat else ""}
    days = [tuple(map(date.fromisoformat, span)) for span in section.get("away", ())]
    asked["days"] = [{"first": first, "last": last} for first, last in days]
    if moment := section.get("wrote_at"):
        asked["wrote_at"] = datetime.fromisoformat(moment)
    if number := section.get("offer"):
        asked["offer"] = offer_of(number, reader, datetime.fromisoformat(section["at"]))
    if "match" not in section:
        return asked
    match = reader.match(section["match"])
    context = match_context(match, reader)
    lines, board = section.get("lines", ()), context["board"]
    told = {line: said for line in lines if (said := board.told(line))}
    more = section.get("near") and len(told) == 1 and (section.get("said") or len(lines) > 1)
    alone = next(iter(told)) if more else ""
    moves = list(told.values())
    return context | asked | {"match": match, "examples": (), "moves": moves, "alone": alone}


def restored_section(section: Section, reader: Reader) -> Context:
    match = reader.match(section["match"])
    proposed = match.status == Match.Status.PROPOSED
    return match_context(match, reader) | {
        "since": datetime.fromisoformat(section["since"]),
        "proposed": proposed,
    }
