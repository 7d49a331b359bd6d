"""The groups of the desk and their permissions, written again after every migration.

For another mixture, add a group: these three are always reset to this table.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction

# All three may view everything except raw letters and the reply addresses in letters: one of these is enough
# to play for its player.
EVERYBODY = """
    desk.view_auditentry
    players.view_player players.view_address players.view_holiday
    matches.view_seek matches.view_invitation
    matches.view_match matches.view_event matches.view_tournament matches.view_outage matches.view_heartbeat
    contests.view_competition
    robots.view_enginejob analysis.view_analysisjob
    ratings.view_rating ratings.view_ratedgame
    inbox.view_inboundmail inbox.view_confirmation
    outbox.view_outboundmail outbox.view_bouncedmail outbox.view_slowdomain
"""

GROUPS = {
    "read-only": "",
    # Players, matches and tournaments; letters may be sent again, and addresses probed, but no letter read
    "organiser": """
        players.add_player players.change_player players.erase_player
        players.add_address players.change_address players.delete_address
        players.add_holiday players.change_holiday
        matches.add_match matches.change_match matches.change_seek
        matches.change_tournament
        contests.add_competition contests.change_competition
        robots.change_enginejob analysis.change_analysisjob
        outbox.change_outboundmail
        inbox.view_personalmessage inbox.change_personalmessage
    """,
    # Raw letters, in and out
    "postmaster": """
        inbox.change_inboundmail inbox.read_inboundmail
        outbox.change_outboundmail outbox.read_outboundmail outbox.change_slowdomain
    """,
}


def make_groups(using: str = "default", **_: Any) -> None:
    """Writes the groups after a migration, when all permissions exist."""
    with transaction.atomic(using=using):
        known = {
            f"{permission.content_type.app_label}.{permission.codename}": permission
            for permission in Permission.objects.using(using).select_related("content_type")
        }
        for name, more in GROUPS.items():
            group, _created = Group.objects.using(using).get_or_create(name=name)
            group.permissions.set(
                known[wanted] for wanted in f"{EVERYBODY} {more}".split() if wanted in known
            )
