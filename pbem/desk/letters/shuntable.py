"""Pages of letters that may have been set aside: what went wrong, and a button to drop them with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from pbem.desk.base.pages import ReadOnlyAdmin
from pbem.desk.base.verbs import Button
from pbem.desk.letters import shunted

DROPPED = ("trouble", "dropped_at", "dropped_why")  # fields that most letters leave empty


class ShuntableAdmin(ReadOnlyAdmin):
    """A letter at the desk, in or out."""

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_fields(request, obj)
        return [field for field in fields if field not in DROPPED or getattr(obj, str(field), None)]

    def buttons(self, row: Any) -> Sequence[Button]:
        if not row.is_shunted:
            return ()
        return [
            Button(
                verb="drop",
                label=_("Drop"),
                done=_("It is dropped, and kept."),
                press=lambda pressed: shunted.drop(
                    [row], why=pressed.reason, who=pressed.who, now=pressed.now
                ),
                reason=True,
            )
        ]
