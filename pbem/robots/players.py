"""The robots as players: one for each level that this house has, with a name and without an address."""

from __future__ import annotations

import logging
from typing import Any

from django.apps import apps as of_now
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist

from pbem.players.names import fold, robot_name

log = logging.getLogger(__name__)


def create_missing(apps: Any = None) -> None:
    """After each migration; `apps` are the models as that has left them, perhaps before there were robots."""
    try:
        player: Any = (apps or of_now).get_model("players", "Player")
        player._meta.get_field("robot")
    except (LookupError, FieldDoesNotExist):
        return
    for level in settings.ROBOT_LEVELS:
        name = robot_name(level)
        if player.objects.filter(robot=level).exists():
            continue
        if player.objects.filter(folded=fold(name)).exists():  # before such names were reserved
            log.warning("no robot of level %s: somebody is called %s", level, name)
            continue
        player.objects.create(name=name, robot=level, language="en")
