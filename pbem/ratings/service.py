"""Writes ratings when a rated match ends, and recomputes them when its result is undone or voided."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from pbem.matches.arbitration import ADJUDICATED
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Address, Player
from pbem.ratings.history import Book, Entry, Moment, entries, in_game, known_of, play, replay
from pbem.ratings.leaderboards import game_of, pool_of
from pbem.ratings.models import RatedGame, Rating

# Reasons why a match agreed on as rated does not count

Why = RatedGame.Uncounted
LEAST_TURNS = 2  # turns of each player
MOST_OF_A_PAIR, WITHIN = 10, timedelta(days=90)
_TIME = "time"  # the reason in the record


def why_not(match: Match) -> str:
    """Returns why the match does not count; "" when it counts. Decided once, when the match ends."""
    return next((why for why, applies in _REASONS if applies(match)), "")


def _short(match: Match) -> bool:
    played = match.live_turns().order_by().values("side").annotate(turns=Count("pk"))
    return len([side for side in played if side["turns"] >= LEAST_TURNS]) < 2


def _decided(match: Match) -> bool:
    return match.reason == ADJUDICATED


def _replaced(match: Match) -> bool:
    return match.events.filter(kind=Event.Kind.REPLACED).exists()


def _with_a_robot(match: Match) -> bool:
    return any(seat.player.robot or seat.player.program for seat in match.seated)


def _one_mailbox(match: Match) -> bool:
    one, other = (Address.objects.verified().filter(player=seat.player_id) for seat in match.seated)
    return one.filter(email__in=other.values("email")).exists()


def _often(match: Match) -> bool:
    assert match.ended_at
    lately = RatedGame.objects.filter(uncounted="", at__gt=match.ended_at - WITHIN, at__lte=match.ended_at)
    for seat in match.seated:
        lately = lately.filter(match__seats__player=seat.player_id)
    return len(lately.exclude(match=match).values_list("pk")[:MOST_OF_A_PAIR]) >= MOST_OF_A_PAIR


def _in_a_series(match: Match) -> bool:
    """Returns whether the loser on time has not moved in any match since their last such loss."""
    # A player who abandons all matches loses rating points for one of them.
    if match.reason != _TIME or match.winner is None:
        return False
    sleeper = match.seated[1 - match.winner].player_id
    before = RatedGame.objects.filter(
        match__reason=_TIME,
        match__seats__player=sleeper,
        match__seats__side=1 - F("match__winner"),
        at__lte=match.ended_at,
    )
    last = before.exclude(match=match).order_by("-at").values_list("at", flat=True).first()
    if last is None:
        return False
    since = Q(match__ended_at=None) | Q(match__ended_at__gte=last)
    seats = Seat.objects.filter(since, player=sleeper, match__ply__gt=0)
    played = Turn.objects.filter(match__seats__in=seats, side=F("match__seats__side"), how="")
    return not played.filter(played_at__gt=last).exists()


# The first reason that applies is given.
_REASONS: tuple[tuple[Why, Callable[[Match], bool]], ...] = (
    (Why.SHORT, _short),
    (Why.DECIDED, _decided),
    (Why.REPLACED, _replaced),
    (Why.ROBOT, _with_a_robot),
    (Why.MAILBOX, _one_mailbox),
    (Why.SERIES, _in_a_series),
    (Why.OFTEN, _often),
)


Kind = Event.Kind


def follow(events: Sequence[Event]) -> None:
    """Updates ratings after match events; the subscriber of `pbem.matches.events`, in their transaction."""
    for event in events:
        if event.kind in (Kind.ENDED, Kind.UNDONE, Kind.VOIDED) and event.match.agreed.rated:
            if event.kind == Kind.ENDED:
                _rate(event.match)
            else:
                _forget(event.match)


@transaction.atomic
def rebuild(game: str, since: Moment | None = None, players: Collection[int] = ()) -> int:
    """Recomputes the ratings of a game from a moment on. Returns the number of rated matches that changed.

    `players` are those of a match that was removed from history.
    """
    _lock({*players, *_players_of(game)})
    book: Book = {}
    changed = list(replay(entries(RatedGame.objects.filter(in_game(game))), book, since))
    RatedGame.objects.bulk_update(changed, ["before", "after"], batch_size=200)
    _write(book, Rating.objects.filter(in_game(game)))
    return len(changed)


def differences(game: str) -> Iterator[str]:
    """Yields each match and rating that differs from a full recomputation."""
    book: Book = {}
    for row in replay(entries(RatedGame.objects.filter(in_game(game))), book):
        yield f"match {row.match_id}"
    rest = {(player, pool): known for player, pools in book.items() for pool, known in pools.items()}
    for rating in Rating.objects.filter(in_game(game)).order_by("pk"):
        if rest.pop((rating.player_id, rating.pool), None) != known_of(rating):
            yield f"player {rating.player_id} in {rating.pool}"
    yield from (f"player {player} in {pool}" for player, pool in rest)


def games_rated() -> list[str]:
    """Returns the keys of the games with rated matches or ratings."""
    known = (
        model.objects.order_by().values_list("pool", flat=True).distinct() for model in (RatedGame, Rating)
    )
    return sorted({game_of(pool) for pools in known for pool in pools})


def games_of(player: Player) -> list[str]:
    """Returns the keys of the games in which the player has rated matches."""
    pools = RatedGame.objects.filter(match__seats__player=player).order_by().values_list("pool", flat=True)
    return sorted(set(map(game_of, pools.distinct())))


def _rate(match: Match) -> None:
    """Rates a match that ended; recomputes the later history when other matches ended after it."""
    assert match.ended_at
    pool, players = pool_of(match), [seat.player_id for seat in match.seated]
    game, at = game_of(pool), match.ended_at
    later = RatedGame.objects.filter(in_game(game), Q(at__gt=at) | Q(at=at, match__gt=match.pk))
    _lock({*players, *(_players_of(game) if later.exists() else ())})
    row = RatedGame(match=match, pool=pool, at=at, uncounted=why_not(match))
    row.save()
    if row.uncounted:
        return
    if later.exists():
        rebuild(game, (at, match.pk))
        return
    known = Rating.objects.filter(in_game(game), player__in=players)
    book: Book = {player: {} for player in players}
    for rating in known:
        book[rating.player_id][rating.pool] = known_of(rating)
    first, second = match.seated
    row.before, row.after = play(book, Entry(row, (first.player_id, second.player_id), match.winner))
    row.save(update_fields=["before", "after"])
    _write(book, known)


def _forget(match: Match) -> None:
    """Removes a match that was undone or voided from history, and recomputes what followed."""
    row = RatedGame.objects.filter(match=match).first()
    if row is None:
        return
    row.delete()
    if not row.uncounted:
        players = [seat.player_id for seat in match.seated]
        rebuild(game_of(row.pool), (row.at, match.pk), players)


def _players_of(game: str) -> QuerySet[Seat, int]:
    rows = RatedGame.objects.filter(in_game(game))
    return Seat.objects.filter(match__rated__in=rows).order_by().values_list("player", flat=True).distinct()


def _lock(players: Collection[int]) -> None:
    # One order, so that two matches do not deadlock.
    rows = Player.objects.filter(pk__in=players).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))


def _write(book: Book, ratings: Iterable[Rating]) -> None:
    """Replaces the ratings by those in the book."""
    rows = {(row.player_id, row.pool): row for row in ratings}
    for player, pools in book.items():
        for pool, known in pools.items():
            row = rows.pop((player, pool), None) or Rating(player_id=player, pool=pool)
            if row.pk and known_of(row) == known:
                continue
            strength = known.strength
            row.rating, row.deviation = strength.rating, strength.deviation
            row.volatility, row.matches, row.at = strength.volatility, known.matches, known.at
            row.save()
    Rating.objects.filter(pk__in=[row.pk for row in rows.values()]).delete()
