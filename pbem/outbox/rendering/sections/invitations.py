"""Sections about a challenge to an address: to its reader, and to the challenger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.pages import brief
from games.protocol import Side
from games.registry import in_words
from pbem.matches.matchmaking.reliability import reliability_of
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.reply import never_again_url
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Player
from pbem.players.suggested_names import suggested_name


def _about(section: Mapping[str, Any], reader: Reader) -> Context:
    """What both are told. No word of who the reader of the address may be, except to themselves."""
    invitation = Invitation.objects.select_related("challenger").get(pk=section["invitation"])
    return {
        "invitation": invitation,
        "name": invitation.challenger.name,
        "address": invitation.address,
        "title": invitation.game.phrases(reader.language)["name"],
        "variant": in_words(invitation.game_name, reader.language),
        "terms": invitation.agreed,
    }


def _invited(section: Mapping[str, Any], reader: Reader) -> Context:
    about = _about(section, reader)
    invitation: Invitation = about["invitation"]
    said = invitation.message if section["kind"] == "invited" else ""
    return about | {"first": invitation.side == Side.FIRST, "message": said, "is_actor": True}


def _uninvited(section: Mapping[str, Any], reader: Reader) -> Context:
    """With the words of the reader there."""
    about = _about(section, reader)
    return about | {"message": section.get("message", ""), "actor": about["address"]}


def _after_all(section: Mapping[str, Any], reader: Reader) -> Context:
    about = _uninvited(section, reader)
    otherwise = section.get("otherwise", False)
    return about | {"game": section.get("game") or about["invitation"].game_name, "otherwise": otherwise}


def _reconsidered(section: Mapping[str, Any], reader: Reader) -> Context:
    return _about(section, reader) | {"heard": section.get("heard", False), "lost": section.get("lost", "")}


def _invites(section: Mapping[str, Any], reader: Reader) -> Context:
    about = _about(section, reader)
    invitation: Invitation = about["invitation"]
    match = _match(invitation, reader)
    board = _board(match, reader)
    return about | {
        "known": reliability_of(invitation.challenger, invitation.asked_at),
        "seat": match.seated[1 - invitation.side],
        "first_name": invitation.challenger.name,
        "brief": brief(invitation.game.rules_page(reader.language)),
        "game": invitation.game.key,
        "others": section.get("others", ()),
        "names": _names(section, invitation, reader),
        "unclear": section.get("unclear", False),
        "explains": section.get("explains", False),
        "waits": section.get("waits", False),
        "wishes": section.get("wishes", False),
        "never": never_again_url(invitation),
        "board": board,
        "opening": _opening(invitation, board),
        "near": section.get("near", ""),
        "said": section.get("said", ""),
        "actor": invitation.challenger.name,
        "message": invitation.message,
    }


def what_now(pk: int, reader: Reader) -> Context:
    """How the reader of the rules answers the invitation that they asked about."""
    invitation = Invitation.objects.select_related("challenger").get(pk=pk)
    board = _board(_match(invitation, reader), reader)
    return {
        "invitation": invitation,
        "name": invitation.challenger.name,
        "names": _names({}, invitation, reader),
        "opening": _opening(invitation, board),
    }


def _names(section: Mapping[str, Any], invitation: Invitation, reader: Reader) -> Sequence[str]:
    """Of the players with that address, or what a stranger says, else what they may be called."""
    others: Sequence[str] = section.get("others", ())
    called = "" if reader.player else section.get("called") or suggested_name(invitation.address)
    return others or list(filter(None, [called]))


def _opening(invitation: Invitation, board: Board) -> tuple[str, ...]:
    """A first move, where it is the guest's."""
    return board.examples(1) if invitation.side == Side.SECOND else ()


def _board(match: Match, reader: Reader) -> Board:
    start = match.current()
    return Board(
        match=match,
        ply=0,
        notation=reader.notation,
        before=None,
        last=None,
        after=start,
        recent=(),
        positions={0: start},
        look=reader.look,
    )


def _match(invitation: Invitation, reader: Reader) -> Match:
    """What the board shows: a match that is in no table. A stranger is called by the name of their mailbox."""
    game = invitation.game
    match = Match(game_name=invitation.game_name, rules_version=game.version, setup=invitation.setup)
    match.position = str(match.start_position())
    called = [*_names({}, invitation, reader), invitation.address.partition("@")[0]]
    friend = reader.player or Player(name=called[0])
    seats = [
        Seat(match=match, side=invitation.side, player=invitation.challenger),
        Seat(match=match, side=1 - invitation.side, player=friend),
    ]
    first, second = sorted(seats, key=lambda seat: seat.side)
    match.seated = (first, second)
    return match


BUILDERS: Mapping[str, Builder] = {
    "invites": _invites,
    "invited": _invited,
    "uninvited": _uninvited,
    "after_all": _after_all,
    "reconsidered": _reconsidered,
}
