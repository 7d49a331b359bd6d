"""Records bounces, pauses bouncing addresses, probes paused ones, and redelivers what was held."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Sum

from pbem.matches.clock.deadlines import give_back
from pbem.matches.models import Event, Match
from pbem.outbox.delivery.status_codes import DISPOSITIONS, Disposition
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.outbox.notifications import match_events, notify
from pbem.outbox.notifications.kinds import Trait, kinds
from pbem.players.models import Address, Player, SuppressedAddress
from pbem.players.subscriptions import points_for
from pbem.queue.sql import compiled_query
from pbem.refusals import Code

# Paused addresses

PROBE = "probe"


def paused(address: Address, *, now: datetime) -> None:
    """Redelivers to another address after a pause, or tells the opponents that the player is unreachable."""
    player = Player.objects.get(pk=address.player_id)
    if player.addresses.working().exists():
        catch_up(player, lost=address.email, now=now)
        return
    player.unreachable_since = now
    player.save(update_fields=["unreachable_since"])
    _tell_opponents(player, "unreachable", now, now)


def hold(letter: OutboundMail, *, now: datetime) -> bool:
    """Holds a letter to a paused address. True when held. Probes are never held."""
    if letter.player_id is None or letter.kind == PROBE or not _paused(letter.player_id, letter.address):
        return False
    with transaction.atomic():
        row = OutboundMail.objects.filter(pk=letter.pk)
        row.update(status=OutboundMail.Status.HELD, verdict=Code.SUPPRESSED, leased_until=None)
        player = Player.objects.get(pk=letter.player_id)
        if player.addresses.working().exists():
            catch_up(player, lost=letter.address, now=now)
    return True


@compiled_query
def _paused(player: int, email: str) -> QuerySet[Address]:
    return Address.objects.filter(player=player, email=email, paused_at__isnull=False)


@transaction.atomic
def bring_back(address: Address, *, now: datetime, score: int = 0) -> None:
    """Resumes an address and redelivers the held letters, without a message from the player."""
    resume(address, now=now, score=score)
    catch_up(Player.objects.get(pk=address.player_id), now=now)


@transaction.atomic
def resume(address: Address, *, now: datetime, score: int = 0) -> None:
    """Ends the pause of an address, with `score` left of its bounces."""
    address.forget_bounces(score)
    # Held letters are redelivered later by `catch_up`, after all other new letters are written.
    found(Player.objects.get(pk=address.player_id), now=now)


def found(player: Player, *, now: datetime) -> None:
    """Restarts clocks and tells opponents when the player is reachable again. Reads the current row."""
    lost = Player.objects.filter(pk=player.pk, unreachable_since__isnull=False)
    since = lost.values_list("unreachable_since", flat=True).first()
    if since is not None and player.addresses.working().exists():
        lost.update(unreachable_since=None)
        give_back(player, since, now)
        _tell_opponents(player, "back", since, now)


def episode(since: datetime) -> str:
    """Identifies a pause in the causes of letters."""
    return f"{since:%Y%m%dT%H%M%S}"


def _tell_opponents(player: Player, kind: str, since: datetime, now: datetime) -> None:
    """Tells each opponent once per match and pause."""
    # "Back" goes only to opponents who were told "unreachable".
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk"):
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        opponent = seat.opponent.player
        cause = f"reach:{match.pk}:{player.pk}:{episode(since)}"
        if kind == "unreachable" or notify.already_notified(cause, opponent.email):
            notify.write_to_player(
                opponent,
                cause=cause if kind == "unreachable" else f"{cause}:back",
                section={"kind": kind, "name": player.name, "to_move": seat.is_to_move},
                match=match,
                ply=match.ply,
                now=now,
            )


log = logging.getLogger(__name__)
Status = OutboundMail.Status

AGAIN = timedelta(days=1)  # a full mailbox is not emptied within the hour
MOST_RETURNS = 3  # per letter


@transaction.atomic
def came_back(
    letter: OutboundMail, fate: str, *, now: datetime, reply: str = "", report: int, proved: bool = True
) -> BouncedMail:
    """Records a bounce of a letter that the relay took. Unless `proved` to be genuine, it counts no points."""
    if proved:
        again = DISPOSITIONS[fate] is not Disposition.FAILS and letter.bounces.count() + 1 < MOST_RETURNS
        OutboundMail.objects.filter(pk=letter.pk).update(
            status=Status.WAITING if again else Status.FAILED,
            verdict=fate,
            answer=reply,
            next_try_at=now + AGAIN,
            leased_until=None,
        )
    return count(letter, fate, now=now, reply=reply, report=report, proved=proved)


@transaction.atomic
def count(
    letter: OutboundMail,
    fate: str,
    *,
    now: datetime,
    reply: str = "",
    report: int | None = None,
    proved: bool = True,
) -> BouncedMail:
    """Records a failed delivery, and pauses the address for all its players when it has too many points.

    `report` is the inbound letter with the bounce. None when our relay refused at once.
    """
    points = _points(letter, fate, now) if proved else 0
    row = BouncedMail.objects.create(
        letter=letter,
        address=letter.address,
        fate=fate,
        reply=reply[:500],
        points=points,
        report=report,
        happened_at=now,
    )
    if fate == Code.POLICY:
        log.error("letter %s: our mail is refused, for any reader: %s", letter.pk, reply)
    for address in Address.objects.select_for_update().filter(email=letter.address) if points else ():
        worked = address.paused_at is None
        address.add_bounce(points, now)
        if worked and address.paused_at:
            log.warning("%s is paused: too many letters came back, the last with %r", address, reply)
            paused(address, now=now)
    return row


def arrived(letter: OutboundMail, *, now: datetime) -> None:
    """Records a delivery, for the organiser only: no clock depends on it."""
    OutboundMail.objects.filter(pk=letter.pk, delivered_at__isnull=True).update(delivered_at=now)


def complained(address: str) -> bool:
    """Tells whether a letter to this address was reported as spam."""
    return BouncedMail.objects.filter(address=address, fate=Code.COMPLAINT).exists()


def may_be_disturbed(address: str) -> bool:
    """Tells whether unsolicited letters may go to this address: no objection and no spam complaint."""
    return not SuppressedAddress.objects.among([address]) and not complained(address)


def _points(letter: OutboundMail, fate: str, now: datetime) -> int:
    """Returns the points of a bounce. A letter counts its worst bounce only; soft bounces count once a day."""
    points = points_for(fate)
    if points == points_for(Code.SOFT):
        today = BouncedMail.objects.filter(address=letter.address, points__gt=0, happened_at__gt=now - AGAIN)
        if today.exists():
            return 0
    counted = letter.bounces.aggregate(sum=Sum("points"))["sum"] or 0
    return max(0, points - counted)


# Probes

PROBE_DAYS = (1, 3, 7, 14, 28, 56)  # after the pause began; later only a message from there ends it
QUIET = timedelta(days=2)  # a probe without a bounce by then has arrived
# A missing bounce proves little: the next hard bounce pauses the address again.
SCORE_AFTER_QUIET = points_for(Code.HARD)


@transaction.atomic
def probe(address: Address, *, now: datetime) -> OutboundMail:
    """Sends a probe to a paused address."""
    address.probes += 1
    address.save(update_fields=["probes"])
    return _write(address, _cause(address), now)


def ask_whether_it_works(address: Address, *, now: datetime) -> None:
    """Probes a paused address at once, when a message comes from it; at most once a day."""
    # Does not replace a scheduled probe; only the answer ends the pause.
    cause = f"{PROBE}:{address.pk}:{now:%Y%m%d}"
    if address.paused_at is not None and not notify.already_notified(cause, address.email):
        _write(address, cause, now)


def probe_or_resume(*, now: datetime) -> None:
    """Sends the due probe to each paused address, or ends the pause when the last probe has arrived."""
    # Errors do not stop the loop.
    for address in Address.objects.filter(paused_at__isnull=False).select_related("player"):
        try:
            _ask(address, now)
        except Exception:
            log.exception("the paused address %s", address.pk)
    # Players who have a working address by now.
    lost = Player.objects.filter(unreachable_since__isnull=False)
    for player in lost.exclude(pk__in=Player.objects.unreachable()):
        try:
            with transaction.atomic():
                found(player, now=now)
                catch_up(player, now=now)
        except Exception:
            log.exception("player %s, who can be reached again", player.pk)


def _ask(address: Address, now: datetime) -> None:
    if _arrived(address, now):
        bring_back(address, now=now, score=SCORE_AFTER_QUIET)
    elif _is_due(address, now):
        probe(address, now=now)


def _is_due(address: Address, now: datetime) -> bool:
    assert address.paused_at
    if address.probes >= len(PROBE_DAYS):
        return False
    return now >= address.paused_at + timedelta(days=PROBE_DAYS[address.probes])


def _arrived(address: Address, now: datetime) -> bool:
    sent = OutboundMail.objects.filter(
        cause=_cause(address),
        address=address.email,
        status=OutboundMail.Status.SENT,
        sent_at__lte=now - QUIET,
    )
    return sent.filter(bounces__isnull=True).exists()


def _write(address: Address, cause: str, now: datetime) -> OutboundMail:
    return notify.write_to_address(
        address.email,
        language=address.player.language,
        player=address.player,
        cause=cause,
        section={"kind": PROBE},
        now=now,
    )


def _cause(address: Address) -> str:
    assert address.paused_at
    return f"{PROBE}:{address.pk}:{episode(address.paused_at)}:{address.probes}"


# Redelivery: undelivered letters are replaced by one per match with the current board

STANDS = kinds(Trait.STANDS)  # the current board covers the other kinds
SENT_AGAIN = kinds(Trait.SENT_AGAIN)


@dataclass
class Missed:
    """Undelivered sections about one match; `newest` is the last undelivered letter."""

    sections: list[notify.Section] = field(default_factory=list)
    newest: int = 0


def catch_up(player: Player, *, now: datetime, lost: str = "") -> None:
    """Tells a player what they missed, and suppresses the undelivered letters.

    `lost` is their address that no longer works: they learn that letters go to another one.
    """
    rows = list(_undelivered(player))
    missed = _by_match(rows)
    for match in Match.objects.filter(pk__in=missed).order_by("pk"):
        _tell(player, match, missed[match.pk], lost, now)
    again = [row for row in rows if row.kind in SENT_AGAIN and row.match_id is None]
    for row in again:
        _send_again(row, player, now)
    if lost and not missed and not again:
        cause = f"lost:{player.pk}:{lost}:{now:%Y%m%d}"
        notify.write_to_player(player, cause=cause, section={"kind": "resumed", "lost": lost}, now=now)
    forgotten = OutboundMail.objects.filter(pk__in=[row.pk for row in rows if row not in again])
    forgotten.update(status=Status.SUPPRESSED, verdict=Code.SUPPRESSED, leased_until=None)


def _undelivered(player: Player) -> Iterable[OutboundMail]:
    came_back = Q(status=Status.FAILED, bounces__isnull=False)
    return player.letters.filter(Q(status=Status.HELD) | came_back).order_by("pk").distinct()


def _by_match(rows: list[OutboundMail]) -> dict[int, Missed]:
    """Groups the undelivered sections by match: the section's own, else the letter's."""
    events = {section["event"] for row in rows for section in _told(row) if "event" in section}
    match_of: dict[Any, int] = dict(Event.objects.filter(pk__in=events).values_list("pk", "match_id"))
    missed: defaultdict[int, Missed] = defaultdict(Missed)
    for row in rows:
        for section in _told(row):
            about = match_of.get(section.get("event"), section.get("match") or row.match_id)
            if about is not None:
                missed[about].sections.append(section)
                missed[about].newest = row.pk
    return dict(missed)


def _told(row: OutboundMail) -> Iterable[notify.Section]:
    """Returns the letter's sections, with digests split into their news."""
    return (each for section in row.sections for each in section.get("news", [section]))


