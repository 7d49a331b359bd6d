"""Players at the desk: their pages with addresses and facts, invitations, suspension."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.base import audit_log
from pbem.admin.base.actions import AdminAction
from pbem.admin.base.forms import AddressForm, InvitationForm, PlayerForm
from pbem.admin.base.lists import HasHappened, players, when
from pbem.admin.base.pages import ButtonsAdmin
from pbem.admin.letters.outbox import Unreachable, long_unreachable
from pbem.admin.letters.verdicts import named
from pbem.admin.people import player_actions, services
from pbem.inbox.models import InboundMail
from pbem.matches.matchmaking.eligibility import reliability_of
from pbem.matches.models import Entry, Match
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.outbox.rendering.durations import day, in_words
from pbem.players.models import Address, FormerName, Player
from pbem.players.models.do_not_contact import SuppressedAddress
from pbem.players.subscriptions import THRESHOLD, Subscription
from pbem.ratings.leaderboards import figure, ratings_of, title
from pbem.refusals import Code

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    TabularInline = admin.TabularInline[Address, Player]
else:
    from unfold.admin import TabularInline


# Facts on a player's page

LETTERS = 10
MATCHES = 20


def facts(player: Player, now: datetime) -> Mapping[str, Any]:
    """Returns short lists of facts, each read from an index."""
    alive = Match.objects.of(player).alive().prefetch_related("seats__player").order_by("-pk")
    return {
        **player_actions.facts(player),
        "reliability": _reliability(player, now),
        "ratings": [
            (title(each.row.pool, get_language() or "en"), figure(each.strength), each)
            for each in ratings_of(player, now)
        ],
        "away": player.absences.ending_after(now).order_by("since")[:LETTERS],
        "playing": [
            (
                match,
                [seat.player for seat in match.seats.all() if seat.player_id != player.pk],
                when(match.deadline),
            )
            for match in alive[:MATCHES]
        ],
        "came": InboundMail.objects.filter(player=player).defer("raw").order_by("-pk")[:LETTERS],
        "went": OutboundMail.objects.filter(player=player)
        .defer("sections", "text")
        .order_by("-pk")[:LETTERS],
    }


def _reliability(player: Player, now: datetime) -> list[tuple[str, str]]:
    known = reliability_of(player, now)
    on_time = "-" if known.on_time is None else f"{known.on_time}%"
    reply = "-" if known.median_reply is None else in_words(known.median_reply)
    return [
        (gettext("moves in time"), on_time),
        (gettext("moves lately"), str(known.moves)),
        (gettext("typical reply time"), reply),
        (gettext("matches lost on time"), str(known.timeouts)),
        (gettext("last move"), when(known.last_seen)),
    ]


# Invited people

MOST = 200  # lines of the list
WEEKS = 26  # that the list goes back
SILENT = timedelta(days=14)


@dataclass(frozen=True)
class Invitee:
    """An invitation; `entered` are the tournaments of the player."""

    letter: OutboundMail
    state: StrPromise | str
    player: Player | None = None
    entered: tuple[str, ...] = ()


def invite_all(
    emails: Iterable[str], *, language: str, host: str, note: str, now: datetime
) -> tuple[list[OutboundMail], list[tuple[str, str]]]:
    """Invites each address. Returns the letters, and (address, reason) for those that were refused."""
    letters, refused = [], []
    for email in emails:
        try:
            letters.append(services.invite(email=email, language=language, host=host, note=note, now=now))
        except ValidationError as why:
            refused.append((email, " ".join(why.messages)))
    return letters, refused


def invited(now: datetime) -> list[Invitee]:
    """Returns the invitations, newest first, each address once; one query for each kind of fact."""
    causes = [services.cause_of(now - timedelta(weeks=back)) for back in range(WEEKS)]
    letters = OutboundMail.objects.filter(cause__in=causes)
    newest: dict[str, OutboundMail] = {}
    for letter in letters.defer("sections", "text").order_by("-pk")[: 2 * MOST]:
        newest.setdefault(letter.address, letter)
    return list(_told(dict(list(newest.items())[:MOST]), now))


def _told(letters: dict[str, OutboundMail], now: datetime) -> Iterator[Invitee]:
    owners = Address.objects.verified().filter(email__in=letters).select_related("player")
    players = {address.email: address.player for address in owners}
    entries = Entry.objects.filter(player__in=players.values()).select_related("tournament")
    entered: dict[int, list[str]] = {}
    for entry in entries:
        entered.setdefault(entry.player_id, []).append(entry.tournament.name)
    bounced = set(BouncedMail.objects.filter(address__in=letters).values_list("address", flat=True))
    declined = SuppressedAddress.objects.among(letters)
    for address, letter in letters.items():
        if player := players.get(address):
            cups = tuple(entered.get(player.pk, ()))
            yield Invitee(letter, _("plays in a tournament") if cups else _("signed up"), player, cups)
        elif address in declined:
            yield Invitee(letter, _("wants no letters"))
        elif address in bounced:
            yield Invitee(letter, _("came back"))
        elif letter.created_at < now - SILENT:
            yield Invitee(letter, _("no answer"))
        else:
            yield Invitee(letter, _("invited"))


BOUNCES = 20  # the newest on the page of a player
ABSENCES = 3
# Settings that only the player changes, with SET
CHOSEN = (
    "cadence",
    "digest_day",
    "digest_hour",
    "text_only",
    "low_bandwidth",
    "theme",
    "picture_size",
    "own_side",
)


class Addresses(TabularInline):
    model = Address
    form = AddressForm
    fields = ("email", "verified", "first", "score", "paused")
    readonly_fields = ("score", "paused", "is_verified")
    extra = 1

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leaves out the boxes to tick for users who may only view."""
        if obj is None or self.has_change_permission(request, obj):
            return self.fields
        return ("email", "is_verified", "score", "paused")

    @admin.display(description=_("verified"))
    def is_verified(self, address: Address) -> str:
        return when(address.verified_at)

    @admin.display(description=_("bounce score"))
    def score(self, address: Address) -> str:
        return f"{address.score_at(timezone.now())} / {THRESHOLD}" if address.pk else "-"

    @admin.display(description=_("paused since"))
    def paused(self, address: Address) -> str:
        return when(address.paused_at)


