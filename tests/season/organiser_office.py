"""The way that a letter takes in a season: relays that try again, a door and a mailbox that may be dead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING

from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches.clock.outages import coming_back
from pbem.outbox.delivery.smtp import RelayAway
from tests.mail_fixtures import Delivery, Mailboxes, Post
from tests.returned_mail import bounce
from tests.season.notes import Posted
from tests.season.plan import DOOR, MAILBOX, MINUTE, RELAY

if TYPE_CHECKING:
    from tests.season.season import Season


MESSAGE_ID = re.compile(rb"\r\nMessage-ID:\s*(<[^>]+>)")


@dataclass
class Letter:
    """On its way to us. `about` is the letter that it confirms, `then` hears its number when it is there."""

    raw: bytes
    recipient: str
    sender: str
    about: int | None
    then: Callable[[int, datetime], None] | None


class Office(Post):
    """A post office whose letters are opened when the season says so."""

    def __init__(self, season: Season) -> None:
        super().__init__()
        self.season = season
        self.mailboxes = Boxes(season)
        self.about: int | None = None
        self.then: Callable[[int, datetime], None] | None = None

    def deliver(self, raw: bytes, recipient: str, sender: str = "") -> InboundMail:
        letter = Letter(raw, recipient, sender, self.about, self.then)
        self.about, self.then = None, None
        self.hand_in(letter)
        return InboundMail()  # its writer sees nothing of it

    def live(self) -> None:
        """Signs of life are the season's affair."""

    def hand_in(self, letter: Letter) -> None:
        """A relay that finds the door dead tries again; who empties a mailbox later finds when a letter came."""
        season, now = self.season, self.now
        person = season.people.get(letter.sender)
        part = MAILBOX if person is not None and person.fetched else DOOR
        trouble = season.dead.get(part)
        if trouble is None:
            self._keep(letter, now)
        elif part == MAILBOX:
            season.at(trouble.lived, lambda: self._keep(letter, now))
        else:
            season.at(_next_try(now, trouble.died, trouble.lived, season.rng), lambda: self.hand_in(letter))

    def _keep(self, letter: Letter, arrived: datetime) -> None:
        known = InboundMail.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        row = store_message(letter.raw, sender=letter.sender, recipient=letter.recipient, now=arrived)
        if row.pk <= known:
            return  # the same letter once more
        notes = self.season.notes
        notes.arrived[row.pk] = arrived
        if letter.about is not None:
            notes.confirms[row.pk] = letter.about
        if letter.then:
            letter.then(row.pk, arrived)
        self.season.unopened.append(row.pk)


def _next_try(now: datetime, died: datetime, lived: datetime, rng: Random) -> datetime:
    """Within the time that a relay of this outage needs to come back, as the heartbeat's table has it."""
    return lived + max(MINUTE, rng.random() * (coming_back(lived - died) - 2 * MINUTE))


class Boxes(Mailboxes):
    """Of a broken mailbox the relay hears only later that it took nothing: then it sends a report."""

    def __init__(self, season: Season) -> None:
        super().__init__()
        self.season = season

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        season = self.season
        if RELAY in season.dead:
            raise RelayAway("connection refused")
        found = MESSAGE_ID.search(raw)
        assert found
        now = season.post.now
        season.acting.handed_over(Delivery(recipient, sender, raw), found[1].decode(), now)
        if season.people[recipient].is_broken(now):
            lost = Delivery(recipient, sender, raw)
            season.at(now + MINUTE, lambda: season.post.deliver(bounce(lost), lost.envelope_sender))
        else:
            season.notes.log.append(Posted(recipient, found[1].decode(), now))
        return "250 delivered"
