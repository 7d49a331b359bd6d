"""Writes letters to players and strangers: one per cause and reader, made of sections."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet, prefetch_related_objects

from pbem.matches.models import Event, Match, Seat
from pbem.outbox.models import SEND_MAIL, DigestItem, OutboundMail, again, new_letter
from pbem.outbox.notifications import digests
from pbem.outbox.notifications.kinds import Section as Section
from pbem.outbox.notifications.kinds import Trait, kinds, subscription_of
from pbem.players.models import Player, emails_of_two
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.models import LEASE
from pbem.queue.sql import compiled_query, insert
from pbem.refusals import Code

_batch: ContextVar[InlineBatch | None] = ContextVar("batch", default=None)


@dataclass
class InlineBatch:
    """The letters that one transaction has written for its own process to send.

    `cause`: the common cause, as `letter:34`. `is_first`: no letter for it was written before this
    transaction.
    """

    cause: str
    is_first: bool
    since: datetime
    letters: list[OutboundMail] = field(default_factory=list)
    _others: set[tuple[str, str]] = field(default_factory=set)

    def lease(self, letter: OutboundMail, event: Event) -> None:
        """Leases a letter before it is saved, with the attempt counted."""
        letter.leased_until, letter.attempts, letter.failures = self.since + LEASE, 1, 1
        # As read from the database: JSON has no tuples.
        event.facts = json.loads(json.dumps(event.facts))
        letter.preloaded = {event.pk: event}
        self.letters.append(letter)

    def is_new(self, cause: str, address: str) -> bool:
        """Tells whether no letter can have been written for this cause, so that no query is needed."""
        answers = cause == self.cause or cause.startswith(f"{self.cause}:")
        return self.is_first and answers and (cause, address) not in self._others

    def note(self, letter: OutboundMail) -> None:
        self._others.add((letter.cause, letter.address))

    def own(self, letter: OutboundMail) -> OutboundMail | None:
        """Returns our own instance of the letter, not tried yet. None when it is not in the batch."""
        return next((each for each in self.letters if each.pk == letter.pk), None)


def batch() -> InlineBatch | None:
    """Returns the batch of the current transaction. None when there is none."""
    return _batch.get()


@contextmanager
def leasing(made: InlineBatch | None) -> Iterator[None]:
    """Leases new letters to `made` inside the context. Does nothing when it is None."""
    token = _batch.set(made)
    try:
        yield
    finally:
        _batch.reset(token)


WAITING = OutboundMail.Status.WAITING
IN_RESULT = kinds(Trait.IN_RESULT)

RECEIPT = "played"  # of a move; a robot's answer may join it


@dataclass(frozen=True)
class Notification:
    """A section for one player.

    `answers`: it answers their own message, so subscriptions do not matter. `fresh`: no letter was written
    for this cause. `not_before` delays it. `event` is its event, when known.
    """

    player: Player
    cause: str
    section: Section
    now: datetime
    match: Match | None = None
    ply: int | None = None
    answers: bool = False
    fresh: bool = False
    not_before: datetime | None = None
    event: Event | None = None


def notify(notifications: Iterable[Notification]) -> list[OutboundMail]:
    """Writes the letters of the notifications; fresh ones in one statement, possibly born leased.

    Players who are unsubscribed or have no address get none. Sections for digests are kept.
    """
    notifications = list(notifications)
    emails = _emails([each.player for each in notifications])
    told = zip(notifications, emails, strict=True)
    at_once = [(each, email) for each, email in told if email and _leaves_at_once(each)]
    fresh = [(each, to) for each, to in at_once if _is_fresh(each, to)]
    insert(letters := [_fresh(each, to) for each, to in fresh])
    for letter in letters:
        if letter.leased_until is None:
            enqueue_on_commit(SEND_MAIL, letter.pk or 0)
    return letters + [_add_or_write(each, to) for each, to in at_once if (each, to) not in fresh]


def _is_fresh(told: Notification, address: str) -> bool:
    ours = batch()
    return told.fresh or (ours is not None and ours.is_new(told.cause, address))


def _emails(players: Sequence[Player]) -> Sequence[str]:
    match [player for player in players if player.known_addresses is None]:
        case [one, other] if len(players) == 2:
            return emails_of_two(one, other)
        case [_, _, *_]:
            prefetch_related_objects(players, "addresses")
    return [player.email for player in players]


def _leaves_at_once(told: Notification) -> bool:
    """Tells whether a letter is sent now. Keeps sections for digests."""
    player, section, match = told.player, told.section, told.match
    if not (told.answers or player.wants(subscription_of(section["kind"]))):
        return False
    if match is None or not digests.waits(player, section):
        return True
    digests.keep(player, section, match=match, ply=told.ply, now=told.now)
    return False


def write_to_player(
    player: Player,
    *,
    cause: str,
    section: Section,
    now: datetime,
    match: Match | None = None,
    ply: int | None = None,
    answers: bool = False,
) -> OutboundMail | None:
    """Notifies a player at their verified address. None when they are unsubscribed, except in `answers`."""
    told = Notification(player, cause, section, now, match, ply, answers)
    email = player.email
    return _add_or_write(told, email) if email and _leaves_at_once(told) else None


def _add_or_write(told: Notification, address: str) -> OutboundMail:
    row = write_to_address(
        address,
        language=told.player.language,
        cause=told.cause,
        section=told.section,
        now=told.now,
        player=told.player,
        match=told.match,
        ply=told.ply,
    )
    kinds = [section["kind"] for section in row.sections]
    receipt, more = kinds[0] == RECEIPT, len(kinds) > 1
    if told.not_before and not (more and told.section["kind"] == RECEIPT):
        row.next_try_at = told.not_before
    elif receipt and more and told.answers:  # their other commands are answered now
        row.next_try_at = told.now
    else:
        return row
    row.save(update_fields=["next_try_at"])
    enqueue_on_commit(SEND_MAIL, row.pk)
    return row


def _fresh(told: Notification, address: str) -> OutboundMail:
    """Returns a first letter, possibly born leased."""
    facts = told.cause, address, [told.section], told.player.language, told.now
    letter = new_letter(*facts, player=told.player, match=told.match, ply=told.ply)
    letter.next_try_at = told.not_before or told.now
    if ours := batch():
        ours.note(letter)
        if told.event and told.match and not told.not_before:
            ours.lease(letter, told.event)
    return letter


def write_to_address(
    address: str,
    *,
    language: str,
    cause: str,
    section: Section,
    now: datetime,
    player: Player | None = None,
    match: Match | None = None,
    ply: int | None = None,
) -> OutboundMail:
    """Adds a section to the letter for this cause and reader."""
    # A tried letter may have arrived; a further one is written with a new cause.
    ours, reader = batch(), player and player.pk
    while row := next((row for row in _letters(cause, address) if row.player_id == reader), None):
        own = ours and ours.own(row)
        if own or (row.status == WAITING and not row.attempts):
            return _add(own or row, section, match, ply)
        cause = again(cause)
    letter = new_letter(cause, address, [section], language, now, player=player, match=match, ply=ply)
    insert([letter])
    if ours is not None:
        ours.note(letter)
    enqueue_on_commit(SEND_MAIL, letter.pk or 0)
    return letter


@compiled_query
def _letters(cause: str, address: str) -> QuerySet[OutboundMail]:
    """Returns the letters, newest first. Several where players share a mailbox."""
    return OutboundMail.objects.filter(cause=cause, address=address)


def already_notified(cause: str, address: str) -> bool:
    """Tells whether a letter was written for this cause to this address."""
    return OutboundMail.objects.filter(cause=cause, address=address).exists()


def _add(row: OutboundMail, section: Section, match: Match | None, ply: int | None) -> OutboundMail:
    if section in row.sections:
        return row
    row.sections = _joined(row.sections, section)
    row.kind = row.sections[0]["kind"]
    if match and row.ply is None:
        row.match = match
    elif match and row.match_id != match.pk:
        row.match = None  # a letter about two matches belongs to neither
    row.ply = ply if ply is not None else row.ply
    row.save(update_fields=["sections", "kind", "ply", "match"])
    return row


def _joined(sections: list[Section], section: Section) -> list[Section]:
    if section["kind"] == "watched":  # several turns are shown together, and the result with the last
        earlier = [s for s in sections if s["kind"] == "watched" and s["match"] == section["match"]]
        section = section | {"since": min(s["since"] for s in (section, *earlier))}
        sections = [s for s in sections if s not in earlier]
    if section["kind"] == "result":
        sections = [s for s in sections if s["kind"] not in IN_RESULT]
    return [*sections, section]


# Take-backs

Status = OutboundMail.Status
SHOW_TURNS = kinds(Trait.SHOWS_TURNS)


def withdraw(event: Event) -> None:
    """Removes turns from waiting letters after a take-back. Leased letters stay unchanged."""
    DigestItem.objects.filter(match=event.match_id, section__kind__in=SHOW_TURNS).delete()
    waiting = OutboundMail.objects.filter(match=event.match_id, status=Status.WAITING)
    for row in waiting.filter(leased_until__isnull=True):
        kept = [section for section in row.sections if section["kind"] not in SHOW_TURNS]
        if not kept:
            row.status, row.verdict = Status.SUPPRESSED, Code.SUPPRESSED
        elif kept != row.sections:
            row.sections, row.kind = kept, kept[0]["kind"]
        else:
            continue
        row.ply = min(row.ply or 0, event.ply)
        row.save(update_fields=["status", "verdict", "sections", "kind", "ply"])


def has_left(event: Event, seat: Seat) -> bool:
    """Tells whether a letter about the undone turns was written to the player and not suppressed."""
    later = OutboundMail.objects.filter(match=event.match_id, player=seat.player_id, ply__gt=event.ply)
    return later.exclude(status=Status.SUPPRESSED).exists()
