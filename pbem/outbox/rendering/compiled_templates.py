"""The templates of letters as functions of their values, put together once for each language and way of escaping.

Django finds out at every letter what never changes: which part a node is, what its words are in this language, that a
name is nobody's. What is rare is left to Django's own nodes; the letters are byte for byte those that it writes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from django.template import Context, TemplateDoesNotExist, VariableDoesNotExist
from django.template.base import (
    FilterExpression,
    Node,
    Template,
    TextNode,
    Variable,
    VariableNode,
    render_value_in_context,
)
from django.template.defaulttags import AutoEscapeControlNode, FilterNode, IfNode, LoadNode, WithNode
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, IncludeNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.html import conditional_escape
from django.utils.safestring import SafeData, SafeString, mark_safe
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]  # the stubs forget it
from django.utils.translation import get_language, gettext

Values = Mapping[str, Any]
Part = Callable[[Values], str]
Value = Callable[[Values], Any]
BUILT_IN = {"True": True, "False": False, "None": None}
_NOTHING: Any = object()
_SETTINGS = {escape: Context(autoescape=escape) for escape in (True, False)}
_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda one, many: one in many,
    "not in": lambda one, many: one not in many,
}


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
                return self._shown(self._expression(node.filter_expression, ""))
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
                body, filtered = self.all(node.nodelist), self._expression(node.filter_expr, "")
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
            (self._condition(condition), self.all(nodes)) for condition, nodes in node.conditions_nodelists
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

    def _condition(self, node: Any) -> Value:
        if node is None:
            return lambda values: True
        if node.id == "literal":
            return self._expression(node.value, None)
        first = self._condition(node.first)
        if node.id == "not":
            return _false_if_wrong(lambda values: not first(values))
        second = self._condition(node.second)
        if node.id == "and":
            return _false_if_wrong(lambda values: first(values) and second(values))
        if node.id == "or":
            return _false_if_wrong(lambda values: first(values) or second(values))
        compared = _COMPARED[node.id]
        return _false_if_wrong(lambda values: compared(first(values), second(values)))

    def _with(self, more: Mapping[str, FilterExpression], body: Part) -> Part:
        if not more:
            return body
        found = [(name, self._expression(value, "")) for name, value in more.items()]
        return lambda values: body({**values, **{name: value(values) for name, value in found}})

    def _include(self, node: IncludeNode, name: str) -> Part:
        escape, language = self._escape, self._language

        def included(values: Values) -> str:
            return _compiled(name, "", escape, language)(values)

        if not node.isolated_context:
            return self._with(node.extra_context, included)
        alone = [(key, self._expression(value, "")) for key, value in node.extra_context.items()]
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

    def _expression(self, expression: Any, otherwise: Any) -> Value:
        """With `otherwise` in the place of what is not there."""
        found = self._variable(expression.var) if expression.is_var else lambda values: expression.var
        steps = [self._filter(function, arguments) for function, arguments in expression.filters]

        def value(values: Values) -> Any:
            made = found(values)
            if made is _NOTHING:
                made = otherwise
            for step in steps:
                made = step(made, values)
            return made

        return value

    def _filter(self, function: Any, arguments: Iterable[tuple[bool, Any]]) -> Callable[[Any, Values], Any]:
        given = [self._argument(it) if looked_up else _always(it) for looked_up, it in arguments]
        more = {"autoescape": self._escape} if getattr(function, "needs_autoescape", False) else {}
        is_local, is_safe = (getattr(function, name, False) for name in ("expects_localtime", "is_safe"))

        def step(value: Any, values: Values) -> Any:
            told = [argument(values) for argument in given]
            made = function(template_localtime(value) if is_local else value, *told, **more)
            return mark_safe(made) if is_safe and isinstance(value, SafeData) else made

        return step

    def _argument(self, variable: Variable) -> Value:
        found = self._variable(variable)

        def value(values: Values) -> Any:
            made = found(values)
            if made is _NOTHING:
                raise VariableDoesNotExist("no %s", (variable.var,))
            return made

        return value

    def _variable(self, variable: Variable) -> Value:
        """Names of values, keys of plain dictionaries and attributes; whatever else it may be, Django tries."""
        if variable.lookups is None:
            return _always(variable.literal) if not variable.translate else self._looked_up(variable)
        first, *rest = variable.lookups
        by_django = self._looked_up(variable)

        def value(values: Values) -> Any:
            found = values.get(first, _NOTHING)
            if found is _NOTHING:
                return _NOTHING
            if callable(found):
                return by_django(values)
            for bit in rest:
                if found.__class__ is dict:
                    found = found.get(bit, _NOTHING)
                elif hasattr(found.__class__, "__getitem__"):
                    return by_django(values)
                else:
                    try:
                        found = getattr(found, bit)
                    except Exception:
                        return by_django(values)
                if found is _NOTHING or callable(found):
                    return by_django(values)
            return found

        return value

    def _looked_up(self, variable: Variable) -> Value:
        def value(values: Values) -> Any:
            context = Context(values, autoescape=self._escape)
            with context.bind_template(self._template):
                try:
                    return variable.resolve(context)
                except VariableDoesNotExist:
                    return _NOTHING

        return value


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


def _always(value: Any) -> Value:
    return lambda values: value


def _false_if_wrong(condition: Value) -> Value:
    """Django's rule: what cannot be compared does not hold."""

    def value(values: Values) -> Any:
        try:
            return condition(values)
        except Exception:
            return False

    return value
