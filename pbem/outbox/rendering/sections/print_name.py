"""The sections about the name that bulletins print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import PrintName


def _print_name(section: Mapping[str, Any], reader: Reader) -> Context:
    kept = PrintName.objects.filter(player=reader.player).first() if reader.player else None
    return {
        "real": kept.name if kept else "",
        "allowed": bool(kept and kept.agreed_at),
        "called": reader.player.name if reader.player else "",
    }


BUILDERS: Mapping[str, Builder] = {"print_name": _print_name}
