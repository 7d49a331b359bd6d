"""Handlers for notes."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.notes.grammar import Note, Notes
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.matches.models import Seat
from pbem.matches.notes import clear_notes, write_note


def _note(context: CommandContext, note: Note) -> None:
    seat = context.seat(note.match)
    if note.clear:
        clear_notes(seat)
    else:
        write_note(seat, without_secrets(note.text), now=context.now)
    _reply(context, seat)


def _notes(context: CommandContext, notes: Notes) -> None:
    _reply(context, context.seat(notes.match))


def _reply(context: CommandContext, seat: Seat) -> None:
    context.reply({"kind": "notes", "match": seat.match_id}, match=seat.match)


HANDLERS: Mapping[type[Command], Handler] = {
    Note: _note,
    Notes: _notes,
}
