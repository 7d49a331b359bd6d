"""Commands from a page that a letter asks about: a browser is a key to the account, and may be left open."""

from __future__ import annotations

from datetime import datetime

from pbem.inbox import consent
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.consent import PendingQuestion, Stake
from pbem.inbox.rate_limits.slots import take_place
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.players.models import Player


def is_grave(command: Command, player: Player) -> bool:
    """Whether a YES to the command has to name what it does; then a browser alone is not enough."""
    asked = consent.of_commands([command], player, None, vouched=True)
    return asked.stake.value >= Stake.GRAVE.value


def ask(player: Player, line: str, *, now: datetime) -> None:
    """Asks the player by letter whether to run the line. Does nothing above the daily cap on questions."""
    if take_place("questions", f"player:{player.pk}", now) is None:
        return
    asked = about(line, player)
    section: Section = {
        "kind": "browser_asks",
        "lines": [line],
        "named": " ".join(consent.word_for(deed, player.language) for deed in asked.deeds),
    }
    cause = f"browser:{player.pk}:{now:%Y%m%dT%H%M%S%f}"
    write_to_player(player, cause=cause, section=section, now=now, answers=True)


def about(line: str, player: Player, *names: str) -> PendingQuestion:
    """What an answer to the question is for. `names` are the sender's."""
    command = read_alone(line)
    assert command
    return consent.of_commands([command], player, None, vouched=True, names=(player.name, *names))


def line_of(letter: OutboundMail) -> str:
    """The command that the letter asks about."""
    return str(next(each for each in letter.sections if each["kind"] == "browser_asks")["lines"][0])
