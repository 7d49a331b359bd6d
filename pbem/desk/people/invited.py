"""A list of people who are invited, and what has become of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from pbem.desk.people import services
from pbem.matches.models import Entry
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.models import Address, Player
from pbem.players.models.do_not_contact import Undisturbed

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

MOST = 200  # lines of the list
WEEKS = 26  # that the list goes back
SILENT = timedelta(days=14)


@dataclass(frozen=True)
class Invitee:
    """`entered` are the tournaments that they take part in."""

    letter: OutboundMail
    state: StrPromise | str
    player: Player | None = None
    entered: tuple[str, ...] = ()


def invite_all(
    emails: Iterable[str], *, language: str, host: str, note: str, now: datetime
) -> tuple[list[OutboundMail], list[tuple[str, str]]]:
    """A letter to each; beside them (address, why not) of those to whom none may go."""
    letters, refused = [], []
    for email in emails:
        try:
            letters.append(services.invite(email=email, language=language, host=host, note=note, now=now))
        except ValidationError as why:
            refused.append((email, " ".join(why.messages)))
    return letters, refused


def invited(now: datetime) -> list[Invitee]:
    """The newest first, each address once; a question for each kind of fact, however many they are."""
    causes = [services.cause_of(now - timedelta(weeks=back)) for back in range(WEEKS)]
    letters = OutboundMail.objects.filter(cause__in=causes)
    newest: dict[str, OutboundMail] = {}
    for letter in letters.defer("sections", "text").order_by("-pk")[: 2 * MOST]:
        newest.setdefault(letter.address, letter)
    return list(_told(dict(list(newest.items())[:MOST]), now))


def _told(letters: dict[str, OutboundMail], now: datetime) -> Iterator[Invitee]:
    owners = Address.objects.verified().filter(email__in=letters).select_related("player")
    players = {address.email: address.player for address in owners}
    entries = Entry.objects.filter(player__in=players.values()).select_related("tournament")
    entered: dict[int, list[str]] = {}
    for entry in entries:
        entered.setdefault(entry.player_id, []).append(entry.tournament.name)
    bounced = set(BouncedMail.objects.filter(address__in=letters).values_list("address", flat=True))
    declined = Undisturbed.objects.among(letters)
    for address, letter in letters.items():
        if player := players.get(address):
            cups = tuple(entered.get(player.pk, ()))
            yield Invitee(letter, _("plays in a tournament") if cups else _("signed up"), player, cups)
        elif address in declined:
            yield Invitee(letter, _("wants no letters"))
        elif address in bounced:
            yield Invitee(letter, _("came back"))
        elif letter.created_at < now - SILENT:
            yield Invitee(letter, _("no answer"))
        else:
            yield Invitee(letter, _("invited"))
