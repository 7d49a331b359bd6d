"""A guest who would play, but otherwise: at another game, by another clock, with the other side.

No match begins on terms that its host has not proposed, so the host reads it, with the line that invites them anew so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from games.protocol import Side
from pbem.inbox import commands
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.leading_answers import holds_back
from pbem.inbox.commands.matchmaking.guest_answers import (
    speaks_of_terms,
)
from pbem.inbox.commands.said_terms import said_terms
from pbem.inbox.sketched_wish import game_in
from pbem.matches.matchmaking.invitations import WISHED
from pbem.matches.matchmaking.match_request import Wish, read_wish
from pbem.matches.models import Invitation
from pbem.outbox.notifications.notify import Section, told, write_to_player
from pbem.refusals import Refused
from pbem.wording import wording

_WORDS = wording(commands.__package__)
_OTHER = {"first": "second", "second": "first", "black": "white", "white": "black"}


def wished(invitation: Invitation, lines: Sequence[str]) -> str:
    """The game and the options with which the host would propose it; "" where nothing else is read than they have."""
    language = invitation.challenger.language
    sides = _WORDS.of(language, "side_options")
    hosts = {sides[side]: sides[other] for side, other in _OTHER.items()}
    said = dict.fromkeys(term for line in lines for term in said_terms(line, language))
    options = [hosts.get(term, term) for term in said]
    if invitation.side == Side.FIRST and not hosts.keys() & said:
        options.append(sides["first"])
    game = _game(invitation, lines)
    wish = _read(game, options)
    return "" if wish is None or _is_as_proposed(wish, invitation) else " ".join((game, *options))


def may_be_said(lines: Iterable[str]) -> bool:
    """Whether something beside a yes may be a condition, or asks for one."""
    return any("?" in line or holds_back(line) or speaks_of_terms(line) for line in lines)


def takes_back_yes(invitation: Invitation, lines: Sequence[str]) -> bool:
    """Whether another game or clock stands, with a `but`, beside a yes that has a line of its own; who begins is a
    courtesy that goes with many a yes."""
    held = [line for line in lines if holds_back(line)]
    language = invitation.challenger.language
    sides = frozenset(_WORDS.of(language, "side_options").values())
    timed = any(term not in sides for line in held for term in said_terms(line, language))
    differs = timed or _game(invitation, held) != invitation.game_name
    return differs and bool(wished(invitation, held))


def tell_host(invitation: Invitation, words: str, game: str, now: datetime) -> bool:
    """Once for each invitation; their answer to it brings the words all the same."""
    cause = f"invitation:{invitation.pk}:terms"
    if told(cause, invitation.challenger.email):
        return False
    section: Section = {"kind": "after_all", "invitation": invitation.pk, "message": words}
    section |= {"otherwise": True, "game": game}
    write_to_player(invitation.challenger, cause=cause, section=section, now=now)
    invitation.opening = {**invitation.opening, WISHED: True}
    invitation.save(update_fields=["opening"])
    return True


def _game(invitation: Invitation, lines: Sequence[str]) -> str:
    key = game_in(
        line for line in lines if newcomers.speaks_of_play(line) or not newcomers.is_everyday(game_in([line]))
    )
    return key if key not in ("", invitation.game.key) else invitation.game_name


def _read(game: str, options: Sequence[str]) -> Wish | None:
    try:
        return read_wish(game, options)
    except Refused:
        return None


def _is_as_proposed(wish: Wish, invitation: Invitation) -> bool:
    side = Side.SECOND if wish.side is None else wish.side
    clock = wish.terms.clock == invitation.agreed.clock
    return clock and (wish.game, side) == (invitation.game_name, invitation.side)
