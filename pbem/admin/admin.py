"""Registers the admin pages of all apps, with those of outages and of the audit."""

from __future__ import annotations

from datetime import timedelta

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import models
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from pbem.admin.base.lists import when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.competitions.competitions import CompetitionAdmin
from pbem.admin.competitions.tournaments import TournamentAdmin
from pbem.admin.events import InvitationAdmin, SeekAdmin
from pbem.admin.letters.inbox import ConfirmationAdmin, InboundMailAdmin, PersonalMessageAdmin
from pbem.admin.letters.outbox import BouncedMailAdmin, OutboundMailAdmin, SlowDomainAdmin
from pbem.admin.matches.clocks import HolidayAdmin
from pbem.admin.matches.matches import MatchAdmin
from pbem.admin.matches.ratings import RatedAdmin, RatingAdmin, StudyAdmin, ThinkAdmin
from pbem.admin.matches.timeline import EventAdmin
from pbem.admin.models import AuditEntry
from pbem.admin.people.players import PlayerAdmin
from pbem.admin.people.staff import GroupAdmin, UserAdmin
from pbem.analysis.models import AnalysisJob
from pbem.competitions.models import Competition
from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.matches.models import Event, Heartbeat, Invitation, Match, Outage, Seek, Tournament
from pbem.outbox.models import BouncedMail, OutboundMail, SlowDomain
from pbem.outbox.rendering.durations import moment
from pbem.players.models import Holiday, Player
from pbem.ratings.models import RatedGame, Rating
from pbem.robots.models import EngineJob

# Outages


class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("beat", "component")
    list_filter = ("component", "beat_at")
    sortable_by = ("beat",)
    fields = ("component", "beat_at")

    @admin.display(description=_("last seen"), ordering="pk")
    def beat(self, heartbeat: Heartbeat) -> str:
        return moment(heartbeat.beat_at)


class OutageAdmin(ReadOnlyAdmin):
    list_display = ("began", "ended", "component", "why", "length")
    sortable_by = ("began",)
    list_filter = ("component", "since")
    fields = ("component", "since", "until", "why", "length")

    @admin.display(description=_("last seen"), ordering="pk")
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


# The audit


class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("happened", "who", "said", "what", "reason")
    list_display_links = ("happened", "said")
    list_filter = ("happened_at",)
    search_fields = ("who",)
    sortable_by = ("happened",)
    search_help_text = _("Who did it: an account's full name")
    fields = ("happened_at", "who", "said", "what", "reason", "changed")

    def found(self, word: str) -> models.Q:
        return models.Q(who=word.strip())

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    @admin.display(description=_("when"), ordering="pk")
    def happened(self, entry: AuditEntry) -> str:
        return when(entry.happened_at)

    @admin.display(description=_("to whom or what"))
    def what(self, entry: AuditEntry) -> str:
        model = apps.get_model(entry.kind)
        return link(model(pk=entry.row), entry.named or entry.row)

    @admin.display(description=_("what it changed"))
    def changed(self, entry: AuditEntry) -> SafeString:
        return render_to_string("admin/desk/changes.html", {"entry": entry})


admin.site.index_title = _("Admin")
admin.site.unregister([User, Group, StaticDevice, TOTPDevice])  # the keys of the last two are shown nowhere
admin.site.register(User, UserAdmin)
admin.site.register(Group, GroupAdmin)
admin.site.register(Player, PlayerAdmin)
admin.site.register(Holiday, HolidayAdmin)
admin.site.register(Match, MatchAdmin)
admin.site.register(Tournament, TournamentAdmin)
admin.site.register(Competition, CompetitionAdmin)
admin.site.register(Rating, RatingAdmin)
admin.site.register(RatedGame, RatedAdmin)
admin.site.register(Seek, SeekAdmin)
admin.site.register(Invitation, InvitationAdmin)
admin.site.register(Event, EventAdmin)
admin.site.register(EngineJob, ThinkAdmin)
admin.site.register(AnalysisJob, StudyAdmin)
admin.site.register(InboundMail, InboundMailAdmin)
admin.site.register(PersonalMessage, PersonalMessageAdmin)
admin.site.register(Confirmation, ConfirmationAdmin)
admin.site.register(Heartbeat, HeartbeatAdmin)
admin.site.register(Outage, OutageAdmin)
admin.site.register(OutboundMail, OutboundMailAdmin)
admin.site.register(SlowDomain, SlowDomainAdmin)
admin.site.register(BouncedMail, BouncedMailAdmin)
admin.site.register(AuditEntry, AuditEntryAdmin)
