"""Merges the events of a match and the letters about it into one list, newest first."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import get_language, get_language_info, gettext
from django.utils.translation import gettext_lazy as _

from games.move_numbers import numbered as with_number
from games.protocol import Notation
from pbem.admin.base import lists as values
from pbem.admin.base.lists import AmongNewest, number, when
from pbem.admin.base.pages import ReadOnlyAdmin, link, page_of
from pbem.admin.letters.verdicts import named
from pbem.inbox.models import OK, InboundMail
from pbem.matches import plies
from pbem.matches.models import Event, Match, Turn
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import in_words
from pbem.outbox.rendering.board import Board, board_at
from pbem.players.models import Player
from pbem.players.names import LANGUAGES
from pbem.refusals import Code, Refused, told

LETTERS = 50  # the newest in each direction
EVENTS = 300


@dataclass(frozen=True)
class Happening:
    """A line of the list. `sign` is an arrow for letters; `again` is the button of a shunted letter:
    (permission, address, label)."""

    when: datetime
    sign: str
    what: str
    who: str
    said: str = ""
    href: str = ""
    trouble: bool = False
    again: tuple[str, str, str] | None = None


def timeline(match: Match, turns: Sequence[Turn], moves: Mapping[int, str]) -> list[Happening]:
    """Returns the list, with three queries; `moves` are the turns in the desk's notation.

    At the same moment, the row written last comes first.
    """
    played = {turn.ply: moves[turn.pk] for turn in turns if turn.undone_by_id is None}
    # By key alone PostgreSQL scans the table from its newest row, to the end when a match has few.
    events = match.events.order_by("-happened_at", "-pk")[:EVENTS]
    arrived = InboundMail.objects.filter(match=match).order_by("-received_at", "-pk")
    left = OutboundMail.objects.filter(match=match).order_by("-created_at", "-pk")
    lines = [
        *_left(left.defer("sections", "text")[:LETTERS]),
        *_events(match, events, played),
        *_arrived(arrived.defer("raw")[:LETTERS]),
    ]
    return sorted(lines, key=lambda line: line.when, reverse=True)


def _events(match: Match, events: Iterable[Event], played: Mapping[int, str]) -> Iterator[Happening]:
    for event in events:
        event.match = match
        who = event.actor.player.name if event.actor else ""
        said = "; ".join(filter(None, [_move(event, played), *_words(event.facts)]))
        what = event.get_kind_display()
        if event.facts.get("entered"):
            what = gettext("entered by the organiser")
        yield Happening(event.happened_at, "•", what, who, said, page_of(event))


def _move(event: Event, played: Mapping[int, str]) -> str:
    """Returns the number and notation of a move that still stands; "" for other events."""
    ply = event.facts.get("first")
    if event.kind != Event.Kind.MOVED or ply not in played:
        return ""
    return with_number(ply, played[ply])


def _words(facts: Mapping[str, Any]) -> Iterator[str]:
    for name in ("text", "reason"):
        if said := facts.get(name):
            yield str(said)


def _arrived(letters: Iterable[InboundMail]) -> Iterator[Happening]:
    for letter in letters:
        again = None
        if letter.is_shunted:
            again = (
                "inbox.change_inboundmail",
                _press(letter, "open-again"),
                gettext("Open again"),
            )
        yield Happening(
            letter.received_at,
            "→",
            gettext("letter %(number)s") % {"number": letter.pk},
            letter.sender,
            named(letter.verdict) if letter.verdict else gettext("not opened yet"),
            page_of(letter),
            trouble=letter.verdict not in ("", OK),
            again=again,
        )


def _left(letters: Iterable[OutboundMail]) -> Iterator[Happening]:
    for letter in letters:
        again = None
        if letter.status in (OutboundMail.Status.FAILED, OutboundMail.Status.HELD):
            again = (
                "outbox.change_outboundmail",
                _press(letter, "send-again"),
                gettext("Send again"),
            )
        yield Happening(
            letter.created_at,
            "←",
            in_words(letter.kind),
            letter.address,
            " ".join(
                filter(
                    None, [str(letter.get_status_display()), named(letter.verdict) if letter.verdict else ""]
                )
            ),
            page_of(letter),
            trouble=again is not None,
            again=again,
        )


def _press(letter: InboundMail | OutboundMail, verb: str) -> str:
    return reverse(f"admin:{letter._meta.app_label}_{letter._meta.model_name}_press", args=[letter.pk, verb])


# Moves: their notation, the forms about them, and the board beside these


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
    return told(refused)


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
