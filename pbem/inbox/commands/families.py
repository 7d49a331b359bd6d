"""All families of verbs, one for each subfolder, in the order of HELP."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from pbem.inbox.commands.command import Chapter, Family, Verb


def modules(name: str) -> Iterator[ModuleType]:
    """Yields the module `name` of each family."""
    for folder in iter_modules([str(Path(__file__).parent)]):
        if folder.ispkg:
            yield import_module(f"{__package__}.{folder.name}.{name}")


def _in_order() -> tuple[Family, ...]:
    chapters = list(Chapter)
    found: list[Family] = [grammar.FAMILY for grammar in modules("grammar")]
    return tuple(sorted(found, key=lambda family: (chapters.index(family.chapter), family.rank)))


FAMILIES = _in_order()
VERBS: tuple[Verb, ...] = tuple(verb for family in FAMILIES for verb in family.verbs)
