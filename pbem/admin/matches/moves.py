"""Moves at the desk, in the notation of the page's language; boards of forms; and the events of matches."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, JsonResponse
from django.utils.translation import get_language, get_language_info, gettext
from django.utils.translation import gettext_lazy as _

from games.protocol import Notation
from pbem.admin.base import values
from pbem.admin.base.forms import refusal
from pbem.admin.base.lists import AmongNewest, when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.base.search import number
from pbem.inbox.models import InboundMail
from pbem.matches import plies
from pbem.matches.models import Event, Match, Turn
from pbem.outbox.rendering.board import Board, board_at
from pbem.players.models import Player
from pbem.players.names import LANGUAGES
from pbem.refusals import Code, Refused


def desk_notation() -> Notation:
    return Notation(get_language() or settings.LANGUAGE_CODE)


def language_name(code: str) -> str:
    """Returns the name of a language in the language of the page."""
    info = get_language_info(code)
    return str(gettext(info["name"]))


def written(match: Match, turns: Iterable[Turn]) -> Mapping[int, str]:
    """Returns each turn's move in the desk's notation, by the key of the turn, taken-back turns included.

    `turns` are all those of the match, by ply and number.
    """
    notation, said = desk_notation(), {}
    stood: dict[int, list[Turn]] = {}
    for turn in turns:
        earlier = [before for before in stood.get(turn.ply - 1, ()) if before.pk < turn.pk]
        position = match.at(earlier[-1].position) if earlier else match.start_position()
        said[turn.pk] = match.game.write(position, match.game.move(turn.move), notation)
        stood.setdefault(turn.ply, []).append(turn)
    return said


def notations() -> list[tuple[str, str]]:
    """Returns the choices for score sheets without a notation tag: (tag, label)."""
    return [
        (f"{code} {coordinates}", f"{language_name(code)}, {label}")
        for code in LANGUAGES
        for coordinates, label in Player.Coordinates.choices
    ]


def notation_of(tag: str) -> Notation | None:
    """Returns the notation of a tag. None when none was chosen."""
    return Notation(*tag.split(maxsplit=1)) if tag else None


# The board beside a form about moves, which follows the choice

SHOWN_BY = ("enter", "roll-back")  # the verbs with a board
LONGEST = 200  # characters of a move, as in the form


def beside(match: Match, verb: str, look: str) -> Mapping[str, Any]:
    """Returns the context of a form with a board; `look` is the address that its script asks."""
    if verb not in SHOWN_BY:
        return {}
    board = board_at(match, match.ply, desk_notation())
    return {"board": board, "picture": data_uri(board.picture), "look": look}


def looked(request: HttpRequest, match: Match) -> JsonResponse:
    """Says whether or why not `move` may be played, or shows the board after `ply`. Writes nothing."""
    move, ply = request.GET.get("move", "").strip()[:LONGEST], request.GET.get("ply", "")
    if move:
        return JsonResponse(_of_move(match, move))
    at = min(int(ply), match.ply) if ply.isdecimal() and len(ply) < 9 else match.ply
    board = board_at(match, at, desk_notation())
    return JsonResponse({"picture": data_uri(board.picture), "alt": board.alt, "said": board.last_sentence})


def _of_move(match: Match, text: str) -> dict[str, Any]:
    notation = desk_notation()
    board = board_at(match, match.ply, notation)
    try:
        plies.check_playing(match)
        assert match.moving is not None
        move = plies.read(match.moving, match.current(), text, notation)
    except Refused as why:
        return {"wrong": True, "said": _why(board, why)}
    written = match.game.write(match.current(), move, notation)
    return {"wrong": False, "said": gettext("%(move)s can be played.") % {"move": written}}


def _why(board: Board, refused: Refused) -> str:
    """Returns the reason of a refusal; for an illegal move, the rule that it breaks."""
    if refused.code == Code.ILLEGAL_MOVE:
        return board.speech.remark("objections", refused.facts["objection"])
    return refusal(refused)


def data_uri(image: bytes | None, subtype: str = "png") -> str:
    """Returns a picture as a data: URI; "" for None."""
    return f"data:image/{subtype};base64,{b64encode(image).decode()}" if image else ""


# Events of matches


class EventAdmin(ReadOnlyAdmin):
    list_display = ("happened", "kind", "of_match", "ply", "letter")
    list_display_links = ("happened", "kind")
    list_filter = (("kind", AmongNewest), "happened_at")
    search_fields = ("match",)
    search_help_text = _("Number of a match")
    sortable_by = ("happened",)
    fields = ("happened_at", "kind", "of_match", "who", "ply", "of_letter", "told")

    def found(self, word: str) -> Q:
        return Q(match=number(word))

    @admin.display(description=_("when"), ordering="pk")
    def happened(self, event: Event) -> str:
        return when(event.happened_at)

    @admin.display(description=_("match"))
    def of_match(self, event: Event) -> str:
        return numbered(event.match_id)

    @admin.display(description=_("who"))
    def who(self, event: Event) -> str:
        return actor_of(event)

    @admin.display(description=_("what else is known"))
    def told(self, event: Event) -> str:
        return values.in_words(event.facts)

    @admin.display(description=_("letter"))
    def of_letter(self, event: Event) -> str:
        return link(InboundMail(pk=event.letter), event.letter) if event.letter else "-"


def numbered(pk: int | None) -> str:
    """Returns a link to a match without reading it."""
    return link(None if pk is None else Match(pk=pk), f"[{pk}]")


def actor_of(event: Event) -> str:
    return event.actor.player.name if event.actor else "-"
