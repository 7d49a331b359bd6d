"""What a letter says: read as the player would have written it who has sent it, or of several the one who can have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from django.conf import settings

from pbem.inbox import digest, unnumbered
from pbem.inbox.commands import Understood, understand
from pbem.inbox.commands.bars import Bar
from pbem.inbox.commands.ics import with_files
from pbem.inbox.commands.letters.grammar import goes_on
from pbem.inbox.commands.set_apart import with_wrapped
from pbem.inbox.commands.signed import hails, unsigned
from pbem.inbox.commands.small_names import small_names, with_capitals
from pbem.inbox.commands.tell_them import told_to_them
from pbem.inbox.correlation import asks
from pbem.inbox.recipient import (
    ConfirmRecipient,
    InvitationRecipient,
    LetterRecipient,
    MessageRecipient,
    PlayRecipient,
    Recipient,
    answered_by,
    board_of,
    ply_of,
    seat_of,
)
from pbem.inbox.shapes import MoveShapes, legal_moves
from pbem.mail.parsing.headers import Glance
from pbem.mail.parsing.letter import Letter
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.mail.parsing.trim_signature import talk
from pbem.matches.models import Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.players.models import Player


def content_of(
    letter: Letter,
    headers: Glance,
    recipient: Recipient | None,
    players: Sequence[Player],
    answered: OutboundMail | None,
) -> tuple[Player | None, Understood]:
    """What the letter says, and whose it is: of several, the only one who plays every match that it names."""
    if len(players) < 2:
        player = players[0] if players else None
        understood = _as_said_by(player, letter, headers, recipient, answered)
        if player is None or understood.commands:
            return player, understood
        subject = headers.subject if _is_new(recipient, headers) else ""
        lines = unsigned(letter.lines, _names(player, headers))
        about_none = isinstance(recipient, PlayRecipient | LetterRecipient) and seat_of(recipient) is None
        located = unnumbered.located(
            understood, lines, player, answered, subject=subject, sentences=about_none
        )
        return player, _without_secrets(located)
    readings = [(player, _as_said_by(player, letter, headers, recipient, answered)) for player in players]
    fitting = [(player, said) for player, said in readings if _plays_all(player, said)]
    return fitting[0] if len(fitting) == 1 else (None, readings[0][1])


def _as_said_by(
    player: Player | None,
    letter: Letter,
    headers: Glance,
    recipient: Recipient | None,
    correlated: OutboundMail | None,
) -> Understood:
    answered, seat, ply = answered_by(recipient), seat_of(recipient), ply_of(recipient)
    if isinstance(recipient, ConfirmRecipient) and (board := board_of(recipient.confirmation)):
        seat, ply = board.seat, board.ply
    names = _names(player, headers)
    lines = with_wrapped(unsigned(letter.lines, names), letter.wrapped)
    if player and answered and answered.kind == digest.DIGEST:
        return digest.understood(lines, answered, MoveShapes(player, None), player.language)
    if player and seat is None:
        lines = tuple(_with_names(lines))
    if answered and answered.kind == CLOCK_RUNS:
        lines = tuple(line.strip().rstrip("!").upper() if goes_on(line) else line for line in lines)
    understood = understand(
        lines,
        subject=headers.subject if _is_new(recipient, headers) else None,
        language=player.language if player else settings.LANGUAGE_CODE,
        is_move=MoveShapes(player, seat),
        match=seat.match_id if seat else None,
        answers=partial(asks, correlated, seat),
        legal=legal_moves(player, seat, ply),
        guess=Bar.USUAL if _wishes_for_us(player, recipient) else None,
    )
    begins = next((line.strip() for line in lines if line.strip()), "")
    # A greeting that neither begins the letter nor goes on is said below a command.
    opens = understood.chat.startswith(begins) or understood.chat.endswith(",")
    hailed = [*names, seat.opponent.player.name] if seat and opens else names
    if understood.commands and hails(understood.chat, hailed):
        understood = replace(understood, chat="")
    commands = with_files(understood.commands, letter.calendars)
    return _without_secrets(_told(replace(understood, commands=commands), seat))


def _wishes_for_us(player: Player | None, recipient: Recipient | None) -> bool:
    """Not a stranger's, who may be anybody's program, and not the answer to a question of ours or to words of another
    player."""
    if player is None:
        return isinstance(recipient, InvitationRecipient)
    return not isinstance(recipient, MessageRecipient | ConfirmRecipient)


def _told(understood: Understood, seat: Seat | None) -> Understood:
    """With the words that the opponent is to be told."""
    if seat is None:
        return understood
    names = (seat.opponent.player.name,)
    chat, beside = (told_to_them(said, names) for said in (understood.chat, understood.beside))
    return replace(understood, chat=chat, beside=beside)


def _with_names(lines: Sequence[str]) -> Sequence[str]:
    """With the names of players that are in small letters as they write them."""
    said = small_names(lines)
    named = Player.objects.filter(folded__in=said).values_list("folded", "name") if said else ()
    return with_capitals(lines, dict(named))


def _names(player: Player | None, headers: Glance) -> list[str]:
    return [name for name in (player.name if player else "", headers.sender_name) if name]


def _without_secrets(understood: Understood) -> Understood:
    return replace(understood, chat=_talk(understood.chat), beside=_talk(understood.beside))


def _talk(text: str) -> str:
    return without_secrets("\n".join(talk(text.split("\n"))))


def _is_new(recipient: Recipient | None, headers: Glance) -> bool:
    """Then the Subject may hold a command."""
    return isinstance(recipient, PlayRecipient) and not headers.is_reply


def _plays_all(player: Player, understood: Understood) -> bool:
    matches = (getattr(command, "match", None) for command in understood.commands)
    named = {match for match in matches if match is not None}
    return bool(named) and Match.objects.of(player).filter(pk__in=named).count() == len(named)
