"""Builds the template contexts of sections from their stored facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from pbem.outbox.notifications.kinds import FORMERLY, Section
from pbem.outbox.rendering.recipient import Builder, Context, Reader
from pbem.outbox.rendering.sections import match

END = "_section"


@cache
def builders() -> Mapping[str, Builder]:
    """Collects the builders of all modules by kind: `clock_section` is that of `clock`."""
    modules = (vars(import_module(f"{__name__}.{module.name}")) for module in iter_modules(__path__))
    named = {name: value for names in modules for name, value in names.items()}
    return {name.removesuffix(END): named[name] for name in named if name.endswith(END)}


def context_of(section: Section, reader: Reader) -> Context:
    """Returns the context of a section: always with `kind`, and `board` when it shows one."""
    kind = FORMERLY.get(section["kind"], section["kind"])
    section, build = section | {"kind": kind}, builders().get(kind)
    if build is None and "event" in section:
        build = match.event_context
    return {"kind": kind, "reader": reader, **(build(section, reader) if build else section)}
