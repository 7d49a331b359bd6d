"""Ratings of players."""

from __future__ import annotations

from games.protocol import UnknownName
from games.registry import heard
from pbem.inbox.commands.command import Rating, Ratings
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.commands.matchmaking import player_called
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.players.models import Player
from pbem.ratings.leaderboards import is_used, pool_called, ratings_of
from pbem.ratings.robots import ratings_of_robot
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

OPPONENT = wording(__name__).words("opponent")  # in a reply about a match
_STATISTICS = wording(__name__).words("statistics")
_NAME = 2  # words of a name


def _read_rating(line: CommandLine) -> Rating | Ratings | None:
    if line.word in _STATISTICS:
        # In a reply to a turn "Stats." may be said to the opponent.
        alone = not line.rest and line.match is None and (line.clear or line.own is None)
        return Rating() if alone else None
    return _read(line, Rating())


def _read_ratings(line: CommandLine) -> Rating | Ratings | None:
    return _read(line, Ratings())


def _read(line: CommandLine, alone: Rating | Ratings) -> Rating | Ratings | None:
    # RATING and RATINGS differ by one letter, so either takes a game or a name.
    words = line.words
    if line.match is not None or any(word.lstrip("#").isdecimal() for word in words):
        return None  # the table of a contest
    if not words:
        return alone
    if (found := heard(words)) and not found[1]:
        return Ratings(found[0])
    who = " ".join(words)
    return Rating(who) if fold(who) in OPPONENT or (line.clear and len(words) <= _NAME) else None


def _rating(context: CommandContext, command: Rating) -> None:
    player, seat = context.player, context.token_seat
    if seat and fold(command.who) in OPPONENT:
        player = seat.opponent.player
    elif command.who:
        player = player_called(context, command.who, Player.objects.filter(suspended_at=None))
    known = ratings_of_robot if player.robot else ratings_of
    if player != context.player and not known(player, context.now):
        raise Refused(Code.NO_RATINGS)
    context.reply({"kind": "rating", "player": player.pk, "at": context.now.isoformat()})


def _ratings(context: CommandContext, command: Ratings) -> None:
    pool = ""
    if command.game:
        try:
            pool = pool_called(command.game)
        except UnknownName as unknown:
            raise Refused(Code.NO_SUCH_GAME, text=command.game, nearest=unknown.nearest) from None
        if not is_used(pool):
            raise Refused(Code.NO_RATINGS)
    context.reply({"kind": "ratings", "pool": pool, "at": context.now.isoformat()})


VERBS: Verbs = {
    Rating: (_read_rating, _rating),
    Ratings: (_read_ratings, _ratings),
}
