"""Renders a record as an animated GIF, or several of its positions as one PNG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.export import Step
from games.kit import image
from games.kit.drawing import DEFAULT, Theme
from games.kit.layout import Caption, Still
from games.kit.words import Speech, capital, speech
from games.move_numbers import numbered
from games.protocol import CANONICAL, Notation, Outcome
from games.record import Record
from games.registry import AnyGame

MOST = 6  # boards of a strip, unless the caller chooses the plies


def replay_gif(
    record: Record,
    notation: Notation = CANONICAL,
    theme: Theme = DEFAULT,
    width: int = image.FILM,
    most: int | None = None,
) -> bytes:
    """Renders the game as a GIF: all of it, or its last `most` positions.

    Raises ValueError as `Record.replay` does.
    """
    words, stills = watched(record, notation)
    return image.film(stills[-most:] if most else stills, words, theme, width)


def film_strip(
    record: Record,
    notation: Notation = CANONICAL,
    theme: Theme = DEFAULT,
    width: int = image.STRIP,
    plies: Sequence[int] | None = None,
) -> bytes:
    """Renders the positions after each of `plies`, or the last ones, as one PNG.

    Raises ValueError as `Record.replay` does, IndexError for a ply that was not played.
    """
    words, stills = watched(record, notation)
    chosen = stills[-MOST:] if plies is None else [stills[ply] for ply in plies]
    title = f"{words.phrases['name']} · {_players(words)}"
    return image.strip(title, chosen, words, theme, width)


def watched(record: Record, notation: Notation = CANONICAL) -> tuple[Speech, tuple[Still, ...]]:
    """Returns the speech for the game, and each position with its caption and the move that led to it.

    Raises ValueError as `Record.replay` does.
    """
    start = record.course()
    words = speech(
        start.game, start.position.rules, notation, record.players if any(record.players) else None
    )
    return words, tuple(_stills(record, words, notation))


def line_stills(
    game: AnyGame, steps: Sequence[Step], words: Speech, notation: Notation, outcome: Outcome | None = None
) -> tuple[Still, ...]:
    """Returns the position after each step; the caption of the last one adds the outcome, if any."""
    stills = [_still(game, step, words, notation) for step in steps]
    return (*stills[:-1], *(_last(still, words, outcome) for still in stills[-1:]))


def _stills(record: Record, words: Speech, notation: Notation) -> Iterator[Still]:
    """Yields the start, then the position after each move; the last caption adds the outcome."""
    course = record.course()
    title, subtitle = words.phrases["name"], _players(words)
    scene = course.game.scene(None, None, course.position)
    yield Still(scene, Caption(title, subtitle, capital(words.turn(scene))))
    for ply, text in enumerate(record.moves):
        before, move = course.position, course.game.move(text)
        still = _still(course.game, Step(ply, before, move, course.play(move)), words, notation)
        over = ply + 1 == len(record.moves)
        yield _last(still, words, course.outcome() or record.result) if over else still


def _still(game: AnyGame, step: Step, words: Speech, notation: Notation) -> Still:
    written = game.write(step.before, step.move, notation)
    last = numbered(step.ply, f"{words.side(step.before.to_move)}: {written}")
    scene = game.scene(step.before, step.move, step.after)
    return Still(scene, Caption(words.phrases["name"], _players(words), last))


def _last(still: Still, words: Speech, outcome: Outcome | None) -> Still:
    """Adds the outcome to the caption."""
    if outcome is None:
        return still
    caption = replace(still.caption, last=f"{still.caption.last} · {words.outcome(outcome)}")
    return Still(replace(still.scene, to_move=None), caption)


def _players(words: Speech) -> str:
    return " – ".join(words.players)
