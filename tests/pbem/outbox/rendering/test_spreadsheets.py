"""A spreadsheet says of each field what it is, and is well-formed whatever stands in it."""

from datetime import date
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZIP_STORED, ZipFile

from pbem.outbox.rendering.spreadsheets import MEDIA_TYPE, ods

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
LINES = [["Name", "Points", "½"], ['<b>"Dora" & =1+1', 1.5, "1/2"], [None, 12, date(2026, 5, 4)]]


def test_every_field_has_its_kind() -> None:
    with ZipFile(BytesIO(ods("Coppa & Lega", LINES))) as folder:
        first = folder.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", ZIP_STORED)
        assert folder.read("mimetype").decode() == MEDIA_TYPE
        listed = {
            entry.attrib["{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}full-path"]
            for entry in ElementTree.fromstring(folder.read("META-INF/manifest.xml"))
        }
        assert listed == {"/", "content.xml"}
        content = ElementTree.fromstring(folder.read("content.xml"))
    [sheet] = content.iter(f"{TABLE}table")
    assert sheet.attrib[f"{TABLE}name"] == "Coppa & Lega"
    cells = [
        [
            (
                cell.attrib.get(f"{OFFICE}value-type"),
                cell.attrib.get(f"{OFFICE}value"),
                "".join(cell.itertext()),
            )
            for cell in row
        ]
        for row in sheet
    ]
    assert cells == [
        [("string", None, "Name"), ("string", None, "Points"), ("string", None, "½")],
        [("string", None, '<b>"Dora" & =1+1'), ("float", "1.5", "1.5"), ("string", None, "1/2")],
        [(None, None, ""), ("float", "12", "12"), ("date", None, "2026-05-04")],
    ]
    assert ods("Coppa & Lega", LINES) == ods("Coppa & Lega", LINES)
