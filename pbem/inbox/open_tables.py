"""People who want anybody meet: of a player who looks for a game it is asked first whether they take the open offer of
another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.line import game_of, key_of
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.offers.grammar import Join, Offer, Open
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.sketches import TAKES_OFFER
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.matches.matchmaking.seeks import open_to
from pbem.matches.models import Seek
from pbem.ratings.lists import rating_at
from pbem.refusals import Code
from pbem.wording import fold

_WORD = re.compile(r"[^\W_][\w.-]*")
_MOST_WORDS, _MOST_LINES = 14, 6
_VAGUE = (Offer, Open, Players, Help, Join)  # what may be meant by it, where nobody is named


def named(context: CommandContext, reading: Reading) -> Reading:
    """The same, with the open offer of the player whom it names: `I'd like to join Lucy's game`."""
    said = reading.understood
    written = {reading.glance.subject.strip(), *map(str.strip, reading.letter.lines)}
    vague = all(isinstance(each, _VAGUE) and each.line not in written for each in said.commands)
    if context.token_seat or not vague or not all(isinstance(each, _VAGUE) for each in said.asks):
        return reading
    lines = [line for line in reading.letter.lines if line.strip()]
    taking = [line for line in lines[:_MOST_LINES] if _takes(line)]
    offered = _offers(context) if taking else []
    words = {fold(word) for line in taking for word in _words(line)}
    found = [seek for seek in offered if seek.player.folded in words]
    if len(found) != 1:
        return reading
    join = _join(found[0], context)
    beside = "\n".join(line for line in reading.letter.lines if line not in taking).strip()
    return replace(reading, understood=Understood(asks=(join,), beside=beside, verdict=Code.NO_MOVE_FOUND))


def instead(context: CommandContext, asks: Sequence[Command]) -> Sequence[Command]:
    """JOIN of an open offer in the place of the only OFFER of that game, or of a challenge to who made it."""
    wish = asks[0] if len(asks) == 1 else None
    if not isinstance(wish, (Offer, Challenge)):
        return asks
    theirs = _offers(context, _key(wish))
    if isinstance(wish, Challenge):
        theirs = [seek for seek in theirs if seek.player.folded == fold(wish.who) and not wish.options]
    return (_join(theirs[0], context),) if theirs else asks


def waits_already(context: CommandContext, asks: Sequence[Command]) -> str:
    """The key of the game that is all they look for, if an offer of theirs stands already, and nobody else's."""
    wish = asks[0] if len(asks) == 1 else None
    if not isinstance(wish, Offer) or instead(context, asks) != asks:
        return ""
    own = (seek.game.key for seek in context.player.seeks.standing(context.now))
    return _key(wish) if _key(wish) in own else ""


def _key(wish: Offer | Challenge) -> str:
    game = game_of([wish.game.partition(":")[0]])
    return key_of(game) if game else ""


def _offers(context: CommandContext, key: str = "") -> list[Seek]:
    """Those of others that the player can take, the oldest first."""
    now = context.now
    found = open_to(context.player, game=key, now=now, rating=rating_at(now))
    others = [each for each in found if each.player != context.player]
    return [each for each in reversed(others) if not each.running().of(context.player).exists()]


def _join(seek: Seek, context: CommandContext) -> Join:
    return Join(seek.pk, line=f"{called('JOIN', context.player.language)} {seek.pk}")


def _takes(line: str) -> bool:
    words = _words(line)
    return len(words) <= _MOST_WORDS and bool(TAKES_OFFER.intersection(map(fold, words)))


def _words(line: str) -> list[str]:
    """Without what an apostrophe adds to a name."""
    return [word.strip(".-") for word in _WORD.findall(re.sub(r"['’](?:s|ll|d)\b", " ", line))]
