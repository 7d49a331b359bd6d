"""The catalogues hold every sentence of the sources, translated, with the same blanks to fill in."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from django.conf import settings

from pbem.operator.management.commands import collect_messages as messages

CATALOGUES = list(messages.translations(settings.ROOT))

in_each_language = pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])


@pytest.fixture(scope="module")
def found() -> Catalog:
    return messages.collect(settings.ROOT)


def strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def blanks(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]|\{\w*\}", text))


def sentences(catalog: Catalog) -> dict[object, Message]:
    return {(message.context, message.id): message for message in catalog if message.id}


def test_every_language_but_the_sources_own_has_a_catalogue() -> None:
    translated = {path.parts[-3] for path in CATALOGUES}
    assert translated == {code for code, _ in settings.LANGUAGES} - {"en"}


@pytest.mark.prove
def test_sentences_are_found_in_python_and_in_templates(found: Catalog) -> None:
    files = {message.id: {name for name, _ in message.locations} for message in found if message.id}
    assert files["It is your turn."] == {f"templates/mail/{name}.txt" for name in ("clocks", "parts")}
    assert files["Your email was empty. Write your move in the first line."] == {"pbem/refusals/__init__.py"}
    plural = "%(moves)s move has been taken back.", "%(moves)s moves have been taken back."
    assert files[plural] == {"templates/mail/match.txt"}


@in_each_language
def test_the_catalogue_holds_what_the_sources_say_and_nothing_else(path: Path, found: Catalog) -> None:
    assert set(sentences(messages.read(path))) == set(sentences(found)), "run `make messages`, then translate"


@in_each_language
def test_every_sentence_is_translated(path: Path) -> None:
    assert [m.id for m in messages.read(path) if m.id and (m.fuzzy or not all(strings(m)))] == []


@in_each_language
def test_translations_have_the_blanks_of_their_sentences(path: Path) -> None:
    for message in sentences(messages.read(path)).values():
        forms = (message.id, message.id) if isinstance(message.id, str) else message.id
        for number, string in enumerate(strings(message)):
            assert blanks(string) == blanks(forms[number > 0]), message.id


@in_each_language
def test_writing_a_catalogue_anew_changes_nothing(path: Path, tmp_path: Path, found: Catalog) -> None:
    copy = tmp_path / path.relative_to(settings.ROOT)
    copy.parent.mkdir(parents=True)
    messages.write(copy, messages.merge(path, found))
    assert copy.read_text("utf-8") == path.read_text("utf-8")


def test_a_new_sentence_comes_in_empty_and_one_that_is_gone_goes(tmp_path: Path) -> None:
    path = tmp_path / "it" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    old, new = Catalog(locale="it"), Catalog()
    old.add("Yes.", "Sì.")
    old.add("Good bye.", "Arrivederci.")
    messages.write(path, old)
    new.add("Yes.")
    new.add("No.")
    merged = messages.merge(path, new)
    assert {m.id: m.string or "" for m in merged if m.id} == {"Yes.": "Sì.", "No.": ""}
    messages.write(path, merged)
    assert "Arrivederci" not in path.read_text("utf-8")
