"""Sections about what players write to each other beside their matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context
from pbem.players.models import Message


def _message(section: Mapping[str, Any], reader: Reader) -> Context:
    message = Message.objects.select_related("sender", "reader").get(pk=section["message"])
    return {"author": message.sender.name, "to": message.reader.name, "text": message.text}


BUILDERS: Mapping[str, Builder] = {
    "relayed": _message,
    "passed_on": _message,
}
