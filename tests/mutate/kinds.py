"""The kinds of mutation: each takes a node and gives another, or None where it does not apply."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass

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
    said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return ast.Pass() if said or isinstance(node, ast.AugAssign) else None


def _nothing(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Return) and node.value is not None:
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
    line: int
    source: str  # the module with it

    def __str__(self) -> str:
        return f"line {self.line}: {self.kind}"


def mutations(source: str) -> Iterator[Mutation]:
    """One after the other, none of them in a docstring, an annotation or an import."""
    tree = ast.parse(source)
    for place, node in enumerate(ast.walk(tree)):
        for name, kind in KINDS.items():
            if kind(deepcopy(node)) is not None:
                yield Mutation(name, getattr(node, "lineno", 0), _mutated(tree, place, kind))


def _mutated(tree: ast.Module, place: int, kind: Kind) -> str:
    copy = deepcopy(tree)
    target = list(ast.walk(copy))[place]

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if node is target:
                return kind(node) or node
            return self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Replace().visit(copy)))
