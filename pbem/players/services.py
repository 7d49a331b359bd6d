"""What can be done with players: register, fall silent, speak again."""

from __future__ import annotations

import re
from datetime import datetime

from django.db import transaction

from pbem.players.models import Address, Player
from pbem.refusals import Refused

# A name is written in commands and subjects: one word, so that CHALLENGE alice zertz reads one way.
NAME = re.compile(r"[^\W\d_][\w.'-]{1,23}")


@transaction.atomic
def register(*, name: str, email: str, language: str, now: datetime) -> Player:
    """A new player whose address has just answered. Refuses C04 (bad name), C05 (name or address taken)."""
    check_name(name)
    if Address.objects.filter(email=email.lower()).exists() or Player.objects.called(name):
        raise Refused("C05", name=name)
    player = Player.objects.create(name=name, language=language, created_at=now)
    Address.objects.create(player=player, email=email.lower(), verified_at=now)
    return player


def check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise Refused("C04", name=name)


def fall_silent(player: Player, *, now: datetime) -> None:
    """Unsubscribe: from now on only answers to his own letters."""
    Player.objects.filter(pk=player.pk, silent_since__isnull=True).update(silent_since=now)


def speak_again(player: Player) -> None:
    """Whoever plays on wants his letters back."""
    Player.objects.filter(pk=player.pk).update(silent_since=None)
