"""The contract of a family of verbs: each module keeps it, in every language."""

from __future__ import annotations

import grimp
import pytest
from django.conf import settings

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.verbs import FAMILIES, VERBS, VERBS_OF, Chapter, Family, modules, readers
from pbem.inbox.handling.dispatch import HANDLERS
from pbem.wording import fold

EACH = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
IN_EACH_LANGUAGE = pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])


def test_the_families_stand_in_the_order_of_the_chapters() -> None:
    chapters = [family.chapter for family in FAMILIES]
    assert chapters == sorted(chapters, key=list(Chapter).index)
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)


def test_each_command_has_a_verb() -> None:
    assert sorted(verb.command.__name__ for verb in VERBS) == sorted(
        kind.__name__ for kind in Command.__subclasses__() if kind.__module__.startswith("pbem.")
    )


@EACH
@IN_EACH_LANGUAGE
def test_a_verb_has_words_a_usage_and_help(family: Family, language: str) -> None:
    for verb in family.verbs:
        said = verb.phrases[language]
        assert said.words
        assert all(word.isupper() and verb in VERBS_OF[fold(word)] for word in said.words)
        assert said.words[0] in said.usage
        assert said.help.endswith(".")
        assert "  " not in said.help


def test_a_family_reads_and_handles_its_own_commands() -> None:
    for family, module in zip(FAMILIES, modules(), strict=True):
        assert list(module.VERBS) == [verb.command for verb in family.verbs]
    assert set(readers()) == set(HANDLERS) == {verb.command for verb in VERBS}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("pbem", cache_dir=None)


@EACH
def test_only_the_table_of_families_knows_them(graph: grimp.ImportGraph, family: Family) -> None:
    families = {f"pbem.inbox.commands.{other.name}" for other in FAMILIES}
    module = f"pbem.inbox.commands.{family.name}"
    assert graph.find_modules_that_directly_import(module) <= families
    assert not graph.chain_exists(importer=module, imported="pbem.inbox.handling.dispatch")


@pytest.mark.parametrize("module", ["command", "match_commands", "verbs", "line", "line_parser", "parser"])
def test_what_reads_lines_knows_nothing_of_what_is_done(graph: grimp.ImportGraph, module: str) -> None:
    for doing in ("pbem.inbox.handling", "pbem.inbox.models"):
        assert not graph.chain_exists(
            importer=f"pbem.inbox.commands.{module}", imported=doing, as_packages=True
        )
