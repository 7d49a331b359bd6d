"""The sections about taking part in a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.registry import find, in_words
from pbem.matches.models import Tournament, TournamentInvitation
from pbem.outbox.rendering.durations import in_short
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context


def _event(section: Mapping[str, Any], reader: Reader) -> Context:
    invitation = TournamentInvitation.objects.select_related("tournament").get(pk=section["event"])
    return {**section, **_facts(invitation.tournament, reader)}


def _takes_part(section: Mapping[str, Any], reader: Reader) -> Context:
    return {**section, **_facts(Tournament.objects.get(pk=section["tournament"]), reader)}


def _facts(tournament: Tournament, reader: Reader) -> Context:
    title = find(tournament.game_name)[0].phrases(reader.language)["name"]
    return {
        "cup": tournament.name,
        "title": f"{title}: {in_words(tournament.game_name, reader.language)}",
        "clock": in_short(tournament.agreed),
        "system": tournament.system,
        "entered": tournament.entries.count(),
        "open": tournament.takes_entries,
    }


BUILDERS: Mapping[str, Builder] = {"event": _event, "takes_part": _takes_part}
