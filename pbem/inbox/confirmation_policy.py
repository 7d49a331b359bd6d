"""Which commands, and which words beside them, wait for a YES, after what was decided about their sender."""

from __future__ import annotations

from pbem.inbox.commands import Command
from pbem.inbox.commands.account.grammar import AddAddress, Register, SetAddress
from pbem.inbox.commands.impossible_addresses import is_impossible_address
from pbem.inbox.commands.letters.grammar import Start
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.offers.grammar import Join, Offer
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.digest_boards import NEVER
from pbem.inbox.interpretation import Reading
from pbem.inbox.recipient import answered_by, seat_of
from pbem.mail.authentication.policy import Decision
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.players.models import Player
from pbem.refusals import Code

# Here only what changes nothing is done at once.
_CAREFUL = {Decision.MEETING, Decision.CONFIRM, Decision.STALE_CONFIRM, Decision.READING, Decision.HOLD}
_MEETS = (Challenge, Offer, Join)
# What letters look like, of which the answer to TEST may say more.
_LOOKS = {"text_only", "theme", "picture_size", "own_side"}


def waits(command: Command, reading: Reading) -> bool:
    """Whether the command needs a YES first. REGISTER changes nothing for anyone who is registered."""
    decision = reading.decision
    if decision is Decision.HOLD:
        return True
    if names_impossible_address(command):
        return False
    if decision is Decision.MEETING and _is_enough_for(command, reading):
        return False
    if decision is Decision.STALE_CONFIRM and _is_too_late(command, reading):
        return False
    changes = not command.reading and not isinstance(command, Register)
    private = command.private and not reading.vouched
    return command.confirms or private or (decision in _CAREFUL and changes)


def names_impossible_address(command: Command) -> bool:
    """Whether it is refused, whoever wrote it."""
    match command:
        case Challenge(who=address) | AddAddress(address) | SetAddress(address):
            return is_impossible_address(address)
    return False


def _is_enough_for(command: Command, reading: Reading) -> bool:
    """Whether the reply address of a letter about no match is enough: no match that runs changes by it, nor does
    who gets which letters, and where. The letter that says that a clock runs asks for nothing else."""
    if isinstance(command, Start):
        answered = answered_by(reading.recipient)
        return answered is not None and answered.kind == CLOCK_RUNS
    if isinstance(command, Set):
        return {column for column, _ in command.wishes} <= _LOOKS
    return isinstance(command, _MEETS)


def talk_waits(reading: Reading) -> bool:
    """Below moves that are refused nothing is said: it is for the next letter."""
    commands = reading.understood.commands
    refused = bool(commands) and all(_is_too_late(command, reading) for command in commands)
    return reading.decision in _CAREFUL and reading.decision is not Decision.MEETING and not refused


def _is_too_late(command: Command, reading: Reading) -> bool:
    """Whether it is a move for the board of the older letter, which is refused with that of now."""
    if not isinstance(command, Move):
        return False
    seat = seat_of(reading.recipient)
    of_seat = seat is not None and command.match in (None, seat.match_id) and command.number is None
    return of_seat or command.number == NEVER


def why_asked(reading: Reading, player: Player) -> str:
    """A letter that is held says why it was not believed."""
    if reading.decision is not Decision.HOLD:
        return Code.CONFIRM_NEEDED
    if reading.glance.several_from:
        return Code.SEVERAL_FROM
    return Code.DMARC_FAIL if player.writes_from(reading.sender) else Code.FROM_MISMATCH
