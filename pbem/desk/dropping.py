"""Pages of letters that may have been set aside: what went wrong, and a form to drop them with a reason."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext

from pbem.desk import shunted
from pbem.desk.forms import DropForm
from pbem.desk.pages import ReadOnlyAdmin, page_of

DROPPED = ("trouble", "dropped_at", "dropped_why")  # fields that most letters leave empty


class ShuntableAdmin(ReadOnlyAdmin):
    """A letter at the desk, in or out."""

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_fields(request, obj)
        return [field for field in fields if field not in DROPPED or getattr(obj, str(field), None)]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.drop)
        return [path("<int:pk>/drop/", view, name=self._drop_name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = context["original"]
        if row.is_shunted and self.may_press(request):
            context["drop"] = reverse(f"admin:{self._drop_name}", args=[row.pk])
        return super().render_change_form(request, context, *args, **kwargs)

    def drop(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask why, then drop it."""
        if not self.may_press(request):
            raise PermissionDenied
        row = self.get_object(request, str(pk))
        if row is None or not row.is_shunted:
            raise Http404
        form = DropForm(request.POST or None)
        if not form.is_valid():
            title = gettext("Drop letter %(number)s") % {"number": shunted.number(row)}
            return self.form_page(request, form, title, gettext("Drop"))
        who = request.user.get_username()
        shunted.drop([row], why=form.cleaned_data["why"], who=who, now=timezone.now())
        self.log_change(request, row, gettext("Drop"))
        self.message_user(request, gettext("The letter is dropped, and kept."), messages.SUCCESS)
        return redirect(page_of(row))

    @property
    def _drop_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_drop"
