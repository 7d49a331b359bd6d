"""Writes ratings: when a rated match ends, and when it turns out that it has not, or not so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from pbem.matches.models import Event, Match, Seat
from pbem.players.models import Player
from pbem.ratings.eligibility import why_not
from pbem.ratings.history import Book, Entry, Moment, entries, in_game, known_of, play, replay
from pbem.ratings.models import Rated, Rating
from pbem.ratings.pools import game_of, pool_of

Kind = Event.Kind


def follow(events: Sequence[Event]) -> None:
    """The subscriber of `pbem.matches.events`, in the transaction of the events."""
    for event in events:
        if event.kind in (Kind.ENDED, Kind.UNDONE, Kind.VOIDED) and event.match.agreed.rated:
            if event.kind == Kind.ENDED:
                _rate(event.match)
            else:
                _forget(event.match)


@transaction.atomic
def rebuild(game: str, since: Moment | None = None, players: Collection[int] = ()) -> int:
    """Compute the ratings of a game anew, from a moment on; how many rated matches had said something else.

    `players` are those of a match that is in its history no more.
    """
    _lock({*players, *_players_of(game)})
    book: Book = {}
    changed = list(replay(entries(Rated.objects.filter(in_game(game))), book, since))
    Rated.objects.bulk_update(changed, ["before", "after"], batch_size=200)
    _write(book, Rating.objects.filter(in_game(game)))
    return len(changed)


def differences(game: str) -> Iterator[str]:
    """What a computation from the very beginning finds otherwise than the rows have it."""
    book: Book = {}
    for row in replay(entries(Rated.objects.filter(in_game(game))), book):
        yield f"match {row.match_id}"
    rest = {(player, pool): known for player, pools in book.items() for pool, known in pools.items()}
    for rating in Rating.objects.filter(in_game(game)).order_by("pk"):
        if rest.pop((rating.player_id, rating.pool), None) != known_of(rating):
            yield f"player {rating.player_id} in {rating.pool}"
    yield from (f"player {player} in {pool}" for player, pool in rest)


def games_rated() -> list[str]:
    """The keys of those in which a match is rated, or a player is said to be."""
    known = (model.objects.order_by().values_list("pool", flat=True).distinct() for model in (Rated, Rating))
    return sorted({game_of(pool) for pools in known for pool in pools})


def games_of(player: Player) -> list[str]:
    """The same, of one player."""
    pools = Rated.objects.filter(match__seats__player=player).order_by().values_list("pool", flat=True)
    return sorted(set(map(game_of, pools.distinct())))


def _rate(match: Match) -> None:
    """Of two matches of a player that end together the later waits for the earlier; one that is late has what follows
    it in history computed anew."""
    assert match.ended_at
    pool, players = pool_of(match), [seat.player_id for seat in match.seated]
    game, at = game_of(pool), match.ended_at
    later = Rated.objects.filter(in_game(game), Q(at__gt=at) | Q(at=at, match__gt=match.pk))
    _lock({*players, *(_players_of(game) if later.exists() else ())})
    row = Rated(match=match, pool=pool, at=at, uncounted=why_not(match))
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
    """It goes on, or is void: what followed it is computed as if it had not ended."""
    row = Rated.objects.filter(match=match).first()
    if row is None:
        return
    row.delete()
    if not row.uncounted:
        players = [seat.player_id for seat in match.seated]
        rebuild(game_of(row.pool), (row.at, match.pk), players)


def _players_of(game: str) -> QuerySet[Seat, int]:
    rows = Rated.objects.filter(in_game(game))
    return Seat.objects.filter(match__rated__in=rows).order_by().values_list("player", flat=True).distinct()


def _lock(players: Collection[int]) -> None:
    """In one order, so that no two matches wait for each other."""
    rows = Player.objects.filter(pk__in=players).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))


def _write(book: Book, ratings: Iterable[Rating]) -> None:
    """What the book says, in place of these rows."""
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
