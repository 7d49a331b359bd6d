"""A record to look at: its replay as an animated GIF, or a few of its positions in one PNG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.kit import film
from games.kit.layout import WIDTH, Caption, Still
from games.kit.themes import DEFAULT, Theme
from games.kit.words import Speech, capital, speech
from games.protocol import CANONICAL, Notation, Outcome
from games.record import Record

MOST = 6  # boards of a strip, if nobody says which


def replay_gif(
    record: Record, notation: Notation = CANONICAL, theme: Theme = DEFAULT, width: int = film.FILM
) -> bytes:
    """The game from its start, preceded by the position where it stands; ValueError as in `Record.replay`."""
    words, stills = watched(record, notation)
    return film.film(stills, words, theme, width)


def film_strip(
    record: Record,
    notation: Notation = CANONICAL,
    theme: Theme = DEFAULT,
    width: int = WIDTH,
    plies: Sequence[int] | None = None,
) -> bytes:
    """The positions after so many `plies` each, or the last ones; ValueError as in `Record.replay`,
    IndexError for a ply that was not played."""
    words, stills = watched(record, notation)
    chosen = stills[-MOST:] if plies is None else [stills[ply] for ply in plies]
    title = f"{words.phrases['name']} · {_players(words)}"
    return film.strip(title, chosen, words, theme, width)


def watched(record: Record, notation: Notation = CANONICAL) -> tuple[Speech, tuple[Still, ...]]:
    """How to speak of the game, and each of its positions with the move that led there; ValueError as
    in `Record.replay`."""
    start = record.course()
    words = speech(
        start.game, start.position.rules, notation, record.players if any(record.players) else None
    )
    return words, tuple(_stills(record, words, notation))


def _stills(record: Record, words: Speech, notation: Notation) -> Iterator[Still]:
    """The start, then what each move led to; how the game ended is said of the last."""
    course = record.course()
    game, title, subtitle = course.game, words.phrases["name"], _players(words)
    scene = game.scene(None, None, course.position)
    yield Still(scene, Caption(title, subtitle, capital(words.turn(scene))))
    for ply, text in enumerate(record.moves, 1):
        before, mover, move = course.position, course.position.to_move, game.move(text)
        after = course.play(move)
        scene = game.scene(before, move, after)
        last = f"{ply}. {words.side(mover)}: {game.write(before, move, notation)}"
        if ply == len(record.moves) and (said := _end(course.outcome() or record.result, words)):
            scene, last = replace(scene, to_move=None), f"{last} · {said}"
        yield Still(scene, Caption(title, subtitle, last))


def _end(outcome: Outcome | None, words: Speech) -> str:
    return words.outcome(outcome) if outcome else ""


def _players(words: Speech) -> str:
    return " – ".join(words.players)
