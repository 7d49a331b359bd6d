"""What templates say between their braces, `match.deadline|due:now`, as functions of the values of a letter."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.template import Context, VariableDoesNotExist
from django.template.base import Template, Variable
from django.utils.safestring import SafeData, mark_safe
from django.utils.timezone import template_localtime  # type: ignore[attr-defined]  # the stubs forget it

Values = Mapping[str, Any]
Value = Callable[[Values], Any]
_NOTHING: Any = object()
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


class Expressions:
    """Of one template, where texts are escaped or not."""

    def __init__(self, template: Template, escape: bool) -> None:
        self._template, self._escape = template, escape

    def condition(self, node: Any) -> Value:
        if node is None:
            return lambda values: True
        if node.id == "literal":
            return self.expression(node.value, None)
        first = self.condition(node.first)
        if node.id == "not":
            return _false_if_wrong(lambda values: not first(values))
        second = self.condition(node.second)
        if node.id == "and":
            return _false_if_wrong(lambda values: first(values) and second(values))
        if node.id == "or":
            return _false_if_wrong(lambda values: first(values) or second(values))
        compared = _COMPARED[node.id]
        return _false_if_wrong(lambda values: compared(first(values), second(values)))

    def expression(self, expression: Any, otherwise: Any) -> Value:
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
