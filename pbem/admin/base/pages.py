"""What the pages of the desk share: read-only rows, and buttons that call a service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.forms import AdminForm
from unfold.paginator import InfinitePaginator

from pbem.admin.base import audit_log
from pbem.admin.base.actions import REASON, ActionInput, AdminAction
from pbem.admin.base.audited_admin import AuditedAdmin, who
from pbem.admin.base.lists import lean, number
from pbem.admin.models import AuditEntry
from pbem.refusals import Refused, told

SHORT = 200  # characters of an answer in the audit
SURE = "sure"  # the form field that says which preview was seen
ENTRIES = 20  # audit entries on a page


class DeskAdmin(AuditedAdmin):
    """A model at the desk: nothing is deleted, lists are not counted.

    A list is sorted by its number, unless `sortable_by` names another column that has an index and no NULL.
    `found` interprets the words of its search box.
    """

    paginator = InfinitePaginator
    show_full_result_count = False
    list_disable_select_all = True  # it would offer the number that stands for the count
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    ordering: ClassVar[Any] = ("-pk",)
    sortable_by: ClassVar[Any] = ("number",)
    actions: Any = None
    list_filter_sheet = False  # beside the list when there is room

    def found(self, word: str) -> models.Q:
        """Returns the condition for a word in the search box; only called for lists with `search_fields`."""
        return models.Q(pk=number(word))

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet[Any], search_term: str
    ) -> tuple[models.QuerySet[Any], bool]:
        return (queryset.filter(self.found(search_term)) if search_term.strip() else queryset), False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        page = super().changelist_view(request, *args, **kwargs)
        if isinstance(page, TemplateResponse):
            page.add_post_render_callback(lean)
        return page

    @admin.display(description=_("number"), ordering="pk")
    def number(self, row: models.Model) -> int:
        return int(row.pk)

    def form_page(
        self, request: HttpRequest, form: forms.Form, title: str, send: str, **more: Any
    ) -> TemplateResponse:
        """Renders a form in the admin's style; `send` is the label of its button."""
        fieldsets = [(None, {"fields": list(form.fields)})]
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "adminform": AdminForm(form, fieldsets, {}, model_admin=self),
            "media": self.media + form.media,
            "send": send,
            **more,
        }
        return TemplateResponse(request, "admin/desk/form.html", context)


class ButtonsAdmin(DeskAdmin):
    """A page of one row with buttons and its newest audit entries. See `pbem.admin.base.actions`."""

    change_form_template = "admin/desk/page.html"

    def buttons(self, row: Any) -> Sequence[AdminAction]:
        """Returns what can be done with this row now."""
        return ()

    def page(self, request: HttpRequest, row: Any) -> Mapping[str, Any]:
        """Returns what the page shows in addition to the fields."""
        return {}

    def form_context(self, row: Any, button: AdminAction) -> Mapping[str, Any]:
        """Returns what the form of a button shows in addition to its fields."""
        return {}

    def may_press(self, request: HttpRequest, button: AdminAction) -> bool:
        return request.user.has_perm(
            button.permission or f"{self.opts.app_label}.change_{self.opts.model_name}"
        )

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.press)
        name = f"{self.opts.app_label}_{self.opts.model_name}_press"
        return [path("<int:pk>/press/<slug:verb>/", view, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if row := context.get("original"):
            context["press"] = f"admin:{self.opts.app_label}_{self.opts.model_name}_press"
            context["buttons"] = [button for button in self.buttons(row) if self.may_press(request, button)]
            if request.user.has_perm("desk.view_auditentry"):
                context["audit"] = AuditEntry.objects.about(row)[:ENTRIES]
            context |= self.page(request, row)
        return super().render_change_form(request, context, *args, **kwargs)

    def press(self, request: HttpRequest, pk: int, verb: str) -> HttpResponseBase:
        """Handles a pressed button: shows its form, calls its service, records it in the audit."""
        row, button = self._found(request, pk, verb)
        if not button.has_questions:
            if request.method != "POST":
                return HttpResponseNotAllowed(["POST"])
            try:
                return self._pressed(request, row, button, {})
            except (Refused, ValidationError) as why:
                self.message_user(request, _sentence(why), messages.ERROR)
                return redirect(page_of(row))
        form = button.form(request.POST if request.method == "POST" else None)
        shown: Mapping[str, Any] = {}
        if form.is_valid():
            shown = previewed(button.preview(form.cleaned_data)) if button.preview else {}
            if not shown or request.POST.get(SURE) == shown["sure"]:
                try:
                    return self._pressed(request, row, button, form.cleaned_data)
                except (Refused, ValidationError) as why:
                    form.add_error(None, _sentence(why))
        title = f"{row}: {button.label}"
        send = gettext("Preview") if button.preview and not shown else str(button.label)
        more = {"tells": button.help_text, "grave": button.destructive, "back": page_of(row), **shown}
        more |= self.form_context(row, button)
        return self.form_page(request, form, title, send, **more)

    def _found(self, request: HttpRequest, pk: int, verb: str) -> tuple[Any, AdminAction]:
        """Raises PermissionDenied or Http404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, str(pk))
        button = next((button for button in self.buttons(row) if button.verb == verb), None) if row else None
        if button is None:
            raise Http404
        if not self.may_press(request, button):
            raise PermissionDenied
        return row, button

    @transaction.atomic
    def _pressed(
        self, request: HttpRequest, row: Any, button: AdminAction, answers: Mapping[str, Any]
    ) -> HttpResponseBase:
        now, reason = timezone.now(), str(answers.get(REASON, ""))
        before = self.seen(self.again(row) or row)
        email = str(getattr(request.user, "email", ""))
        answer = button.press(ActionInput(who(request), now, reason, answers, email))
        again = self.again(row)
        after = {**_written(answers), **(self.seen(again) if again else {})}
        if button.redact_audit:
            before, after = {}, {}
        audit_log.note(
            again or row,
            who=who(request),
            verb=button.verb,
            said=str(button.label),
            before=before,
            after=after,
            now=now,
            reason=reason,
        )
        if isinstance(answer, HttpResponseBase):
            return answer
        self.message_user(request, str(button.done), messages.SUCCESS)
        return redirect(page_of(row) if again else reverse(f"admin:{_named(row)}_changelist"))


class ReadOnlyAdmin(ButtonsAdmin):
    """A read-only page: only its buttons change the row."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


def _written(answers: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: str(answer)[:SHORT] for name, answer in answers.items() if name != REASON}


def previewed(paragraphs: Sequence[str]) -> Mapping[str, Any]:
    """Returns a form's preview, and its digest, which is sent again to prove that it was shown."""
    sure = salted_hmac("pbem.admin.preview", "\n\n".join(paragraphs)).hexdigest()
    return {"preview": paragraphs, "sure": sure}


def page_of(row: models.Model) -> str:
    """Returns the address of the row's page."""
    return reverse(f"admin:{_named(row)}_change", args=[row.pk])


def link(row: models.Model | None, text: object = None) -> str:
    """Returns a link to the row's page; a dash for None."""
    if row is None:
        return "-"
    return format_html('<a href="{}">{}</a>', page_of(row), row if text is None else text)


def _named(row: models.Model) -> str:
    return f"{row._meta.app_label}_{row._meta.model_name}"


def _sentence(why: Refused | ValidationError) -> str:
    return told(why) if isinstance(why, Refused) else " ".join(why.messages)
