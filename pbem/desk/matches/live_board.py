"""The board beside a form about moves, and what is said of a move or a turn while somebody chooses it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext

from pbem.desk.base.forms import refusal
from pbem.desk.matches.moves import desk_notation
from pbem.matches import plies
from pbem.matches.models import Match
from pbem.outbox.rendering.board import Board, board_at
from pbem.refusals import Code, Refused

SHOWN_BY = ("enter", "roll-back")  # the verbs whose forms have a board
LONGEST = 200  # characters of a move, as in its form


def beside(match: Match, verb: str, look: str) -> Mapping[str, Any]:
    """For the page of a form; `look` is where its script asks."""
    if verb not in SHOWN_BY:
        return {}
    board = board_at(match, match.ply, desk_notation())
    return {"board": board, "picture": data_uri(board.picture), "look": look}


def looked(request: HttpRequest, match: Match) -> JsonResponse:
    """What would be: `move` may be played or why not, or the board after `ply` half-moves. Nothing is written."""
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
    """Of an illegal move, the rule that it breaks."""
    if refused.code == Code.ILLEGAL_MOVE:
        return board.speech.remark("objections", refused.facts["objection"])
    return refusal(refused)


def data_uri(png: bytes | None) -> str:
    """A picture that needs no address of its own; "" for none."""
    return f"data:image/png;base64,{b64encode(png).decode()}" if png else ""
