"""The contract that no module imports itself by way of others, not even for types alone: see pyproject.toml."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from grimp import ImportGraph
from importlinter import Contract, ContractCheck
from importlinter.application import output


class Acyclic(Contract):
    """Of all modules. `acyclic_siblings`, which comes with the linter, is about packages as wholes."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        found = circle(graph)
        return ContractCheck(kept=not found, metadata={"circle": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        output.print_error(" -> ".join(check.metadata["circle"]))


def circle(graph: ImportGraph) -> list[str]:
    """One, each module imported by the one before it; none if the list is empty."""
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []
