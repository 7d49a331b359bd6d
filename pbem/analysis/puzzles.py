"""Puzzles, of ended matches and of collections: which there are, giving them to players, checking answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from games.engine.collection import collection
from games.protocol import AmbiguousMove, GameOver, IllegalMove, Notation, Position, UnreadableMove
from games.registry import AnyGame, find, games
from pbem.analysis.models import AnalysisJob, Attempt, Puzzle, PuzzleWish
from pbem.matches.models import Match, Seat
from pbem.players.models import Player
from pbem.refusals import Code, Refused

MOST_GIVEN = 10  # in a day, to a player
Status = Attempt.Status


def may_come_from(match: Match) -> bool:
    """Tells whether a match may give puzzles: it is over, not private, and neither player has refused."""
    players = [seat.player_id for seat in match.seated]
    refused = PuzzleWish.objects.filter(player__in=players, gives=False)
    return match.status == Match.Status.OVER and not match.agreed.private and not refused.exists()


def keep(study: AnalysisJob, *, now: datetime) -> None:
    """Saves the puzzles found in a match, in the transaction that closes the study."""
    if study.kind != AnalysisJob.Kind.ANALYSIS or not may_come_from(study.match):
        return
    positions = [study.match.start_position(), *(map(study.match.at, _texts(study.match)))]
    for facts in study.found.get("puzzles", ()):
        made = {"accepted": facts["accepted"], "replies": facts["replies"], "created_at": now}
        made |= {"game_name": study.match.game_name, "position": str(positions[facts["ply"]])}
        Puzzle.objects.get_or_create(match=study.match, ply=facts["ply"], defaults=made)


def available(game: str = "") -> QuerySet[Puzzle]:
    """Returns the puzzles of matches that no player has refused since, and those of collections that were given
    before: of a game with all variants, or of any.
    """
    refused = Seat.objects.filter(player__puzzle_wish__gives=False).values("match")
    from_matches = Q(match__status=Match.Status.OVER) & ~Q(match__in=refused)
    puzzles = Puzzle.objects.filter(Q(match=None) | from_matches)
    return puzzles.filter(game_name__regex=rf"^{game}(:|$)") if game else puzzles


def give(player: Player, game: str = "", *, now: datetime) -> Attempt:
    """Returns the player's open puzzle, or a new one that is not from their own matches. Raises Refused: H07
    (none left), H08 (the limit of a day)."""
    attempts = Attempt.objects.filter(player=player)
    pool = available(game)
    if held := attempts.filter(status=Status.OPEN, puzzle__in=pool).first():
        return held
    if attempts.filter(given_at__gt=now - timedelta(days=1)).count() >= MOST_GIVEN:
        raise Refused(Code.TOO_MANY_PUZZLES)
    own = Seat.objects.filter(player=player).values("match")
    others = pool.filter(match__isnull=False).exclude(match__in=own).exclude(attempts__player=player)
    puzzle = others.order_by("pk").first() or _collected(player, game, now)
    if puzzle is None:
        raise Refused(Code.NO_PUZZLE)
    attempts.filter(status=Status.OPEN).update(status=Status.FAILED, ended_at=now)
    return Attempt.objects.create(puzzle=puzzle, player=player, given_at=now)


def _collected(player: Player, game: str, now: datetime) -> Puzzle | None:
    """Returns the easiest puzzle of the collections that the player has not had: of the game of their latest
    match, as long as there are some.
    """
    had = set(
        Attempt.objects.filter(player=player, puzzle__match=None).values_list("puzzle__position", flat=True)
    )
    latest = Match.objects.of(player).order_by("pk").last()
    left = [
        ((latest is None or key != latest.game.key, number, key), each)
        for key, known in games().items()
        if key == game or not game
        for number, each in enumerate(collection(known))
        if each.position not in had
    ]
    if not left:
        return None
    _, easiest = min(left, key=itemgetter(0))
    facts = {"accepted": easiest.accepted, "replies": easiest.replies, "created_at": now}
    return Puzzle.objects.get_or_create(
        match=None, game_name=easiest.game, position=easiest.position, defaults=facts
    )[0]


def position_of(attempt: Attempt) -> Position:
    """Returns the position after the turns found and the replies."""
    puzzle = attempt.puzzle
    game, rules = find(puzzle.game_name)
    position: Position = game.position(rules, puzzle.position)
    for step in range(attempt.step):
        position = position.play(game.move(puzzle.accepted[step][0]))
        position = position.play(game.move(puzzle.replies[step]))
    return position


def solve(attempt: Attempt, text: str, *, now: datetime) -> dict[str, Any]:
    """Checks an answer: `solved`, `right` with the opponent's `reply`, or `wrong` with the `solution`; moves
    are canonical. Raises Refused for what cannot be played, without effect: P08, G06, P06."""
    puzzle, position = attempt.puzzle, position_of(attempt)
    game, _ = find(puzzle.game_name)
    notation, accepted = attempt.player.notation, puzzle.accepted[attempt.step]
    try:
        move = game.read(position, text, notation)
    except (AmbiguousMove, IllegalMove, UnreadableMove, GameOver):
        move = _begun(game, position, text, notation, accepted)
        if move is None:
            raise Refused(Code.NO_SOLUTION, text=text) from None
    if objection := position.objection(move):
        raise Refused(Code.NO_SOLUTION, text=text, why=objection.code)
    after = position.play(move)
    outcome = after.outcome()
    won = outcome is not None and outcome.winner == position.to_move
    last = attempt.step + 1 == len(puzzle.accepted)
    if won or (str(move) in accepted and (last or str(move) != accepted[0])):
        _end(attempt, Status.SOLVED, now)
        return {"said": "solved", "move": str(move)}
    if str(move) in accepted:
        reply = puzzle.replies[attempt.step]
        attempt.step += 1
        attempt.save(update_fields=["step"])
        return {"said": "right", "move": str(move), "reply": reply}
    _end(attempt, Status.FAILED, now)
    return {"said": "wrong", "move": str(move), "solution": accepted[0]}


def _begun(
    game: AnyGame, position: Position, text: str, notation: Notation, accepted: Sequence[str]
) -> Any | None:
    """Returns a turn that the text begins, without its removals, when all that begin so are accepted."""
    begins = f"{text.strip().casefold()};"
    begun = [
        move
        for move in position.moves()
        if game.write(position, move, notation).casefold().startswith(begins)
    ]
    return begun[0] if begun and all(str(move) in accepted for move in begun) else None


def streak(player: Player) -> int:
    """Counts the puzzles solved in a row, up to the last that ended."""
    ended = Attempt.objects.filter(player=player).exclude(status=Status.OPEN).order_by("-ended_at", "-pk")
    states = list(ended.values_list("status", flat=True)[:1000])
    return next((n for n, state in enumerate(states) if state != Status.SOLVED), len(states))


def let(player: Player, gives: bool) -> PuzzleWish:
    """Sets whether the player's matches give puzzles; when not, existing ones are not given out any more."""
    return PuzzleWish.objects.update_or_create(player=player, defaults={"gives": gives})[0]


def _end(attempt: Attempt, status: Status, now: datetime) -> None:
    attempt.status, attempt.ended_at = status, now
    attempt.save(update_fields=["status", "ended_at"])


def _texts(match: Match) -> list[str]:
    return list(match.live_turns().values_list("position", flat=True))
