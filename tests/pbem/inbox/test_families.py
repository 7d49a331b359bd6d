"""The contract of a family of verbs: each folder that is found keeps it, in every language."""

from __future__ import annotations

from pathlib import Path

import grimp
import pytest
from django.conf import settings

from pbem.inbox.commands import families
from pbem.inbox.commands.command import Family
from pbem.inbox.commands.families import FAMILIES, modules
from pbem.inbox.commands.words import VERBS_OF
from pbem.inbox.handling.dispatch import HANDLERS
from pbem.wording import fold

HERE = Path(families.__file__).parent
EACH = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.package.rpartition(".")[2])
IN_EACH_LANGUAGE = pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])


def test_each_folder_is_a_family_and_none_has_the_place_of_another() -> None:
    folders = {path.parent for path in HERE.glob("*/grammar.py")}
    assert {HERE / family.package.rpartition(".")[2] for family in FAMILIES} == folders
    assert folders == {path.parent for path in HERE.glob("*/*.py")}
    assert len({(family.chapter, family.rank) for family in FAMILIES}) == len(FAMILIES)


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


@EACH
def test_a_command_has_a_handler(family: Family) -> None:
    assert set(family.readers) <= set(HANDLERS)


def test_a_handler_is_for_a_command_of_its_family() -> None:
    for grammar, handled in zip(modules("grammar"), modules("handlers"), strict=True):
        assert set(handled.HANDLERS) == set(grammar.FAMILY.readers)


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("pbem", cache_dir=None)


@EACH
def test_grammar_knows_nothing_of_what_is_done(graph: grimp.ImportGraph, family: Family) -> None:
    for doing in ("pbem.inbox.handling", "pbem.inbox.models"):
        assert not graph.chain_exists(importer=f"{family.package}.grammar", imported=doing, as_packages=True)


@EACH
def test_handlers_know_nothing_of_how_they_are_found(graph: grimp.ImportGraph, family: Family) -> None:
    for dispatch in ("pbem.inbox.handling.dispatch", "pbem.inbox.handling.dispatch"):
        assert not graph.chain_exists(importer=f"{family.package}.handlers", imported=dispatch)
