"""The kinds of mutation: each takes a node and gives another, or None where it does not apply."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

Kind = Callable[[ast.AST], ast.AST | None]


def _compared(before: type[ast.cmpop], after: type[ast.cmpop]) -> Kind:
    def kind(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], before):
            node.ops[0] = after()
            return node
        return None

    return kind


def _joined(before: type[ast.boolop], after: type[ast.boolop]) -> Kind:
    def kind(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, before):
            node.op = after()
            return node
        return None

    return kind


def _reckoned(before: type[ast.operator], after: type[ast.operator]) -> Kind:
    def kind(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, before):
            node.op = after()
            return node
        return None

    return kind


def _named(before: str, after: str) -> Kind:
    def kind(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == before:
            node.func.id = after
            return node
        return None

    return kind


def _constant(before: object, after: object) -> Kind:
    def kind(node: ast.AST) -> ast.AST | None:
        return ast.Constant(after) if isinstance(node, ast.Constant) and node.value is before else None  # type: ignore[arg-type]

    return kind


def _one_more(node: ast.AST) -> ast.AST | None:
    number = isinstance(node, ast.Constant) and type(node.value) is int
    return ast.Constant(node.value + 1) if number else None  # type: ignore[attr-defined]


def _not(node: ast.AST) -> ast.AST | None:
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None


def _statement(node: ast.AST) -> ast.AST | None:
    said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _is_logged(node.value)
    return ast.Pass() if said or isinstance(node, ast.AugAssign) else None


def _is_logged(call: ast.Call) -> bool:
    return ast.unparse(call.func).startswith("log.")


def _nothing(node: ast.AST) -> ast.AST | None:
    """Nor is False another answer than None to anyone who asks `if`."""
    if isinstance(node, ast.Return) and ast.unparse(node.value or ast.Constant(None)) not in (
        "None",
        "False",
    ):
        node.value = ast.Constant(None)
        return node
    return None


def _condition(value: bool) -> Kind:
    def kind(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.If | ast.IfExp):
            node.test = ast.Constant(value)
            return node
        return None

    return kind


def _keyword(node: ast.AST) -> ast.AST | None:
    """A filter without its last condition."""
    filters = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and "filter" in node.func.attr
    )
    if filters and node.keywords:  # type: ignore[attr-defined]
        node.keywords.pop()  # type: ignore[attr-defined]
        return node
    return None


KINDS: Mapping[str, Kind] = {
    "< is <=": _compared(ast.Lt, ast.LtE),
    "<= is <": _compared(ast.LtE, ast.Lt),
    "> is >=": _compared(ast.Gt, ast.GtE),
    ">= is >": _compared(ast.GtE, ast.Gt),
    "== is !=": _compared(ast.Eq, ast.NotEq),
    "!= is ==": _compared(ast.NotEq, ast.Eq),
    "is is is not": _compared(ast.Is, ast.IsNot),
    "is not is is": _compared(ast.IsNot, ast.Is),
    "in is not in": _compared(ast.In, ast.NotIn),
    "not in is in": _compared(ast.NotIn, ast.In),
    "and is or": _joined(ast.And, ast.Or),
    "or is and": _joined(ast.Or, ast.And),
    "not is nothing": _not,
    "+ is -": _reckoned(ast.Add, ast.Sub),
    "- is +": _reckoned(ast.Sub, ast.Add),
    "min is max": _named("min", "max"),
    "max is min": _named("max", "min"),
    "any is all": _named("any", "all"),
    "True is False": _constant(True, False),
    "False is True": _constant(False, True),
    "a number is one more": _one_more,
    "a statement is left out": _statement,
    "return is return None": _nothing,
    "if is if True": _condition(True),
    "if is if False": _condition(False),
    "a filter lacks a condition": _keyword,
}


@dataclass(frozen=True)
class Mutation:
    kind: str
    lines: range  # of what is changed
    original: ast.Module
    place: int  # of what is changed, as one walks through it

    def __str__(self) -> str:
        return f"line {self.lines.start}: {self.kind}"

    @cached_property
    def tree(self) -> ast.Module:
        """The module with it."""
        return _mutated(self.original, self.place, KINDS[self.kind])

    @property
    def source(self) -> str:
        return ast.unparse(self.tree)


def mutations(source: str) -> Iterator[Mutation]:
    """One after the other, none of them in a docstring, an annotation, an import, a decorator or a line of the log."""
    tree = ast.parse(source)
    passed_over = {inside for node in ast.walk(tree) for inside in _decorations(node)}
    for place, node in enumerate(ast.walk(tree)):
        if node in passed_over:
            continue
        for name, kind in KINDS.items():
            if kind(deepcopy(node)) is not None:
                yield Mutation(name, _lines(node), tree, place)


def _decorations(node: ast.AST) -> Iterator[ast.AST]:
    """A frozen value that is not frozen does nothing else; what is logged is for people."""
    for each in getattr(node, "decorator_list", ()):
        yield from ast.walk(each)
    if isinstance(node, ast.Call) and _is_logged(node):
        yield from ast.walk(node)


def _lines(node: ast.AST) -> range:
    """For a condition those of the condition, for it may be there that nobody comes further."""
    node = node.test if isinstance(node, ast.If) else node
    return range(getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) + 1)


def _mutated(tree: ast.Module, place: int, kind: Kind) -> ast.Module:
    copy = deepcopy(tree)
    target = list(ast.walk(copy))[place]

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if node is target:
                return ast.copy_location(kind(node) or node, node)
            return self.generic_visit(node)

    changed: ast.Module = ast.fix_missing_locations(Replace().visit(copy))
    return changed
