"""What the templates of the desk need to say."""

from django import template
from django.apps import apps

from pbem.desk.frame import auditing
from pbem.desk.letters.kinds import in_words
from pbem.desk.letters.verdicts import named
from pbem.desk.models import AuditEntry

register = template.Library()
register.filter("letter_kind", in_words)
register.filter("verdict", named)


@register.filter
def changes(entry: AuditEntry) -> list[tuple[str, object, object]]:
    """What it changed, column by column: (what it is called, before, after)."""
    return auditing.changes(entry, apps.get_model(entry.kind))
