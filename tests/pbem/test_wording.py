"""The words of every package: in each language of ours, with the same keys, each of them read by somebody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from pbem.wording import MiswrittenWording, wording

FILES = sorted((settings.ROOT / "pbem").rglob("*wording.en.toml"))
BY_VALUE = {
    "verbs",
    "said",
    "alike",
    "deeds",
    "said_sides",
    "side_options",
    "spelled",
    "hints",
    "chapters",
    "codes",
    "essentials",
    "topics",
    "scopes",
    "sorts",
    "languages",
}  # tables whose keys are not written in the sources


def package_of(file: Path) -> str:
    """The package or the module that the words are of."""
    module = file.name.removesuffix("wording.en.toml").rstrip(".")
    return ".".join([*file.parent.relative_to(settings.ROOT).parts, *filter(None, [module])])


IN_EACH = pytest.mark.parametrize("file", FILES, ids=package_of)


@IN_EACH
def test_every_language_of_ours_and_no_other_has_its_words(file: Path) -> None:
    assert set(wording(package_of(file)).languages) == {code for code, _ in settings.LANGUAGES}


@IN_EACH
def test_a_word_stands_once_in_its_list(file: Path) -> None:
    spoken = wording(package_of(file))
    for language in spoken.languages:
        for words in lists(spoken.tables[language]):
            assert len(set(map(str, words))) == len(words), words


@IN_EACH
def test_every_list_is_asked_for_by_name(file: Path) -> None:
    folder = file.parent
    readers = folder.parent if folder.name == "commands" else folder  # `understanding`, too
    sources = "\n".join(path.read_text("utf-8") for path in readers.rglob("*.py"))
    for key, value in wording(package_of(file)).tables["en"].items():
        names = [key, *(value if isinstance(value, Mapping) and key not in BY_VALUE else ())]
        assert (
            key in BY_VALUE or [name for name in names if not re.search(f"[\"']{name}[\"']", sources)] == []
        )


def lists(table: Mapping[str, Any]) -> Iterator[list[Any]]:
    for value in table.values():
        if isinstance(value, Mapping):
            yield from lists(value)
        elif isinstance(value, list):
            yield value


def test_whatever_is_wrong_names_its_file_and_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(name: str, **languages: str) -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").touch()
        for language, text in languages.items():
            (folder / f"wording.{language}.toml").write_text(text, "utf-8")
        with pytest.raises(MiswrittenWording) as error:
            wording(name).of("en", "from", "here")
        return str(error.value)

    monkeypatch.syspath_prepend(tmp_path)
    assert said("lacks_a_key", en="a = []\nb.c = []", de="a = []\nb = {}") == (
        "lacks_a_key/wording.de.toml: no b.c"
    )
    assert said("has_another", en="a = []", de="a = []\nform = []") == (
        "has_another/wording.de.toml: unknown form"
    )
    assert said("no_source", de="a = []") == "no_source/wording.en.toml is missing"
    assert said("nobody_wrote_it", en="from = {}") == "nobody_wrote_it/wording.en.toml: no from.here"
    assert said("no_toml", en="a = ").startswith("no_toml/wording.en.toml: ")
