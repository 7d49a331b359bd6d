"""The pieces of a letter's template: each kind is one file, with a block for its subject, its state and news
(the first line: how things stand), its lead, its answers (a line each becomes a button) and its text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.template import Context, TemplateDoesNotExist
from django.template.base import Template
from django.template.loader import get_template
from django.template.loader_tags import BlockNode


def render_block(name: str, block: str, values: Mapping[str, Any]) -> str | None:
    """That `block` of the text template `name`, where nothing is escaped; None where there is no such block."""
    template, blocks = _blocks(name)
    if template is None or block not in blocks:
        return None
    context = Context(dict(values), autoescape=False)
    with context.bind_template(template):
        return str(blocks[block].render(context))


@cache
def _blocks(name: str) -> tuple[Template | None, Mapping[str, BlockNode]]:
    try:
        template: Template = get_template(name).template  # type: ignore[attr-defined]  # of Django's own engine
    except TemplateDoesNotExist:
        return None, {}
    found = template.nodelist.get_nodes_by_type(BlockNode)
    return template, {node.name: node for node in found if isinstance(node, BlockNode)}
