"""Private notes of a player."""

from __future__ import annotations

from pbem.inbox.commands.line import CommandLine, match_of, plain, text_of
from pbem.inbox.commands.match_commands import Note, Notes
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.matches.models import Seat
from pbem.matches.notes import clear_notes, write_note
from pbem.wording import fold, wording

_CLEAR = wording(__name__).words("clear")


def _read_note(line: CommandLine) -> Note | Notes | None:
    """Reads a note; NOTE alone asks for the notes, as the Italian plural does."""
    # "Note: I am away" is said to the opponent: a note has capitals, or names its match.
    if listed := _read_notes(line):
        return listed
    match, text = match_of(line, marked=line.own is not None)
    if fold(plain(text)) in _CLEAR:
        return Note("", match, clear=True)
    match, text = text_of(line)
    return Note(text, match) if line.capitals or match is not None else None


def _read_notes(line: CommandLine) -> Notes | None:
    match, rest = match_of(line)
    return None if plain(rest) else Notes(match)


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


VERBS: Verbs = {
    Note: (_read_note, _note),
    Notes: (_read_notes, _notes),
}
