"""A player whose mail program answers that they are away is away here too, if they have allowed that."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from pbem.inbox.commands.out_of_office import days_away
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import InboundMail
from pbem.inbox.recipient import BounceRecipient, LetterRecipient, MoveRecipient
from pbem.mail.authentication.policy import Dmarc, Doubt
from pbem.matches.clock import absences
from pbem.outbox.notifications.absences import facts_of, section_for
from pbem.outbox.notifications.notify import write_to_player
from pbem.players.models import Absence, Player
from pbem.refusals import Refused


def note_absence(row: InboundMail, reading: Reading, now: datetime) -> None:
    """Once for an absence: their program answers the letter that tells them of it as well."""
    player = reading.player
    if (
        player is None
        or not reading.announced
        or not player.absence_from_mail
        or not _believed(reading, player)
    ):
        return
    days = days_away(reading.announced, row.received_at.astimezone(ZoneInfo(player.zone)).date())
    if days is None or any(_meets(each, days) for each in absences.pending(player, now)):
        return
    try:
        absence = absences.go_away(player, *days, now=now, arrived=row.received_at, letter=row.pk)
    except Refused:
        return
    section = section_for(player, now, done="noted", changed=facts_of(absence))
    write_to_player(player, cause=f"letter:{row.pk}", section=section, now=now)


def _believed(reading: Reading, player: Player) -> bool:
    """Only their own program has the letter of now to answer; at any other address a provider has to vouch for it."""
    recipient = reading.recipient
    shown = isinstance(recipient, MoveRecipient | BounceRecipient | LetterRecipient)
    if recipient and shown and recipient.state == "current":
        vouched = reading.dmarc is not Dmarc.FAIL
    else:
        vouched = reading.dmarc is Dmarc.PASS and reading.doubt is Doubt.NO
    return vouched and player.writes_from(reading.sender)


def _meets(absence: Absence, days: tuple[date, date]) -> bool:
    """Anyone who has announced it themselves knows best."""
    zone = ZoneInfo(absence.player.zone)
    return (
        absence.since.astimezone(zone).date() <= days[1] and absence.until.astimezone(zone).date() > days[0]
    )
