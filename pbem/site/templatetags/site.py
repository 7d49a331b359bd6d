"""Template filters of public pages."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def of(table: Mapping[Any, Any], key: Any) -> Any:
    """Returns what the table has for the key."""
    return table.get(key)
