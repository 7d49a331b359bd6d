"""A language that nobody speaks, made of English by rule: its files, and its line in LANGUAGES, are all that it takes.

They are laid into a copy of the service, whose Python is left as it is; there `pretended.py` is played.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.conf import settings

from pbem.operator.management.commands import collect_messages as messages

pytestmark = pytest.mark.prove

CODE = "xx"
COPIED = ("games", "pbem", "templates", "tests")
# What stays as it is: blanks to fill in, tags, code, addresses of the web.
_KEPT = re.compile(r"(\{[^}]*\}|%\(\w+\)[sd]|%[sd]|<[^>]*>|&\w+;|`[^`]*`|https?://\S+)")
_WORD = re.compile(r"[^\W\d_]{2,}")


def pretended(text: str) -> str:
    """Each word with a Q before it, as large or small as the word."""
    return "".join(
        part if number % 2 else _WORD.sub(_with_q, part) for number, part in enumerate(_KEPT.split(text))
    )


def _with_q(found: re.Match[str]) -> str:
    word = found[0]
    if word.isupper():
        return f"Q{word}"
    return f"Q{word[0].lower()}{word[1:]}" if word[0].isupper() else f"q{word}"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("service")
    for folder in COPIED:
        copytree(settings.ROOT / folder, root / folder, ignore=ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "manage.py"):
        (root / file).write_bytes((settings.ROOT / file).read_bytes())
    for path in [*root.rglob("*wording.en.toml"), *(root / "games").rglob("phrases.en.toml")]:
        words = "\n".join(_toml(tomllib.loads(path.read_text("utf-8"))))
        path.with_name(path.name.replace(".en.", f".{CODE}.")).write_text(words, "utf-8")
    for path in (root / "games").rglob("rules.en.md"):
        path.with_name(f"rules.{CODE}.md").write_text(_page(path.read_text("utf-8")), "utf-8")
    _translate(root)
    (root / "third_language.py").write_text(
        f"from tests.settings import *\n\nLANGUAGES = [*LANGUAGES, ({CODE!r}, 'Pretended')]\n"
    )
    return root


def test_a_player_signs_up_plays_and_gets_help_in_it(service: Path) -> None:
    played(service, "tests/journeys/pretended.py")


def test_it_keeps_the_contracts_of_words_and_verbs(service: Path) -> None:
    played(service, "tests/pbem/test_wording.py", "tests/pbem/inbox/commands/test_verbs.py")


def played(service: Path, *tests: str) -> None:
    command = [sys.executable, "-m", "pytest", "--ds", "third_language", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=service, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def _toml(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The same keys, of what is said the pretended words."""
    for key, value in table.items():
        if not isinstance(value, Mapping):
            yield f"{json.dumps(key)} = {json.dumps(_value(value))}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            name = f"{path}{json.dumps(key)}"
            yield f"[{name}]"
            yield from _toml(value, f"{name}.")


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(each) for each in value]
    return pretended(value) if isinstance(value, str) else value


def _page(text: str) -> str:
    """The boards of a page are drawn from what stands between its fences."""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if number % 2 else pretended(part) for number, part in enumerate(parts))


def _translate(root: Path) -> None:
    catalog = Catalog()
    for message in messages.collect(root):
        if message.id:
            said = message.id
            strings = tuple(map(pretended, said)) if isinstance(said, tuple) else pretended(said)
            catalog.add(said, strings, context=message.context)
    folder = root / "pbem" / "locale" / CODE / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, catalog)
