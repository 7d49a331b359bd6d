"""What the page of a board shows, to a browser that is known and to any other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.kit.drawing import CSS
from games.kit.layout import WIDTH, Caption
from games.kit.svg import svg
from games.kit.words import capital
from games.protocol import AmbiguousMove, GameOver, IllegalMove, Side, UnreadableMove
from pbem.matches.models import Match
from pbem.matches.offers import DRAW, asked_in, asks, may_swap
from pbem.outbox.rendering.board import Board, board_at
from pbem.outbox.rendering.recipient import Look, Reader
from pbem.outbox.rendering.sections.conditional import conditionals_section
from pbem.outbox.rendering.sections.match import away_until, clock_of
from pbem.outbox.signed_addresses import board_url, play_address
from pbem.refusals import Code, Refused, sentence
from pbem.site.board import line
from pbem.site.board.deeds import word_needed
from pbem.site.board.link import Link
from pbem.site.models import Browser

Unplayable = UnreadableMove | AmbiguousMove | IllegalMove | GameOver
DONE = {
    "play": gettext_lazy("Your move is played."),
    "plan": gettext_lazy("Your plan is kept."),
    "clear": gettext_lazy("The plan is removed."),
    "draw": gettext_lazy("Your draw offer is on its way."),
    "accept": gettext_lazy("You have agreed."),
    "decline": gettext_lazy("Declined."),
    "resign": gettext_lazy("You have resigned."),
    "undo": gettext_lazy("Your move is taken back, or your opponent has been asked."),
    "swap": gettext_lazy("The sides are swapped."),
    "say": gettext_lazy("Your message is on its way."),
}


def is_usable(link: Link, browser: Browser | None) -> bool:
    """Tells whether the page has fields: its board is the current one, and the browser is no other player's."""
    return link.open and (browser is None or link.belongs_to(browser))


def chosen(link: Link, row: str, *, turned: bool = False) -> line.Line:
    """Returns the line of a row of clicks. Raises ValueError when one leads nowhere."""
    return line.follow(_board(link, turned=turned), row.split(".") if row else ())


def context(
    link: Link, browser: Browser | None, now: datetime, *, row: str, asked: Mapping[str, str]
) -> dict[str, Any]:
    """Returns the context of the template. Raises ValueError for a row that leads nowhere."""
    match, known = link.seat.match, link.belongs_to(browser)
    turned, usable = "turn" in asked, is_usable(link, browser)
    about = {
        "link": link,
        "match": match,
        "title": match.game.phrases(link.seat.player.language)["name"],
        "foreign": browser is not None and not known,
        "known": known,
        "usable": usable,
    }
    if usable:
        own = chosen(link, row, turned=turned)
        about |= _usable(link, own, now, turned=turned) | (_of_player(link, now, asked) if known else {})
    elif link.shows:
        board = _board(link, turned=turned)
        about |= {"svg": svg(board.scene, board.speech, Caption(""), CSS, WIDTH)}
    if known:
        about |= _after(link, asked)
    return about


def explained(
    link: Link,
    *,
    refused: Refused | None = None,
    unplayed: tuple[str, Unplayable] | None = None,
    capped: bool = False,
) -> dict[str, Any]:
    """Returns why something was not done, for the template."""
    if unplayed:
        text, why = unplayed
        return {"unplayed": text, "why": _objection(link, why), "ambiguous": _readings(link, why)}
    if refused:
        facts = {key: str(refused.facts[key]) for key in ("name", "limit") if key in refused.facts}
        said = sentence(refused.code, play_address=play_address(), **facts)
        if objection := refused.facts.get("objection"):
            said = f"{said} {_board(link).speech.remark('objections', objection)}"
        return {"refused": said}
    return {"capped": capped}


