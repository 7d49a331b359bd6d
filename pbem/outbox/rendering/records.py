"""The files that a record is mailed as: a score sheet, JSON, and the game as an animated picture."""

from __future__ import annotations

import logging
from functools import lru_cache

from games.export import to_json, to_text
from games.film import replay_gif
from games.protocol import Notation
from games.record import Record
from games.robots.annotations import annotated_json, annotated_text
from pbem.analysis.service import analysis_of
from pbem.matches.models import Match
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.theme import Look

log = logging.getLogger(__name__)
LONGEST_FILM = 200  # positions, which take about half a megabyte


def record_files(match: Match, record: Record, reader: Reader, *, asked: bool) -> list[Attachment]:
    """None where every byte counts, unless the reader `asked` for them; no picture for anyone who wants none."""
    if reader.short and not asked:
        return []
    name = f"{match.game.key}-{match.pk}"
    text, values = to_text(record, reader.notation), to_json(record)
    analysis = analysis_of(match) if len(record.moves) == match.ply else None
    if analysis:
        text = annotated_text(text, record, analysis, reader.notation)
        values = annotated_json(values, analysis)
    files = [Attachment(f"{name}.txt", "plain", text), Attachment(f"{name}.json", "json", values)]
    film = None if reader.text_only else _film(record, reader.notation, reader.look)
    return [*files, Attachment(f"{name}.gif", "gif", film)] if film else files


@lru_cache(maxsize=8)
def _film(record: Record, notation: Notation, look: Look) -> bytes | None:
    """One serves both letters of a result where the readers share a language. None if it cannot be drawn (S04)."""
    try:
        return replay_gif(record, notation, look.palette, most=LONGEST_FILM)
    except Exception:
        log.exception("S04: the film of a record cannot be drawn")
        return None
