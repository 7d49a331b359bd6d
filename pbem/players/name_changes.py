"""A player takes another name. Matches and tables follow it; letters, bulletins and records that were written stay."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from pbem.players.models import FormerName, Player
from pbem.players.models.former_name import look_of
from pbem.players.services import check_name
from pbem.refusals import Code, Refused

OFTEN = timedelta(days=30)  # between one change and the next


def check(player: Player, name: str, *, now: datetime) -> None:
    """Refuses C04 (bad name), C05 (not free), C37 (they have changed it lately)."""
    check_name(name, bearer=player)
    if name == player.name:
        raise Refused(Code.NAME_TAKEN, name=name)
    if FormerName.objects.filter(player=player, given_up_at__gt=now - OFTEN).exists():
        raise Refused(Code.RENAMED_LATELY)


@transaction.atomic
def rename(player: Player, name: str, *, now: datetime) -> str:
    """The name that they had, which stays theirs alone: they may take it again."""
    check(player, name, now=now)
    before = player.name
    FormerName.objects.filter(player=player, look=look_of(name)).delete()
    FormerName.objects.update_or_create(
        look=look_of(before), defaults={"player": player, "name": before, "given_up_at": now}
    )
    player.name = name
    try:
        with transaction.atomic():
            player.save(update_fields=["name", "folded", "skeleton"])
    except IntegrityError:  # somebody else has taken it in this moment
        raise Refused(Code.NAME_TAKEN, name=name) from None
    return before
