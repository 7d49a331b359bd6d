"""Writes ratings: when a rated match ends, and when it turns out that it has not, or not so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from pbem.matches.arbitration import ADJUDICATED
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Address, Player
from pbem.ratings.history import Book, Entry, Moment, entries, in_game, known_of, play, replay
from pbem.ratings.lists import game_of, pool_of
from pbem.ratings.models import Rated, Rating

# Which of the matches that were agreed on as rated count, and why others do not.

Why = Rated.Uncounted
LEAST_TURNS = 2  # of each player
MOST_OF_A_PAIR, WITHIN = 10, timedelta(days=90)
_TIME = "time"  # the reason that the record gives


def why_not(match: Match) -> str:
    """ "" where it counts. It is asked once, when the match ends: what a letter has said stays true."""
    return next((why for why, applies in _REASONS if applies(match)), "")


def _short(match: Match) -> bool:
    """So is a match to which somebody never came."""
    played = match.live_turns().order_by().values("side").annotate(turns=Count("pk"))
    return len([side for side in played if side["turns"] >= LEAST_TURNS]) < 2


def _decided(match: Match) -> bool:
    return match.reason == ADJUDICATED


def _replaced(match: Match) -> bool:
    return match.events.filter(kind=Event.Kind.REPLACED).exists()


def _with_a_robot(match: Match) -> bool:
    """It plays against anybody, and again and again."""
    return any(seat.player.robot or seat.player.program for seat in match.seated)


def _one_mailbox(match: Match) -> bool:
    one, other = (Address.objects.verified().filter(player=seat.player_id) for seat in match.seated)
    return one.filter(email__in=other.values("email")).exists()


def _often(match: Match) -> bool:
    assert match.ended_at
    lately = Rated.objects.filter(uncounted="", at__gt=match.ended_at - WITHIN, at__lte=match.ended_at)
    for seat in match.seated:
        lately = lately.filter(match__seats__player=seat.player_id)
    return len(lately.exclude(match=match).values_list("pk")[:MOST_OF_A_PAIR]) >= MOST_OF_A_PAIR


def _in_a_series(match: Match) -> bool:
    """A player who lets all matches run out loses one of them: they have moved nowhere since the last time."""
    if match.reason != _TIME or match.winner is None:
        return False
    sleeper = match.seated[1 - match.winner].player_id
    before = Rated.objects.filter(
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


# In the order in which they are told: the first that applies.
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
