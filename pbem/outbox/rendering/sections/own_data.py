"""The section with all that is kept of its reader, as an archive."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from pbem.outbox.data_export import write
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context

MOST = 5 * 1024 * 1024  # bytes: many mail servers take no letter of more than ten million


def _my_data(section: Mapping[str, Any], reader: Reader) -> Context:
    """Of nobody but the reader, and as it is when the letter is written."""
    assert reader.player
    file = BytesIO()
    whole = write(reader.player, file, most=MOST)
    return {"whole": whole, "files": [Attachment(f"{reader.player.folded}.zip", "zip", file.getvalue())]}


BUILDERS: Mapping[str, Builder] = {"my_data": _my_data}