def _usable(link: Link, own: line.Line, now: datetime, *, turned: bool) -> dict[str, Any]:
    """Returns the board with its links, and what can be posted."""
    seat, match, board = link.seat, link.seat.match, own.board
    yours = seat.is_to_move
    scene, more = own.scene(turned=board.look.turned), {"turn": "1"} if turned else {}
    cells = {cell.name for cell in scene.cells}

    def page(row: line.Row, **also: str) -> str:
        asked = ({"s": ".".join(row)} if row else {}) | more | also
        return f"?{urlencode(asked)}" if asked else link.path

    links = {click: page((*own.row, click)) for click in own.choice.following}
    side = match.game.sides[seat.side]
    return {
        "svg": svg(
            scene,
            board.speech,
            Caption(""),
            CSS,
            WIDTH,
            links={click: to for click, to in links.items() if click in cells},
        ),
        "words": [
            (capital(board.speech.word(click)), to) for click, to in links.items() if click not in cells
        ],
        "line": own,
        "row": ".".join(own.row),
        "plan": own.plan(yours=yours),
        "back": page(own.row[:-1]),
        "start": page(()),
        "turned": turned,
        "turn": f"?{urlencode({'s': '.'.join(own.row)} | ({} if turned else {'turn': '1'}))}"
        if match.game.facing
        else "",
        "board": board,
        "alt": board.speech.position(scene),
        # for the sentence of letters about the turn
        "reader": Reader("", seat.player.language, seat.player, now, match),
        "seat": seat,
        "playing": True,
        "yours": yours,
        "mover": match.moving.player.name if match.moving else "",
        "opponent": seat.opponent.player.name,
        "robot": seat.opponent.player.robot is not None,
        "colour": "" if side in ("first", "second") else board.speech.phrases["sides"][side],
        "clock": clock_of(match, seat),
        "away_until": away_until(seat.opponent.player, now),
    }


def _of_player(link: Link, now: datetime, asked: Mapping[str, str]) -> dict[str, Any]:
    """Returns what stands between the players, and the question that a deed asks first."""
    seat, question = link.seat, asked_in(link.seat)
    draw = question is not None and question.what == DRAW
    deed = asked["ask"] if asked.get("ask") in ("resign", "draw", *(["accept"] if draw else [])) else ""
    reader = Reader("", seat.player.language, seat.player, now, seat.match)
    offered = (
        {"offer": str(question.offer.kind), **question.offer.facts} if question and question.offer else {}
    )
    branches = conditionals_section({"kind": "conditionals", "match": seat.match_id}, reader)["branches"]
    return {
        "question": question.what if question else "",
        "event": {"facts": offered},
        "taken_back": " ".join(map(str, _board(link).since(offered["ply"]))) if "ply" in offered else "",
        "asks": asks(seat),
        "branches": branches if seat.conditionals else (),
        "deed": deed,
        "agreed": word_needed(deed, seat) if deed else "",
        "may_swap": seat.is_to_move and may_swap(seat.match),
    }


def _after(link: Link, asked: Mapping[str, str]) -> dict[str, Any]:
    """Returns what the player may know of the match after the board of the link."""
    match, outcome = link.seat.match, link.seat.match.outcome()
    on = match.status == Match.Status.PLAYING and not link.open
    said = _board(link).speech.outcome(outcome) if outcome and link.shows else ""
    return {
        "done": DONE.get(asked.get("done", ""), ""),
        "outcome": said,
        "newest": urlsplit(board_url(link.seat, match.ply)).path if on else "",
    }


def _board(link: Link, *, turned: bool = False) -> Board:
    seat, match = link.seat, link.seat.match
    own = match.game.facing and seat.player.own_side and seat.side == Side.SECOND
    return board_at(match, min(link.ply, match.ply), seat.player.notation, Look(turned=bool(own) != turned))


def _objection(link: Link, why: Unplayable) -> str:
    if isinstance(why, IllegalMove):
        return _board(link).speech.remark("objections", why.objection)
    if isinstance(why, AmbiguousMove):
        return sentence(Code.AMBIGUOUS_MOVE)
    return _("This move cannot be read here.")


def _readings(link: Link, why: Unplayable) -> list[str]:
    if not isinstance(why, AmbiguousMove):
        return []
    return list(map(_board(link).write, why.readings))
