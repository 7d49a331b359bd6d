"""What the organiser does with matches, and records that come in and go out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any

from django.db import transaction

from games.export import from_file, has_notation, parts, tagged, to_json_line, to_text
from games.kit.words import speech
from games.protocol import Notation, Outcome, Side
from games.record import Record
from games.registry import canonical
from pbem.matches import plies
from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.lifecycle import finish
from pbem.matches.matchmaking.match_request import found
from pbem.matches.models import ConditionalLine, Event, Match, Seat, Tournament, Turn
from pbem.matches.offers import Mistake, Mistaken
from pbem.matches.plies import check_playing
from pbem.matches.services import play, revoke_tokens
from pbem.matches.tournaments.service import enter
from pbem.players.models import Player
from pbem.refusals import Code, Refused

# What the organiser decides about a match that the players cannot end themselves.

ADJUDICATED = "adjudicated"  # the reason that the record gives


@transaction.atomic
def adjudicate(match: Match, winner: Side | None, *, reason: str, now: datetime) -> None:
    """The match ends with this result (None: drawn). Both players are told, with the reason. Refuses G02, G08, G11."""
    check_playing(match)
    finish(match, Outcome(winner, ADJUDICATED), now=now, side=None, reason=reason)


@transaction.atomic
def void(match: Match, *, reason: str, now: datetime, **facts: Any) -> None:
    """The match counts for nothing and has no result. Both players are told, with the reason."""
    clocks.rest(match, now)
    match.status, match.ended_at, match.flagged_at = Match.Status.VOID, now, None
    match.to_move = match.draw_offered_by = match.winner = match.deadline = None
    match.reason = ""
    match.turns_end()
    match.save()
    record_event(match, Event.Kind.VOIDED, now=now, side=None, reason=reason, **facts)


# The organiser plays a move that a player has made otherwise: by telephone, at a table, in a letter
# that was lost.


def enter_move(
    match: Match,
    text: str,
    *,
    notation: Notation | None = None,
    reason: str,
    made_at: datetime | None = None,
    now: datetime,
) -> Turn:
    """The move `text` of the one who is to move, in that of `notation`; None: in the player's own.

    Their clock is charged as if their letter had come at `made_at` (None: now). The turn says that it was entered, and
    both players are told, with the reason. Refuses as `play` does.
    """
    plies.check_playing(match)
    assert match.moving is not None
    if notation:
        before = match.current()
        move = plies.read(match.moving, before, text, notation)
        text = match.game.write(before, move, match.moving.player.notation)
    return play(match.moving, text, now=now, arrived=made_at, entered=reason)


# Records of many matches as one text, which is what `import_records` reads.


def json_lines(matches: Iterable[Match]) -> str:
    """A record on each line."""
    return "".join(to_json_line(match.record()) for match in matches)


def score_sheets(matches: Iterable[Match], notation: Notation) -> str:
    """One after the other, each with the tag of its notation."""
    return "\n".join(to_text(match.record(), notation) for match in matches)


# Makes matches of written games: each is replayed move by move before any of them is kept.

Status = Match.Status
_SHEET = re.compile(r'\s*\[\w+ ".*"\]')


@dataclass(frozen=True)
class _Checked:
    """A record that can be kept: its players, how it stands, its turns, in no table yet."""

    record: Record
    players: tuple[Player, Player]
    match: Match
    turns: list[Turn]


@transaction.atomic
def import_records(
    text: str, *, notation: Notation | None = None, tournament: Tournament | None = None, now: datetime
) -> list[Match]:
    """A match for each record, as JSON or score sheets: over, or to be played on from where it stands.

    `notation` is that of score sheets whose tags do not say it; None: they are not read (D17), for the letters of
    one language mean other pieces in another.

    All or none: raises Mistaken, whose lines are the numbers of the records. Nobody gets a letter about a game
    that is over; the player who plays on does.
    """
    return [_kept(each, now) for each in _all_checked(text, notation, tournament, now)]


def check(
    text: str, *, notation: Notation | None = None, tournament: Tournament | None = None, now: datetime
) -> int:
    """How many matches it would become. Raises Mistaken."""
    return len(_all_checked(text, notation, tournament, now))


def _all_checked(
    text: str, notation: Notation | None, tournament: Tournament | None, now: datetime
) -> list[_Checked]:
    checked, mistakes = [], []
    for number, part in enumerate(_parts(text), start=1):
        try:
            checked.append(_checked(_said(part, notation), tournament, now))
        except Refused as refused:
            mistakes.append(Mistake(number, part.partition("\n")[0][:80], refused))
    if mistakes:
        raise Mistaken(mistakes)
    return checked


def _parts(text: str) -> list[str]:
    try:
        return parts(text)
    except ValueError as wrong:
        raise Mistaken([Mistake(1, text[:80], Refused(Code.BAD_RECORD, why=str(wrong)))]) from None


def _said(part: str, notation: Notation | None) -> str:
    """The record with the tag of its notation. JSON has canonical moves, and needs none."""
    if has_notation(part) or not _SHEET.match(part):
        return part
    if notation is None:
        raise Refused(Code.WHICH_NOTATION)
    return tagged(part, notation)


def _checked(text: str, tournament: Tournament | None, now: datetime) -> _Checked:
    """Refuses D15 (no record, or a move that cannot be played), C01, C02, C03, D06 and D16."""
    try:
        record = from_file(text)
        game, rules = found(record.game)
        course = record.course()
        outcome, turns = course.outcome(), []
        for ply, written in enumerate(record.moves):
            move, side = game.move(written), int(course.position.to_move)
            after = course.play(move)
            turns.append(Turn(ply=ply, side=side, move=str(move), position=str(after), key=after.key()))
        outcome = _outcome(course.outcome(), record)
        if outcome:
            speech(game, rules, Notation("en")).outcome(outcome)  # KeyError for a reason that nobody knows
    except (ValueError, KeyError) as wrong:
        raise Refused(Code.BAD_RECORD, why=str(wrong)) from None
    started = _moment(record.started) or now
    match = Match(
        game_name=canonical(game, rules),
        rules_version=game.version,
        setup=record.setup,
        terms=tournament.terms if tournament else {},
        tournament=tournament,
        status=Status.OVER if outcome else Status.PLAYING,
        ply=len(turns),
        position=str(course.position),
        to_move=None if outcome else int(course.position.to_move),
        winner=None if outcome is None or outcome.winner is None else int(outcome.winner),
        reason=outcome.reason if outcome else "",
        created_at=now,
        started_at=started,
        ended_at=(_moment(record.ended) or now) if outcome else None,
    )
    if outcome is None:
        match.turn_begins(now)
    players = _players(record, playing=outcome is None)
    if _is_here(match, players):
        raise Refused(Code.IMPORTED_ALREADY, why=f"{record.players[0]} - {record.players[1]}")
    for turn in turns:
        turn.played_at = started  # when each was played, no record says
    return _Checked(record, players, match, turns)


def _outcome(on_board: Outcome | None, record: Record) -> Outcome | None:
    """ValueError if the record claims what the board denies."""
    said = record.result
    if on_board and said and on_board.winner != said.winner:
        raise ValueError(f"the board says {on_board.score}, the record {said.score}")
    return on_board or said


def _players(record: Record, *, playing: bool) -> tuple[Player, Player]:
    """Anyone who plays on has to get letters; whose game is over has only to be known."""
    first, second = map(partial(_player, playing=playing), record.players)
    if first == second:
        raise Refused(Code.AGAINST_YOURSELF, name=first.name)
    return first, second


def _player(name: str, *, playing: bool) -> Player:
    player = Player.objects.called(name)
    if player is None:
        raise Refused(Code.NO_SUCH_PLAYER, text=name, nearest=Player.objects.near(name) if name else ())
    if playing and not Player.objects.opponents().filter(pk=player.pk).exists():
        raise Refused(Code.GETS_NO_LETTERS, text=name)
    return player


def _is_here(match: Match, players: tuple[Player, Player]) -> bool:
    same = Match.objects.filter(
        seats__player=players[0], game_name=match.game_name, ply=match.ply, position=match.position
    )
    rivals = Seat.objects.filter(match__in=same, side=1, player=players[1]).select_related("match")
    assert match.started_at
    day = match.started_at.date()
    return any(seat.match.started_at and seat.match.started_at.date() == day for seat in rivals)


def _kept(checked: _Checked, now: datetime) -> Match:
    match = checked.match
    match.save()
    Seat.objects.bulk_create(
        Seat(match=match, side=side, player=player) for side, player in enumerate(checked.players)
    )
    for turn in checked.turns:
        turn.match = match
    Turn.objects.bulk_create(checked.turns)
    if match.tournament:
        enter(match.tournament, checked.players, guest=True)
    if match.status == Status.PLAYING:
        clocks.begin(match, now)
        record_event(match, Event.Kind.IMPORTED, now=now)
    else:  # history: there is nothing to do about it
        Event.objects.create(match=match, kind=Event.Kind.IMPORTED, ply=match.ply, happened_at=now)
    return match


def _moment(day: date | None) -> datetime | None:
    """Noon, which is the same day in most zones."""
    return datetime.combine(day, time(12), UTC) if day else None


# Gives a place in a match to another player, who goes on from the board and the clock as they
# stand.


@transaction.atomic
def replace(seat: Seat, player: Player, *, reason: str, now: datetime) -> Event:
    """`player` takes the seat. The reply addresses of the one who had it are dead, what they offered is off the table.

    Refuses G02, G08, G11 (not being played), C03 (they have the other seat, or this one), D06 (they get no letters).
    """
    match = seat.match
    check_playing(match)
    if player.pk in (each.player_id for each in match.seated):
        raise Refused(Code.AGAINST_YOURSELF, name=player.name)
    if not Player.objects.opponents().filter(pk=player.pk).exists():
        raise Refused(Code.GETS_NO_LETTERS, text=player.name)
    clocks.keep_calendar(seat, now)  # that of the one who leaves; from now on that of the other counts
    before, seat.player = seat.player, player
    seat.save(update_fields=["player"])
    other = seat.opponent
    match.seated = (other, seat) if seat.side else (seat, other)
    for each in match.seated:
        revoke_tokens(each)
    if match.draw_offered_by == seat.side:
        match.draw_offered_by = None
        match.save(update_fields=["draw_offered_by"])
    if seat.is_to_move:
        match.save(update_fields=match.turn_begins(now))
    match.offers.all().delete()
    # What the one would have answered, the other shall neither play nor be told at the end.
    seat.lines.unused().order_by().update(fate=ConditionalLine.Fate.CLEARED, left_at=match.ply)
    clocks.begin(match, now)
    if match.tournament:
        enter(match.tournament, [player], guest=True)
    return record_event(
        match,
        Event.Kind.REPLACED,
        now=now,
        seat=seat.side,
        before=before.pk,
        after=player.pk,
        reason=reason,
    )