class Suspended(HasHappened):
    title = _("suspended")
    parameter_name = "suspended_at"


class Complained(HasHappened):
    title = _("complained")
    parameter_name = "complained_at"


class PlayerAdmin(ButtonsAdmin):
    form = PlayerForm
    inlines = (Addresses,)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    *("name", "language", "zone", "coordinates", "strict", "program"),
                    *("silent_since", "complained_at", "suspended_at", "created_at", "former_names"),
                )
            },
        ),
        (
            _("Which letters, and how they look"),
            {"classes": ("collapse",), "fields": (*Subscription, *CHOSEN)},
        ),
    )
    readonly_fields = (*CHOSEN, "silent_since", "complained_at", "suspended_at", "created_at", "former_names")
    list_display = ("named", "emails", "language", "zone", "suspended", "unreachable", "since")
    list_filter = ("language", Suspended, Unreachable, Complained)
    search_fields = ("folded", "addresses")
    search_help_text = _("Start of a name or address")
    ordering = ("folded",)
    sortable_by = ("named", "since")
    change_form_template = "admin/players/player/change_form.html"
    change_list_template = "admin/players/player/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).prefetch_related("addresses")

    @admin.display(description=_("former names"))
    def former_names(self, player: Player) -> str:
        """Returns the names that the player gave up with SET NAME, and when."""
        rows = FormerName.objects.filter(player=player)
        return ", ".join(f"{row.name} ({day(row.given_up_at)})" for row in rows if row.given_up_at) or "–"

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuses changes of robots, which follow their level; they can be suspended."""
        return not (obj and obj.robot) and super().has_change_permission(request, obj)

    def found(self, word: str) -> Q:
        return Q(pk__in=players(word))

    def buttons(self, player: Player) -> Sequence[AdminAction]:
        return list(player_actions.buttons(player))

    def seen(self, player: Player) -> audit_log.Seen:
        """Adds the addresses, since a tick changes which senders are believed."""
        addresses = [audit_log.seen(address) for address in player.addresses.order_by("pk")]
        return {**super().seen(player), "addresses": addresses}

    def page(self, request: HttpRequest, player: Player) -> Mapping[str, Any]:
        bounces = BouncedMail.objects.filter(letter__player=player).order_by("-pk")
        absences = (
            InboundMail.objects.filter(player=player, verdict=Code.AUTO_REPLY).defer("raw").order_by("-pk")
        )
        return {
            "bounces": [(row, named(row.fate)) for row in bounces[:BOUNCES]],
            "absences": absences[:ABSENCES],
            **facts(player, timezone.now()),
        }

    @admin.display(description=_("name"), ordering="folded")
    def named(self, player: Player) -> str:
        return player.name

    @admin.display(description=_("unreachable since"))
    def unreachable(self, player: Player) -> str:
        return when(player.unreachable_since)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Warns of players who have been unreachable for long, since their matches stand still."""
        names = ", ".join(long_unreachable().values_list("name", flat=True)[:20])
        if names and request.method == "GET":
            said = gettext("Unreachable for more than 30 days, so their matches are stopped: %(names)s.")
            self.message_user(request, said % {"names": names}, messages.WARNING)
        return super().changelist_view(request, extra_context)

    @admin.display(description=_("addresses"))
    def emails(self, player: Player) -> str:
        return ", ".join(address.email for address in player.addresses.all()) or "-"

    @admin.display(description=_("suspended"))
    def suspended(self, player: Player) -> str:
        return when(player.suspended_at)

    @admin.display(description=_("since"), ordering="pk")
    def since(self, player: Player) -> str:
        return when(player.created_at)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.invite)
        listed = self.admin_site.admin_view(self.invited)
        return [
            path("invite/", view, name="players_player_invite"),
            path("invited/", listed, name="players_player_invited"),
            *super().get_urls(),
        ]

    def invite(self, request: HttpRequest) -> HttpResponse:
        """Sends invitations, then shows the list of them."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = InvitationForm(request.POST or None)
        if form.is_valid():
            try:
                return redirect(self._invited(request, form.cleaned_data))
            except ValidationError as why:
                form.add_error("email", why)
        return self.form_page(request, form, gettext("Invite players"), gettext("Send the invitation"))

    def invited(self, request: HttpRequest) -> HttpResponse:
        """Lists the invitations with their outcome."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Invited players"),
            "opts": self.opts,
            "invited": invited(timezone.now()),
            "may_invite": self.has_add_permission(request),
        }
        return TemplateResponse(request, "admin/players/player/invited.html", context)

    @transaction.atomic
    def _invited(self, request: HttpRequest, wish: dict[str, Any]) -> str:
        """Sends the invitations. Raises ValidationError when no address may be written to."""
        assert request.user.is_authenticated  # `invite` has checked it
        host = request.user.get_full_name() or request.user.get_username()
        emails = wish.pop("email")
        letters, refused = invite_all(emails, **wish, host=host, now=timezone.now())
        reasons = [f"{email}: {why}" for email, why in refused]
        if not letters:
            raise ValidationError(reasons)
        for letter in letters:
            self.made(request, letter, "invite", gettext("Invite players"))
        said = ngettext("%(n)s invitation has been sent.", "%(n)s invitations have been sent.", len(letters))
        self.message_user(request, said % {"n": len(letters)}, messages.SUCCESS)
        for reason in reasons:
            self.message_user(request, reason, messages.WARNING)
        return reverse("admin:players_player_invited")
