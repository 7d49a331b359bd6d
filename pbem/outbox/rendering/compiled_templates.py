"""The templates of letters as functions of their values, put together once for each language and way of escaping.

Django finds out at every letter what never changes: which part a node is, what its words are in this language, that a
name is nobody's. What is rare is left to Django's own nodes; the letters are byte for byte those that it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from django.template import Context, TemplateDoesNotExist, VariableDoesNotExist
from django.template.base import (
    FilterExpression,
    Node,
    Template,
    TextNode,
    VariableNode,
    render_value_in_context,
)
from django.template.defaulttags import AutoEscapeControlNode, FilterNode, IfNode, LoadNode, WithNode
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from pbem.outbox.rendering.template_expressions import Expressions, Value, Values

Part = Callable[[Values], str]
BUILT_IN = {"True": True, "False": False, "None": None}
_SETTINGS = {escape: Context(autoescape=escape) for escape in (True, False)}


def render(name: str, values: Values) -> SafeString:
    """As Django's `render_to_string`."""
    return mark_safe(_compiled(name, "", True, get_language())({**BUILT_IN, **values}))


def render_block(name: str, block: str, values: Values) -> str | None:
    """That `block` of the text template `name`, where nothing is escaped; None where there is no such block."""
    if block not in _blocks(name):
        return None
    return _compiled(name, block, False, get_language())({**BUILT_IN, **values})


@cache
def exists(name: str) -> bool:
    try:
        _template(name)
    except TemplateDoesNotExist:
        return False
    return True


@cache
def _blocks(name: str) -> Mapping[str, BlockNode]:
    nodes = _template(name).nodelist.get_nodes_by_type(BlockNode) if exists(name) else []
    return {node.name: node for node in nodes if isinstance(node, BlockNode)}


def _template(name: str) -> Template:
    template: Template = get_template(name).template  # type: ignore[attr-defined]  # of Django's own engine
    return template


@cache
def _compiled(name: str, block: str, escape: bool, language: str | None) -> Part:
    """The template, or one block of it; `language` is the one that is active, in which its words are looked up now."""
    nodes = _blocks(name)[block].nodelist if block else _template(name).nodelist
    return _Compiler(_template(name), escape, language).all(nodes)


class _Compiler:
    def __init__(self, template: Template, escape: bool, language: str | None) -> None:
        self._template, self._escape, self._language = template, escape, language
        self._values = Expressions(template, escape)

    def all(self, nodes: Iterable[Node]) -> Part:
        parts = list(_joined(self._part(node) for node in nodes))
        if not parts:
            return lambda values: ""
        if len(parts) == 1:
            only = parts[0]
            return (lambda values: only) if isinstance(only, str) else only
        made = [(lambda values, part=part: part) if isinstance(part, str) else part for part in parts]
        return lambda values: "".join([part(values) for part in made])

    def _part(self, node: Any) -> Part | str:
        """A text is the same in every letter."""
        match node:
            case TextNode():
                return str(node.s)
            case LoadNode():
                return ""
            case VariableNode():
                return self._shown(self._values.expression(node.filter_expression, ""))
            case IfNode():
                return self._if(node)
            case WithNode():
                return self._with(node.extra_context, self.all(node.nodelist))
            case IncludeNode(template=FilterExpression(var=str(name), filters=[])):
                return self._include(node, name)
            case BlockNode():
                return self.all(node.nodelist)
            case AutoEscapeControlNode():
                return _Compiler(self._template, node.setting, self._language).all(node.nodelist)
            case FilterNode():
                body, filtered = self.all(node.nodelist), self._values.expression(node.filter_expr, "")
                return lambda values: filtered({**values, "var": mark_safe(body(values))})
            case TranslateNode() if _is_plain(node):
                return gettext(node.filter_expression.var.literal.replace("%", "%%")).replace("%%", "%")
            case BlockTranslateNode() if not (node.plural or node.message_context or node.asvar):
                return self._sentence(node)
        return self._left_to_django(node)

    def _left_to_django(self, node: Node) -> Part:
        def part(values: Values) -> str:
            context = Context(values, autoescape=self._escape)
            with context.bind_template(self._template):
                return str(node.render_annotated(context))

        return part

    def _if(self, node: IfNode) -> Part:
        branches = [
            (self._values.condition(condition), self.all(nodes))
            for condition, nodes in node.conditions_nodelists
        ]

        def part(values: Values) -> str:
            for holds, then in branches:
                try:
                    found = holds(values)
                except VariableDoesNotExist:
                    continue
                if found:
                    return then(values)
            return ""

        return part

    def _with(self, more: Mapping[str, FilterExpression], body: Part) -> Part:
        if not more:
            return body
        found = [(name, self._values.expression(value, "")) for name, value in more.items()]
        return lambda values: body({**values, **{name: value(values) for name, value in found}})

    def _include(self, node: IncludeNode, name: str) -> Part:
        escape, language = self._escape, self._language

        def included(values: Values) -> str:
            return _compiled(name, "", escape, language)(values)

        if not node.isolated_context:
            return self._with(node.extra_context, included)
        alone = [(key, self._values.expression(value, "")) for key, value in node.extra_context.items()]
        return lambda values: included(BUILT_IN | {key: value(values) for key, value in alone})

    def _sentence(self, node: Any) -> Part:
        message, names = node.render_token_list(node.singular)
        said = gettext(message)
        shown = [(name, self._shown(_named(name))) for name in names]
        by_django = self._left_to_django(node)

        def part(values: Values) -> str:
            try:
                return said % {name: show(values) for name, show in shown}
            except (KeyError, ValueError):  # the translation names what the sentence does not have
                return by_django(values)

        return self._with(node.extra_context, part) if names else _same(said, by_django)

    def _shown(self, value: Value) -> Part:
        """As it is written in a letter."""
        escape, settings = self._escape, _SETTINGS[self._escape]

        def part(values: Values) -> str:
            found = value(values)
            kind = found.__class__
            if kind is SafeString:
                return str(found)
            if kind is str:
                return conditional_escape(found) if escape else found
            return render_value_in_context(found, settings)

        return part


def _is_plain(node: Any) -> bool:
    """A sentence without a choice of words."""
    expression = node.filter_expression
    bare = not (expression.filters or node.message_context or node.asvar or node.noop)
    return bare and expression.var.lookups is None


def _joined(parts: Iterable[Part | str]) -> Iterator[Part | str]:
    """Neighbouring texts become one."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        if text:
            yield text
        text = ""
        yield part
    if text:
        yield text


def _same(said: str, otherwise: Part) -> Part:
    """A sentence that names nothing, but for what its translation may."""
    try:
        text = said % {}
    except (KeyError, ValueError):
        return otherwise
    return lambda values: text


def _named(name: str) -> Value:
    return lambda values: values.get(name, "")
