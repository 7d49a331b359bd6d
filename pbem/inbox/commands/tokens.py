"""Tokens for the API."""

from __future__ import annotations

from pbem.inbox.commands.command import MakeToken, StopToken, Tokens
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.outbox.notifications.notify import Section
from pbem.players import api_tokens
from pbem.players.api_tokens import LONGEST, USUAL, Scope
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_STOPS, _DAYS = _WORDS.words("stop"), _WORDS.words("days")
_SCOPES = {word: scope for scope in Scope for word in _WORDS.words("scopes", scope)}


def _read_tokens(line: CommandLine) -> Tokens | None:
    # In a reply to a turn "Token." alone may be talk.
    alone = not line.rest and line.match is None and (line.own is None or line.clear)
    return Tokens() if alone else None


def _read_make(line: CommandLine) -> MakeToken | None:
    words = [fold(word.rstrip(",")) for word in line.words]
    match words:
        case [*said, number, unit] if number.isdecimal() and unit in _DAYS:
            days = int(number)
        case said:
            days = USUAL
    known = all(word in _SCOPES for word in said) and 1 <= days <= LONGEST
    if line.match is not None or not words or not known:
        return None
    return MakeToken(tuple(dict.fromkeys(_SCOPES[word] for word in said)), days)


def _read_stop(line: CommandLine) -> StopToken | None:
    if line.match is not None:
        return None
    match [fold(word) for word in line.words]:
        case [word] if word in _STOPS:
            return StopToken()
        case [word, number] if word in _STOPS and number.isdecimal() and len(number) < 10:
            return StopToken(int(number))
    return None


def _list(context: CommandContext, command: Tokens) -> None:
    context.reply(_section(context))


def _make(context: CommandContext, command: MakeToken) -> None:
    made, _text = api_tokens.create(context.player, command.scopes, command.days, now=context.now)
    context.reply(_section(context) | {"made": made.pk})


def _stop(context: CommandContext, command: StopToken) -> None:
    api_tokens.stop(context.player, command.number)
    context.reply(_section(context) | {"done": True})


def _section(context: CommandContext) -> Section:
    words = {scope: _WORDS.of(context.player.language, "scopes", scope)[0] for scope in map(str, Scope)}
    return {"kind": "tokens", "at": context.now.isoformat(), "words": words}


VERBS: Verbs = {
    MakeToken: (_read_make, _make),
    Tokens: (_read_tokens, _list),
    StopToken: (_read_stop, _stop),
}
