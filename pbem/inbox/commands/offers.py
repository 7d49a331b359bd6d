"""Open offers: made, listed, taken, withdrawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import SystemRandom

from django.db import transaction

from games.registry import heard
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.line import CommandLine, game_of, key_of
from pbem.inbox.commands.match_commands import Close, Join, Offer, Open
from pbem.inbox.commands.matchmaking import make_offer, read_options, split_setup
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.matches.matchmaking import seeks
from pbem.ratings.leaderboards import rating_at
from pbem.refusals import Code
from pbem.wording import wording

_WORD = wording(__name__).either("keep")
_KEEP_NUMBER = re.compile(rf"\b({_WORD})\s+(?=\d)", re.IGNORECASE)
_KEEP = re.compile(rf"(?:{_WORD})(?:=?(\d{{1,2}}))?", re.IGNORECASE)


def _read_offer(line: CommandLine) -> Offer | None:
    words, setup = split_setup(re.sub(_KEEP_NUMBER, r"\1=", line.rest))
    if line.match is not None or not (found := heard(words)):
        return None
    game, options = found
    rules = read_options(options)
    return None if rules is None else _kept(game, rules, setup)


def _kept(game: str, rules: Sequence[str], setup: str | None) -> Offer:
    # KEEP alone is KEEP 1: a new offer whenever the match is over.
    kept = [keep for rule in rules if (keep := _KEEP.fullmatch(rule))]
    others = tuple(rule for rule in rules if not _KEEP.fullmatch(rule))
    return Offer(game, others, int(kept[-1][1] or 1) if kept else None, setup)


def _read_open(line: CommandLine) -> Open | None:
    match line.words:
        case [] if line.match is None and (line.own is None or line.clear):
            return Open()
        case words if line.match is None and (game := game_of(words)):
            return Open(key_of(game))
    return None


def _numbered(kind: Callable[[int], Command]) -> Callable[[CommandLine], Command | None]:
    def read(line: CommandLine) -> Command | None:
        match line.words:
            case [word] if line.match is None and (found := re.fullmatch(r"[\[#]?(\d{1,9})\]?", word)):
                return kind(int(found[1]))
            case [] if line.match is not None:
                return kind(line.match)
        return None

    return read


def _offer(context: CommandContext, offer: Offer) -> None:
    make_offer(context, offer, keep=offer.keep)


def _open(context: CommandContext, command: Open) -> None:
    context.reply({"kind": "open", "game": command.game, "at": context.now.isoformat()})


@transaction.atomic
def _join(context: CommandContext, join: Join) -> None:
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = seeks.join(
        context.player,
        join.number,
        now=context.now,
        rng=SystemRandom(),
        rating=rating_at(context.now),
        letter=context.row.pk,
    )
    context.meets(match)
    for number in seeks.close_same(context.player, match.game_name, now=context.now):
        context.reply({"kind": "open", "closed": number, "joined": True, "at": context.now.isoformat()})


def _close(context: CommandContext, close: Close) -> None:
    seeks.close(context.player, close.number, now=context.now)
    context.reply({"kind": "open", "closed": close.number, "at": context.now.isoformat()})


VERBS: Verbs = {
    Offer: (_read_offer, _offer),
    Open: (_read_open, _open),
    Join: (_numbered(Join), _join),
    Close: (_numbered(Close), _close),
}
