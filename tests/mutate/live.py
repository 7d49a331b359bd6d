"""Puts a mutation into a module that is loaded already: the code of its functions, and the values at its top."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator, Sequence
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.processes import ROOT

Key = tuple[str, int, bytes]


class NotWhileLoaded(Exception):
    """A class, a decorator or a default: what was made of it is everywhere by now."""


def functions_of(module: ModuleType) -> list[FunctionType]:
    """All that were made in it: methods, those inside of others, those behind decorators."""
    gc.unfreeze()
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType)
        and each.__globals__ is module.__dict__
        and each.__code__.co_filename == module.__file__
    ]


def change(module: ModuleType, functions: Sequence[FunctionType], mutated: ast.Module) -> None:
    """For good: it is done in a process that ends afterwards."""
    name = str(module.__file__)
    source = ast.parse(Path(name).read_text())
    pairs = list(_pairs(_compiled(source, name), _compiled(mutated, name)))
    if any(not _is_function(old) and _own(old) != _own(new) for old, new in pairs):
        _set_values(module, source, mutated)
    changed = {_key(old): new for old, new in pairs if _is_function(old)}
    for function in functions:
        if code := changed.get(_key(function.__code__)):
            try:
                function.__code__ = code
            except ValueError as why:  # it needs another number of names from around it
                raise NotWhileLoaded from why
    _forget()


def _set_values(module: ModuleType, source: ast.Module, mutated: ast.Module) -> None:
    """Evaluates the assignment that was changed, and all below it, and gives them to those who have imported them."""
    place = next(
        place
        for place, (old, new) in enumerate(zip(source.body, mutated.body, strict=True))
        if ast.dump(old) != ast.dump(new)
    )
    if not isinstance(mutated.body[place], ast.Assign | ast.AnnAssign):
        raise NotWhileLoaded
    below = [each for each in mutated.body[place:] if isinstance(each, ast.Assign | ast.AnnAssign)]
    values = dict(vars(module))
    exec(
        _compiled(ast.Module([*_future(mutated), *below], []), str(module.__file__)),
        values,
    )
    for name, value in values.items():
        old = vars(module).get(name)
        if value is not old and (type(value) is not type(old) or value != old):
            for each in (module, *_importers(module)):
                if vars(each).get(name) is old:
                    vars(each)[name] = value


def _future(tree: ast.Module) -> list[ast.stmt]:
    return [each for each in tree.body if isinstance(each, ast.ImportFrom) and each.module == "__future__"]


def _importers(module: ModuleType) -> Iterator[ModuleType]:
    """Other modules of ours that have taken something out of it by name."""
    for each in list(sys.modules.values()):
        file = Path(getattr(each, "__file__", None) or "")
        ours = file.suffix == ".py" and file.is_relative_to(ROOT) and ".venv" not in file.parts
        if ours and each is not module and f"from {module.__name__} import" in file.read_text():
            yield each


def _forget() -> None:
    """Whatever functions of ours have kept: it may come from before."""
    for name, module in list(sys.modules.items()):
        if name.startswith("pbem"):
            for value in list(vars(module).values()):
                for kept in (value, *_enclosed(value)):
                    if hasattr(kept, "cache_clear"):
                        kept.cache_clear()


def _enclosed(value: object) -> Iterator[object]:
    """What a decorator of ours has kept beside a function: a compiled query, say."""
    for cell in getattr(value, "__closure__", None) or ():
        yield cell.cell_contents


def _compiled(tree: ast.Module, name: str) -> CodeType:
    return compile(tree, name, "exec", dont_inherit=True)


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    yield old, new
    inside = list(_inside(new))
    for each in _inside(old):
        alike = (
            e for e in inside if (e.co_qualname, e.co_firstlineno) == (each.co_qualname, each.co_firstlineno)
        )
        if found := next(alike, None):
            inside.remove(found)
            yield from _pairs(each, found)


def _inside(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _own(code: CodeType) -> object:
    """What it does itself, whatever the functions in it do."""
    constants = [each for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, code.co_names, repr(constants)


def _is_function(code: CodeType) -> bool:
    return bool(code.co_flags & CO_OPTIMIZED)


def _key(code: CodeType) -> Key:
    return code.co_qualname, code.co_firstlineno, code.co_linetable
