"""Open offers: making, finding, taking and withdrawing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from random import Random

from django.db import transaction

from games.protocol import Side
from pbem.matches.lifecycle import draw_up
from pbem.matches.matchmaking.eligibility import Reliability, has_room, reliability_of
from pbem.matches.matchmaking.match_request import read_conditions, read_wish
from pbem.matches.models import Match, Seek, Taken
from pbem.matches.models.seek import STANDS
from pbem.matches.services import start
from pbem.players.blocks import refuses
from pbem.players.models import Player
from pbem.refusals import Code, Refused

RatingOf = Callable[[Player, str], float]  # of a player, in the game of that canonical name
MOST_OFFERS = 5  # of one player, open at a time
MOST_KEPT = 10  # matches that one offer keeps going
MOST_LISTED = 25
_MOST_SEEN = 200  # offers examined for those that a player can take


@transaction.atomic
def offer(
    player: Player,
    *,
    game: str,
    options: Sequence[str] = (),
    setup: str | None = None,
    keep: int | None = None,
    now: datetime,
    rng: Random,
) -> Seek:
    """Makes an open offer. `options` are those of a challenge, and conditions. Refuses C02, C06 and C14."""
    conditions, rest = read_conditions(options)
    wish = read_wish(game, rest)
    draw_up(wish.game, setup=setup, terms=wish.terms, now=now, rng=rng)  # checks that it can begin
    if player.seeks.standing(now).count() >= MOST_OFFERS:
        raise Refused(Code.TOO_MANY_OFFERS, limit=MOST_OFFERS)
    return Seek.objects.create(
        player=player,
        game_name=wish.game,
        setup=setup,
        side=wish.side,
        terms=wish.terms.kept(),
        on_time=conditions.on_time,
        language=conditions.language,
        least=conditions.least,
        most=conditions.most,
        keep=None if keep is None else max(1, min(keep, MOST_KEPT)),
        created_at=now,
        until=now + STANDS,
    )


def open_to(player: Player, *, game: str = "", now: datetime, rating: RatingOf) -> list[Seek]:
    """Returns the player's offers and those they may take, the newest first. `game` is a key, "" any."""
    standing = Seek.objects.standing(now).select_related("player")
    if game:
        standing = standing.filter(game_name__startswith=game)  # a prefix: other keys may share it
    known = reliability_of(player, now)
    seen = (seek for seek in standing[:_MOST_SEEN] if game in ("", seek.game.key))
    theirs = (seek for seek in seen if seek.player == player or _is_open(seek, player, known, rating))
    return list(islice(theirs, MOST_LISTED))


@transaction.atomic
def join(
    player: Player, number: int, *, now: datetime, rng: Random, rating: RatingOf, letter: int | None = None
) -> Match:
    """Takes an offer: its match begins. Refuses C03 (their own), C15 (not open, or not for them) and C16."""
    # Locked, so that concurrent players take it once.
    seek = Seek.objects.standing(now).filter(pk=number).select_for_update(of=("self",)).first()
    if seek is None:
        raise Refused(Code.NO_SUCH_OFFER, number=number)
    if seek.player == player:
        raise Refused(Code.AGAINST_YOURSELF, name=player.name)
    if seek.running().of(player).exists():
        raise Refused(Code.JOINED_ALREADY, number=number)
    if not _is_open(seek, player, reliability_of(player, now), rating):
        raise Refused(Code.NO_SUCH_OFFER, number=number)
    side = Side(rng.randrange(2)) if seek.side is None else Side(seek.side)
    first, second = (seek.player, player) if side is Side.FIRST else (player, seek.player)
    match = start(
        first=first,
        second=second,
        game=seek.game_name,
        setup=seek.setup,
        terms=seek.agreed,
        side=side.other,
        letter=letter,
        now=now,
        rng=rng,
        seek=seek.pk,
    )
    Taken.objects.create(seek=seek, match=match)
    seek.until = now + STANDS
    seek.closed_at = now if seek.keep is None else None
    seek.save(update_fields=["until", "closed_at"])
    return match


def close_same(player: Player, game: str, *, now: datetime) -> Sequence[int]:
    """Withdraws the player's other single offers of the game after a match began; returns their numbers."""
    own = player.seeks.standing(now).filter(game_name=game, keep=None)
    numbers = list(own.values_list("pk", flat=True))
    own.update(closed_at=now)
    return numbers


def close(player: Player, number: int, *, now: datetime) -> None:
    """Withdraws an offer; its matches go on. Refuses C21 (not theirs)."""
    if not player.seeks.filter(pk=number, closed_at__isnull=True).update(closed_at=now):
        raise Refused(Code.NO_OFFER_OF_YOURS, number=number)


def _is_open(seek: Seek, player: Player, known: Reliability, rating: RatingOf) -> bool:
    """Returns whether the player may take it: conditions, room, and no refusal on either side."""
    offerer = seek.player
    return (
        seek.conditions.admit(language=player.language, on_time=known.on_time)
        and (not seek.conditions.has_band or seek.conditions.holds(rating(player, seek.game_name)))
        and Player.objects.reachable().filter(pk=offerer.pk).exists()
        and not refuses(offerer, player, seek.game.key)
        and not refuses(player, offerer, seek.game.key)
        and has_room(offerer, seek.game.key)
        and (seek.keep is None or seek.running().count() < seek.keep)
    )
