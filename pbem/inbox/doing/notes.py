"""What a player writes down for themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.notes import Note, Notes
from pbem.inbox.doing.work import Doer
from pbem.inbox.letters.relaying import without_secrets
from pbem.matches.models import Seat
from pbem.matches.notes import clear_notes, write_note

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _note(doing: Doing, note: Note) -> None:
    seat = doing.seat(note.match)
    if note.clear:
        clear_notes(seat)
    else:
        write_note(seat, without_secrets(note.text), now=doing.now)
    _tell(doing, seat)


def _notes(doing: Doing, notes: Notes) -> None:
    _tell(doing, doing.seat(notes.match))


def _tell(doing: Doing, seat: Seat) -> None:
    doing.tell({"kind": "notes", "match": seat.match_id}, match=seat.match)


DO: Mapping[type[Command], Doer] = {
    Note: _note,
    Notes: _notes,
}
