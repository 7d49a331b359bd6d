"""A table as an OpenDocument spreadsheet (ISO/IEC 26300), which Excel, LibreOffice and the web's office programs open.

Where a CSV is guessed at, each field here says what it is: `1/2` is no date, and nothing is a formula.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MANIFEST = (
    f'{_HEAD}<manifest:manifest xmlns:manifest="{_URN}manifest:1.0" manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{MEDIA_TYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)
_CONTENT = (
    f'{_HEAD}<office:document-content xmlns:office="{_URN}office:1.0" xmlns:table="{_URN}table:1.0"'
    f' xmlns:text="{_URN}text:1.0" office:version="1.2"><office:body><office:spreadsheet>'
    "<table:table table:name={name}>{rows}</table:table>"
    "</office:spreadsheet></office:body></office:document-content>"
)


def ods(name: str, lines: Iterable[Iterable[object]]) -> bytes:
    """One sheet of that name. The same lines give the same bytes."""
    rows = "".join(f"<table:table-row>{''.join(map(_cell, line))}</table:table-row>" for line in lines)
    files = (
        ("mimetype", MEDIA_TYPE, ZIP_STORED),  # first and as it is: it tells what the file is
        ("META-INF/manifest.xml", _MANIFEST, ZIP_DEFLATED),
        ("content.xml", _CONTENT.format(name=quoteattr(name), rows=rows), ZIP_DEFLATED),
    )
    file = BytesIO()
    with ZipFile(file, "w") as folder:
        for path, content, packed in files:
            folder.writestr(ZipInfo(path), content, packed)
    return file.getvalue()


def _cell(field: object) -> str:
    match field:
        case None | "":
            return "<table:table-cell/>"
        case int() | float():
            kind, said = f'"float" office:value="{field}"', str(field)
        case date():
            kind, said = f'"date" office:date-value="{field.isoformat()}"', field.isoformat()
        case _:
            kind, said = '"string"', str(field)
    return f"<table:table-cell office:value-type={kind}><text:p>{escape(said)}</text:p></table:table-cell>"
