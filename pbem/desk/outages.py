"""When the service was away, at the desk: signs of life, outages, and what they gave the clocks."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from pbem.desk.base.lists import when
from pbem.desk.base.pages import ReadOnlyAdmin
from pbem.matches.models import Heartbeat, Outage
from pbem.outbox.rendering.dates import moment


class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("beat", "component")
    list_filter = ("component", "beat_at")
    sortable_by = ("beat",)
    fields = ("component", "beat_at")

    @admin.display(description=_("last sign of life"), ordering="pk")
    def beat(self, heartbeat: Heartbeat) -> str:
        return moment(heartbeat.beat_at)


class OutageAdmin(ReadOnlyAdmin):
    list_display = ("began", "ended", "component", "why", "length")
    sortable_by = ("began",)
    list_filter = ("component", "since")
    fields = ("component", "since", "until", "why", "length")

    @admin.display(description=_("last sign of life"), ordering="pk")
    def began(self, outage: Outage) -> str:
        return when(outage.since)

    @admin.display(description=_("back again"))
    def ended(self, outage: Outage) -> str:
        return when(outage.until)

    @admin.display(description=_("length"))
    def length(self, outage: Outage) -> str:
        if outage.until is None:
            return "-"
        lasted = outage.until - outage.since
        return str(lasted - lasted % timedelta(seconds=1))
