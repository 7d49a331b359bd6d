"""Players at the desk: their pages with their addresses, invitations, suspension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.desk import services
from pbem.desk.forms import AddressForm, InvitationForm, PlayerForm
from pbem.desk.lists import HasHappened, when
from pbem.desk.pages import DeskAdmin, page_of
from pbem.players.models import Address, Player
from pbem.players.subscriptions import Subscription

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Address, Player]
else:
    TabularInline = admin.TabularInline


class Addresses(TabularInline):
    model = Address
    form = AddressForm
    extra = 1


class Suspended(HasHappened):
    title = _("suspended")
    parameter_name = "suspended_at"


class PlayerAdmin(DeskAdmin):
    form = PlayerForm
    inlines = (Addresses,)
    fields = (
        "name",
        "language",
        "zone",
        "coordinates",
        "strict",
        *Subscription,
        "silent_since",
        "suspended_at",
        "created_at",
    )
    readonly_fields = ("silent_since", "suspended_at", "created_at")
    list_display = ("name", "emails", "language", "zone", "suspended", "since")
    list_filter = ("language", Suspended)
    search_fields = ("name", "addresses__email")
    actions = ("suspend", "readmit")
    change_list_template = "admin/players/player/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).prefetch_related("addresses")

    @admin.display(description=_("addresses"))
    def emails(self, player: Player) -> str:
        return ", ".join(address.email for address in player.addresses.all()) or "-"

    @admin.display(description=_("suspended"), ordering="suspended_at")
    def suspended(self, player: Player) -> str:
        return when(player.suspended_at)

    @admin.display(description=_("since"), ordering="created_at")
    def since(self, player: Player) -> str:
        return when(player.created_at)

    @admin.action(description=_("Suspend"), permissions=["change"])
    def suspend(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        for player in players:
            services.suspend(player, now=timezone.now())
            self.log_change(request, player, gettext("Suspend"))
        self.message_user(request, gettext("Suspended."), messages.SUCCESS)

    @admin.action(description=_("Readmit"), permissions=["change"])
    def readmit(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        for player in players:
            services.readmit(player)
            self.log_change(request, player, gettext("Readmit"))
        self.message_user(request, gettext("Readmitted."), messages.SUCCESS)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.invite)
        return [path("invite/", view, name="players_player_invite"), *super().get_urls()]

    def invite(self, request: HttpRequest) -> HttpResponse:
        """The form of an invitation; the letter it sends is shown next."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = InvitationForm(request.POST or None)
        if form.is_valid():
            try:
                return redirect(self._invited(request, form.cleaned_data))
            except ValidationError as why:
                form.add_error("email", why)
        return self.form_page(request, form, gettext("Invite a player"), gettext("Send the invitation"))

    @transaction.atomic
    def _invited(self, request: HttpRequest, wish: dict[str, Any]) -> str:
        assert request.user.is_authenticated  # who is not never comes this far
        host = request.user.get_full_name() or request.user.get_username()
        letter = services.invite(**wish, host=host, now=timezone.now())
        self.log_addition(request, letter, gettext("Invite a player"))
        self.message_user(request, gettext("The invitation is on its way."), messages.SUCCESS)
        return page_of(letter)
