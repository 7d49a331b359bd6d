"""What each section of a letter needs to be written: from its few stored facts to template context."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.protocol import Objection, Outcome
from games.registry import find, games, in_words
from pbem.matches.models import Event, Match, Turn
from pbem.outbox.writing.board import Board, board_at
from pbem.outbox.writing.page import rules_page
from pbem.outbox.writing.reader import Reader
from pbem.players.subscriptions import WORDS
from pbem.refusals import sentence

Context = dict[str, Any]

# A receipt for these is a sentence; the board would say nothing new.
BOARDLESS = {"challenged", "declined", "offered", "said"}


def context_of(section: Mapping[str, Any], reader: Reader) -> Context:
    """The context of the section's templates; always with `kind`, and `board` where it shows one."""
    build = _event if "event" in section else _BUILDERS.get(section["kind"], _as_it_is)
    return {"kind": section["kind"], "reader": reader, **build(section, reader)}


def match_context(match: Match, reader: Reader, ply: int | None = None) -> Context:
    """What every section about a match shows: the board after `ply` turns, by default now."""
    seat = reader.seat_in(match)
    ply = match.ply if ply is None else ply
    board = board_at(match, ply, reader.notation, reader.look)
    playing = match.status == Match.Status.PLAYING and ply == match.ply
    yours = seat is not None and playing and seat.is_to_move
    return {
        "match": match,
        "board": board,
        "ply": ply,
        "seat": seat,
        "title": board.speech.phrases["name"],
        "moved": board.last_sentence,
        "written": board.written_last,
        "opponent": seat.opponent.player.name if seat else "",
        "first_name": match.players[0],
        "variant": in_words(match.game_name, reader.language),
        "playing": playing,
        "yours": yours,
        "mover": match.moving.player.name if match.moving else "",
        "draw_offered": seat is not None and match.draw_offered_by == seat.opponent.side,
        "examples": board.examples() if yours else (),
        "only_move": yours and board.only_move,
    }


def _event(section: Mapping[str, Any], reader: Reader) -> Context:
    event = Event.objects.get(pk=section["event"])
    match = event.match = reader.match(event.match_id)
    context = match_context(match, reader, event.ply)
    board: Board = context["board"]
    turn = _turn_of(event, board)
    actor = event.actor
    outcome = match.outcome()
    return context | {
        "event": event,
        "actor": actor.player.name if actor else "",
        "is_actor": actor is not None and context["seat"] is not None and actor.pk == context["seat"].pk,
        "message": event.facts.get("text") or event.facts.get("reason") or (turn.message if turn else ""),
        "passed": board.last is not None and event.ply > board.last.ply + 1,
        "outcome": board.speech.outcome(outcome) if outcome else "",
        "result": _result(outcome, context),
        "record": match.record() if event.kind == Event.Kind.ENDED else None,
        "board": None if section["kind"] in BOARDLESS else board,
    }


def _result(outcome: Outcome | None, context: Context) -> str:
    """What the end is for the reader: `won`, `lost` or `drawn`; "" while there is none."""
    if outcome is None or context["seat"] is None:
        return ""
    if outcome.winner is None:
        return "drawn"
    return "won" if outcome.winner == context["seat"].side else "lost"


def _turn_of(event: Event, board: Board) -> Turn | None:
    """The turn that brought this event's letter, with the message that rode on it."""
    return next((turn for turn in board.recent if turn.ply == event.facts.get("first")), None)


def _refused(section: Mapping[str, Any], reader: Reader) -> Context:
    wrote = section.get("text") or section.get("name") or section.get("number") or ""
    context: Context = {
        "code": section["code"],
        "sentence": sentence(section["code"]),
        "wrote": wrote,
        "lines": section.get("lines", ()),
        "why": section.get("why", ""),
        "nearest": section.get("nearest", ()),
    }
    if pk := section.get("match"):
        context |= match_context(reader.match(pk), reader)
        board: Board = context["board"]
        context["readings"] = [board.write(move) for move in section.get("readings", ())]
        if facts := section.get("objection"):
            code, *filled = facts
            objection = Objection(code, *map(tuple, filled))
            context["objection"] = board.speech.remark("objections", objection)
    return context


def _board(section: Mapping[str, Any], reader: Reader) -> Context:
    return match_context(reader.match(section["match"]), reader, section.get("ply"))


def _games(section: Mapping[str, Any], reader: Reader) -> Context:
    mine = Match.objects.alive().of(reader.player).order_by("pk") if reader.player else ()
    return {"matches": [_line(match, reader) for match in mine], "games": _known_games(reader)}


def _line(match: Match, reader: Reader) -> Context:
    seat = reader.seat_in(match)
    return {
        "match": match,
        "title": match.game.phrases(reader.language)["name"],
        "opponent": seat.opponent.player.name if seat else "",
        "variant": in_words(match.game_name, reader.language),
        "yours": seat is not None and seat.is_to_move,
        "open": match.status == Match.Status.PROPOSED,
        "own_challenge": match.proposer_id == getattr(reader.player, "pk", None),
    }


def _welcome(section: Mapping[str, Any], reader: Reader) -> Context:
    return {"games": _known_games(reader)}


def _help(section: Mapping[str, Any], reader: Reader) -> Context:
    if topic := section.get("topic"):
        game = find(topic)[0]
        return {
            "page": rules_page(game, reader.notation),
            "title": game.phrases(reader.language)["name"],
        }
    return {"commands": section["commands"], "games": _known_games(reader)}


def _letters(section: Mapping[str, Any], reader: Reader) -> Context:
    """The sorts of letters, whether the reader gets them, and the command that changes it."""
    words = section["words"]
    sorts = []
    for sort, said in WORDS.items():
        comes = reader.player is not None and reader.player.wants(sort)
        command = f"{words['stop' if comes else 'start']} {words[sort]}"
        sorts.append(
            {"name": said.name, "what": said.brings if comes else said.without}
            | {"comes": comes, "command": command}
        )
    return {"sorts": sorts, "all": f"{words['stop']} {words['all']}"}


def _known_games(reader: Reader) -> list[Context]:
    spoken = {key: game.phrases(reader.language) for key, game in games().items()}
    return [{"name": key, "title": said["name"], "summary": said["summary"]} for key, said in spoken.items()]


def _addresses(section: Mapping[str, Any], reader: Reader) -> Context:
    mine = reader.player.addresses.verified() if reader.player else ()
    return {**section, "mine": [address.email for address in mine]}


def _as_it_is(section: Mapping[str, Any], reader: Reader) -> Context:
    return dict(section)


_BUILDERS: dict[str, Callable[[Mapping[str, Any], Reader], Context]] = {
    "addresses": _addresses,
    "board": _board,
    "renewed": _board,
    "refused": _refused,
    "games": _games,
    "help": _help,
    "letters": _letters,
    "welcome": _welcome,
}
