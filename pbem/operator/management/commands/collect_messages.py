"""Updates the translators' catalogues from the sources."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation.template import templatize

# Extraction with Babel alone, without gettext

KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
}
HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def collect(root: Path) -> Catalog:
    """Returns the messages of `pbem/**.py` and `templates/**` under `root`, with their files."""
    found = Catalog(charset="utf-8")
    for path in sorted([*(root / "pbem").rglob("*.py"), *(root / "templates").rglob("*.*")]):
        name = path.relative_to(root).as_posix()
        for _, message, comments, context in extract("python", BytesIO(_as_python(path)), KEYWORDS):
            found.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    return found


def translations(root: Path) -> Iterator[Path]:
    """Yields the catalogue of each language."""
    yield from sorted((root / "pbem" / "locale").glob("*/LC_MESSAGES/django.po"))


def merge(path: Path, found: Catalog) -> Catalog:
    """Returns the catalogue at `path` with the messages `found`: new ones empty, obsolete ones removed."""
    catalog = read(path)
    catalog.update(found, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain="django")


def write(path: Path, catalog: Catalog) -> None:
    """Writes a catalogue without dates and line numbers, which would change with every edit."""
    with path.open("wb") as file:
        file.write(HEADER.format(language=catalog.locale, plural=catalog.plural_forms).encode())
        write_po(file, catalog, width=0, include_lineno=False, sort_output=True, omit_header=True)


def _as_python(path: Path) -> bytes:
    """Returns a template as its gettext calls, in brackets, so that Python ignores the indentation."""
    source = path.read_text("utf-8")
    return (source if path.suffix == ".py" else f"({templatize(source, path.name)})").encode()


class Command(BaseCommand):
    help = "Collect the sentences to translate into pbem/locale, keeping what is translated."

    def handle(self, *args: Any, **options: Any) -> None:
        found = collect(settings.ROOT)
        for path in translations(settings.ROOT):
            catalog = merge(path, found)
            write(path, catalog)
            missing = sum(1 for message in catalog if message.id and not message.string)
            self.stdout.write(
                f"{path.relative_to(settings.ROOT)}: {len(catalog)} sentences, {missing} to translate"
            )
