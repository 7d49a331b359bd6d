"""Builds sections about analyses, hints and puzzles."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.kit.image import render_png
from games.kit.layout import Caption
from games.kit.scene import Scene
from games.kit.text import board as text_board
from games.kit.words import Speech, capital, speech
from games.protocol import Position
from games.registry import AnyGame, find, in_words
from pbem.analysis.models import AnalysisJob, Attempt
from pbem.analysis.puzzles import position_of
from pbem.analysis.service import MOST, found_in, hints_left
from pbem.outbox.rendering.insights import Insights, hint_of
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.rules_page import Part
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.outbox.rendering.sections.match import match_context


def _analysis(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    about: Context = {
        "match": match,
        "title": match.game.phrases(reader.language)["name"],
        "players": match.players,
        "board": None,
    }
    seat = reader.seat_in(match)
    about["opponent"] = seat.opponent.player.name if seat else ""
    study = AnalysisJob.objects.filter(pk=section["study"], ply=match.ply, position=match.position).first()
    analysis = found_in(study) if study else None
    if analysis is None:
        return about
    insights = Insights(match, analysis, reader)
    outcome = match.outcome()
    return about | {
        "insights": insights,
        "judged": insights.judged,
        "point": insights.point,
        "drawn": outcome is not None and outcome.winner is None,
        "page": insights.page,
    }


def _hint(section: Mapping[str, Any], reader: Reader) -> Context:
    """Shows the board with the hint. `hint` is None when there is none."""
    match = reader.match(section["match"])
    study = AnalysisJob.objects.filter(pk=section["study"]).first()
    context = match_context(match, reader, study.ply if study else None)
    move = study.found.get("move") if study and study.position == str(context["board"].after) else None
    context["examples"] = ()
    if not move:
        return context | {"hint": None}
    hint = hint_of(context["board"], str(move), section["stage"])
    board = replace(context["board"], hinted=hint.cells)
    return context | {"board": board, "hint": hint, "left": hints_left(match, reader.player), "most": MOST}


def _waits(section: Mapping[str, Any], reader: Reader) -> Context:
    match = reader.match(section["match"])
    title = match.game.phrases(reader.language)["name"]
    asked = {key: section.get(key, False) for key in ("hint", "late")}
    return asked | {"match": match, "title": title, "board": None}


# Puzzles

log = logging.getLogger(__name__)


def _puzzle(section: Mapping[str, Any], reader: Reader) -> Context:
    """Shows a puzzle at the letter's `step`; the solver may be further by now.

    `said`, `move`, `reply` and `solution` are those of `pbem.analysis.puzzles.solve`.
    """
    attempt = Attempt.objects.select_related("puzzle", "player").get(pk=section["attempt"])
    attempt.step = section["step"]
    puzzle = attempt.puzzle
    game, rules = find(puzzle.game_name)
    words = speech(game, rules, reader.notation)
    position, written = position_of(attempt), dict[str, str]()
    asked = section.get("asked", attempt.step)  # the step that was answered
    attempt.step = asked
    before = position_of(attempt)
    for name in ("move", "solution"):
        if text := section.get(name):
            written[name] = game.write(before, game.move(text), reader.notation)
    if text := section.get("reply"):
        after = before.play(game.move(section["move"]))
        written["reply"] = game.write(after, game.move(text), reader.notation)
    said = section.get("said", "")
    shown = position if said in ("", "right") else None
    side = capital(words.side(position.to_move))
    turns = len(puzzle.accepted) - section["step"]
    step = puzzle.accepted[section["step"]][:1] if shown is not None else []
    ends = any(position.play(game.move(text)).outcome() is not None for text in step)
    return {
        **{"title": words.phrases["name"], "variant": in_words(puzzle.game_name, reader.language)},
        **{"said": said, "side": side, "turns": turns, "number": puzzle.pk, "ends": ends},
        "streak": section.get("streak", 0),
        **written,
        "page": [_part(game, shown, words, reader, puzzle.pk)] if shown is not None else [],
        "example": _example(game, position, puzzle.accepted[attempt.step :], reader) if shown else "",
        "board": None,
    }


def _example(game: AnyGame, position: Position, accepted: list[list[str]], reader: Reader) -> str:
    """Returns an example of a move that solves nothing here."""
    solving = {text for each in accepted for text in each}
    other = next((move for move in position.moves() if str(move) not in solving), None)
    return game.write(position, other, reader.notation) if other is not None else ""


def _part(game: AnyGame, position: Position, words: Speech, reader: Reader, number: int) -> Part:
    scene: Scene = game.scene(None, None, position)
    picture = b""
    if not reader.text_only:
        try:
            picture = render_png(scene, words, Caption(""), reader.look.palette, reader.look.pixels)
        except Exception:
            log.exception("S04: puzzle %s cannot be drawn", number)
    said = " ".join(words.position(scene))
    return Part(
        text=text_board(scene, words),
        words=said,
        picture=picture,
        name=f"puzzle-{number}",
        width=reader.look.width,
    )


BUILDERS: Mapping[str, Builder] = {
    "analysis": _analysis,
    "analysed": _waits,
    "hint": _hint,
    "puzzle": _puzzle,
}
