"""Puts the pages of all apps on the organiser's desk."""

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.utils.translation import gettext_lazy as _

from pbem.analysis.models import Study
from pbem.contests.models import Circuit, Contest
from pbem.desk.base.audit import AuditEntryAdmin
from pbem.desk.contests.circuits import CircuitAdmin
from pbem.desk.contests.contests import ContestAdmin
from pbem.desk.letters.bounces import BouncedMailAdmin
from pbem.desk.letters.inbox import ConfirmationAdmin, InboundMailAdmin
from pbem.desk.letters.outbox import OutboundMailAdmin, SlowDomainAdmin
from pbem.desk.letters.personal import PersonalMessageAdmin
from pbem.desk.matches.holidays import HolidayAdmin
from pbem.desk.matches.match_events import EventAdmin
from pbem.desk.matches.matches import MatchAdmin
from pbem.desk.matches.matchmaking import InvitationAdmin, SeekAdmin
from pbem.desk.matches.ratings import RatedAdmin, RatingAdmin
from pbem.desk.matches.robots import ThinkAdmin
from pbem.desk.matches.studies import StudyAdmin
from pbem.desk.matches.tournaments import TournamentAdmin
from pbem.desk.models import AuditEntry
from pbem.desk.outages import HeartbeatAdmin, OutageAdmin
from pbem.desk.people.players import PlayerAdmin
from pbem.desk.people.staff import GroupAdmin, UserAdmin
from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.matches.models import Event, Heartbeat, Invitation, Match, Outage, Seek, Tournament
from pbem.outbox.delivery.throttling import SlowDomain
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.models import Holiday, Player
from pbem.ratings.models import Rated, Rating
from pbem.robots.models import Think

admin.site.index_title = _("Admin")
admin.site.unregister([User, Group])
admin.site.register(User, UserAdmin)
admin.site.register(Group, GroupAdmin)
admin.site.register(Player, PlayerAdmin)
admin.site.register(Holiday, HolidayAdmin)
admin.site.register(Match, MatchAdmin)
admin.site.register(Tournament, TournamentAdmin)
admin.site.register(Contest, ContestAdmin)
admin.site.register(Circuit, CircuitAdmin)
admin.site.register(Rating, RatingAdmin)
admin.site.register(Rated, RatedAdmin)
admin.site.register(Seek, SeekAdmin)
admin.site.register(Invitation, InvitationAdmin)
admin.site.register(Event, EventAdmin)
admin.site.register(Think, ThinkAdmin)
admin.site.register(Study, StudyAdmin)
admin.site.register(InboundMail, InboundMailAdmin)
admin.site.register(PersonalMessage, PersonalMessageAdmin)
admin.site.register(Confirmation, ConfirmationAdmin)
admin.site.register(Heartbeat, HeartbeatAdmin)
admin.site.register(Outage, OutageAdmin)
admin.site.register(OutboundMail, OutboundMailAdmin)
admin.site.register(SlowDomain, SlowDomainAdmin)
admin.site.register(BouncedMail, BouncedMailAdmin)
admin.site.register(AuditEntry, AuditEntryAdmin)
