"""What the pages of the desk have in common: rows that are read, and buttons that call a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.forms import AdminForm

from pbem.desk.lists import FirstPages

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    ModelAdmin = admin.ModelAdmin[Any]
else:
    from unfold.admin import ModelAdmin


@dataclass(frozen=True)
class Button:
    """`press` calls a service. `verb` stands in the button's address, `label` on it, `done` is said afterwards."""

    verb: str
    label: StrPromise | str
    done: StrPromise | str
    press: Callable[[], object]


class DeskAdmin(ModelAdmin):
    """A model at the desk: nothing is deleted here, lists are not counted to the end."""

    paginator = FirstPages
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_filter_sheet = False  # beside the list, where there is room

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    @admin.display(description=_("number"), ordering="pk")
    def number(self, row: models.Model) -> int:
        return int(row.pk)

    def form_page(self, request: HttpRequest, form: forms.Form, title: str, send: str) -> TemplateResponse:
        """A page with a form of our own, drawn as Django's are; `send` stands on its button."""
        fieldsets = [(None, {"fields": list(form.fields)})]
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "adminform": AdminForm(form, fieldsets, {}, model_admin=self),
            "media": self.media + form.media,
            "send": send,
        }
        return TemplateResponse(request, "admin/desk/form.html", context)


class ButtonsAdmin(DeskAdmin):
    """A page of one row with buttons. Whoever has the change permission may press them."""

    change_form_template = "admin/desk/page.html"

    def buttons(self, row: Any) -> Sequence[Button]:
        """What can be done with this row now."""
        return ()

    def page(self, request: HttpRequest, row: Any) -> Mapping[str, Any]:
        """What the page shows beside the fields."""
        return {}

    def may_press(self, request: HttpRequest) -> bool:
        return self.has_change_permission(request)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.press)
        name = f"{self.opts.app_label}_{self.opts.model_name}_press"
        return [path("<int:pk>/press/<slug:verb>/", view, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if row := context.get("original"):
            context["press"] = f"admin:{self.opts.app_label}_{self.opts.model_name}_press"
            context["buttons"] = self.buttons(row) if self.may_press(request) else ()
            context |= self.page(request, row)
        return super().render_change_form(request, context, *args, **kwargs)

    def press(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        """One button was pressed: call its service, note who did it."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.may_press(request):
            raise PermissionDenied
        row = self.get_object(request, str(pk))
        button = next((button for button in self.buttons(row) if button.verb == verb), None) if row else None
        if row is None or button is None:
            raise Http404
        with transaction.atomic():
            button.press()
            self.log_change(request, row, str(button.label))
        self.message_user(request, str(button.done), messages.SUCCESS)
        return redirect(page_of(row))


class ReadOnlyAdmin(ButtonsAdmin):
    """A page to look at: what is done with its row, its buttons do."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def may_press(self, request: HttpRequest) -> bool:
        return super().has_change_permission(request)


def page_of(row: models.Model) -> str:
    """Where the desk shows this row."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def link(row: models.Model | None, text: object = None) -> str:
    """A link to the row's page; a dash for none."""
    if row is None:
        return "-"
    return format_html('<a href="{}">{}</a>', page_of(row), row if text is None else text)
