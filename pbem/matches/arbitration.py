"""Actions of the organiser in matches, and the export and import of records."""

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
from pbem.players.models import Player
from pbem.refusals import Code, Refused

# Adjudication

ADJUDICATED = "adjudicated"  # the reason in the record


@transaction.atomic
def adjudicate(match: Match, winner: Side | None, *, reason: str, now: datetime) -> None:
    """Ends the match with this result (None: drawn), and notifies both players. Refuses G02, G08, G11."""
    check_playing(match)
    finish(match, Outcome(winner, ADJUDICATED), now=now, side=None, reason=reason)


@transaction.atomic
def void(match: Match, *, reason: str, now: datetime, **facts: Any) -> None:
    """Voids the match, without a result, and notifies both players with the reason."""
    clocks.halt(match, now)
    match.status, match.ended_at, match.flagged_at = Match.Status.VOID, now, None
    match.to_move = match.draw_offered_by = match.winner = match.deadline = None
    match.reason = ""
    match.turns_end()
    match.save()
    record_event(match, Event.Kind.VOIDED, now=now, side=None, reason=reason, **facts)


# Moves entered by the organiser


def enter_move(
    match: Match,
    text: str,
    *,
    notation: Notation | None = None,
    reason: str,
    made_at: datetime | None = None,
    now: datetime,
) -> Turn:
    """Plays the move `text` of the player to move, in `notation`; None: in the player's own.

    The clock is charged as if the letter had arrived at `made_at` (None: now). Marks the turn as entered, and
    notifies both players with the reason. Refuses as `play` does.
    """
    plies.check_playing(match)
    assert match.moving is not None
    if notation:
        before = match.current()
        move = plies.read(match.moving, before, text, notation)
        text = match.game.write(before, move, match.moving.player.notation)
    return play(match.moving, text, now=now, arrived=made_at, entered=reason)


# Export, as `import_records` reads it


def json_lines(matches: Iterable[Match]) -> str:
    """Returns a JSON record per line."""
    return "".join(to_json_line(match.record()) for match in matches)


def score_sheets(matches: Iterable[Match], notation: Notation) -> str:
    """Returns score sheets, each with the tag of its notation."""
    return "\n".join(to_text(match.record(), notation) for match in matches)


# Import: all records are replayed before any is stored

Status = Match.Status
_SHEET = re.compile(r'\s*\[\w+ ".*"\]')


@dataclass(frozen=True)
class _Checked:
    """A valid record: its players, the match, and its turns, not yet stored."""

    record: Record
    players: tuple[Player, Player]
    match: Match
    turns: list[Turn]


@transaction.atomic
def import_records(
    text: str, *, notation: Notation | None = None, tournament: Tournament | None = None, now: datetime
) -> list[Match]:
    """Creates a match per record, JSON or score sheet: finished, or to be played on.

    `notation` is that of score sheets without a tag; None refuses them (D17), since piece letters differ
    between languages. All or none: raises Mistaken, with numbers of records as lines. Finished games bring no
    letters; games that go on do.
    """
    return [_kept(each, now) for each in _all_checked(text, notation, tournament, now)]


def check(
    text: str, *, notation: Notation | None = None, tournament: Tournament | None = None, now: datetime
) -> int:
    """Returns how many matches the text would create. Raises Mistaken."""
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
    """Returns the record with the tag of its notation. Refuses D17 without one."""
    # JSON has canonical moves, and needs no notation.
    if has_notation(part) or not _SHEET.match(part):
        return part
    if notation is None:
        raise Refused(Code.WHICH_NOTATION)
    return tagged(part, notation)


def _checked(text: str, tournament: Tournament | None, now: datetime) -> _Checked:
    """Reads a record. Refuses D15 (bad record or illegal move), C01, C02, C03, D06 and D16."""
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
            speech(game, rules, Notation("en")).outcome(outcome)  # KeyError for an unknown reason
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
        turn.played_at = started  # records do not say when each was played
    return _Checked(record, players, match, turns)


def _outcome(on_board: Outcome | None, record: Record) -> Outcome | None:
    """Returns the outcome. Raises ValueError when the record contradicts the board."""
    said = record.result
    if on_board and said and on_board.winner != said.winner:
        raise ValueError(f"the board says {on_board.score}, the record {said.score}")
    return on_board or said


def _players(record: Record, *, playing: bool) -> tuple[Player, Player]:
    """Returns the players. In a game that goes on, both must be able to get letters."""
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
        match.tournament.enter(checked.players, guest=True)
    if match.status == Status.PLAYING:
        clocks.begin(match, now)
        record_event(match, Event.Kind.IMPORTED, now=now)
    else:  # no letters about history
        Event.objects.create(match=match, kind=Event.Kind.IMPORTED, ply=match.ply, happened_at=now)
    return match


def _moment(day: date | None) -> datetime | None:
    # Noon UTC is the same day in most zones.
    return datetime.combine(day, time(12), UTC) if day else None


# Replacement of a player


@transaction.atomic
def replace(seat: Seat, player: Player, *, reason: str, now: datetime) -> Event:
    """Seats `player`; revokes the reply addresses and the offers of the predecessor.

    Refuses G02, G08, G11 (not being played), C03 (seated already), D06 (they get no letters).
    """
    match = seat.match
    check_playing(match)
    if player.pk in (each.player_id for each in match.seated):
        raise Refused(Code.AGAINST_YOURSELF, name=player.name)
    if not Player.objects.opponents().filter(pk=player.pk).exists():
        raise Refused(Code.GETS_NO_LETTERS, text=player.name)
    clocks.keep_calendar(seat, now)  # the predecessor's calendar counts until now
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
    # Conditional lines of the predecessor are cleared.
    seat.lines.unused().order_by().update(fate=ConditionalLine.Fate.CLEARED, left_at=match.ply)
    clocks.begin(match, now)
    if match.tournament:
        match.tournament.enter([player], guest=True)
    return record_event(
        match,
        Event.Kind.REPLACED,
        now=now,
        seat=seat.side,
        before=before.pk,
        after=player.pk,
        reason=reason,
    )
