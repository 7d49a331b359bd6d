"""Template filters of the desk."""

from django import template
from django.apps import apps

from pbem.admin.base import audit_log
from pbem.admin.base.lists import in_words
from pbem.admin.letters.verdicts import named
from pbem.admin.models import AuditEntry
from pbem.outbox.notifications.kinds import in_words as kind_in_words

register = template.Library()
register.filter("letter_kind", kind_in_words)
register.filter("verdict", named)


@register.filter
def changes(entry: AuditEntry) -> list[tuple[str, str, str]]:
    """Returns the changes of an entry: (label, before, after), "" for an empty value."""
    found = audit_log.changes(entry, apps.get_model(entry.kind))
    return [(name, _said(before), _said(after)) for name, before, after in found]


def _said(value: object) -> str:
    return "" if value is None or value == "" else in_words(value)