def _tell(player: Player, match: Match, missed: Missed, lost: str, now: datetime) -> None:
    standing = [section for section in map(_standing, missed.sections) if section]
    board: list[notify.Section] = []
    plays = any(seat.player_id == player.pk for seat in match.seated)
    if plays and match.status == Match.Status.PLAYING and not _knows(player, match, missed.newest):
        board = [{"kind": "board", "match": match.pk}]
    if match.status == Match.Status.PROPOSED:
        standing += [section for section in missed.sections if section["kind"] == "challenge"]
    if not standing and not board:
        return
    resumed: notify.Section = {"kind": "resumed", "lost": lost}
    for section in (resumed, *standing, *board):
        notify.write_to_player(
            player,
            cause=f"resumed:{player.pk}:{missed.newest}:{match.pk}",
            section=section,
            match=match,
            ply=match.ply,
            now=now,
            answers=player.silent_since is None,
        )


def _send_again(row: OutboundMail, player: Player, now: datetime) -> None:
    row.address, row.status, row.verdict = player.email, Status.WAITING, ""
    row.attempts = row.failures = 0
    row.next_try_at, row.leased_until = now, None
    row.save()  # the sweep enqueues it


def _standing(section: notify.Section) -> notify.Section | None:
    """Returns a section that is still news, or the message sent with its move. None otherwise."""
    if section["kind"] in STANDS:
        return section
    if "event" not in section or not match_events.says(Event.objects.get(pk=section["event"])):
        return None
    return {"kind": "message", "event": section["event"]}


def _knows(player: Player, match: Match, newest: int) -> bool:
    """Tells whether a later letter about the match was sent or is waiting."""
    later = player.letters.filter(match=match, pk__gt=newest)
    return later.filter(status__in=(Status.SENT, Status.WAITING)).exists()
