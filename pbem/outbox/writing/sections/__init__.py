"""What each section of a letter needs to be written: from its few stored facts to template context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.outbox.writing.reader import Reader
from pbem.outbox.writing.sections import (
    absence,
    account,
    clocks,
    conditional,
    digest,
    inviting,
    lists,
    match,
    matchmaking,
    organiser,
    refusing,
    seeking,
    talking,
    testing,
    views,
    watching,
)
from pbem.outbox.writing.sections.context import Builder, Context

_BUILDERS: Mapping[str, Builder] = {
    **match.BUILDERS,
    **lists.BUILDERS,
    **account.BUILDERS,
    **matchmaking.BUILDERS,
    **inviting.BUILDERS,
    **clocks.BUILDERS,
    **organiser.BUILDERS,
    **refusing.BUILDERS,
    **seeking.BUILDERS,
    **absence.BUILDERS,
    **views.BUILDERS,
    **watching.BUILDERS,
    **talking.BUILDERS,
    **conditional.BUILDERS,
    **digest.BUILDERS,
    **testing.BUILDERS,
}


def context_of(section: Mapping[str, Any], reader: Reader) -> Context:
    """The context of the section's templates; always with `kind`, and `board` where it shows one."""
    usual = match.event_context if "event" in section else _as_it_is
    build = _BUILDERS.get(section["kind"], usual)
    return {"kind": section["kind"], "reader": reader, **build(section, reader)}


def _as_it_is(section: Mapping[str, Any], reader: Reader) -> Context:
    return dict(section)
