"""Links that open an email to us, written already."""

from urllib.parse import quote

from pbem.outbox.signed_addresses import play_address


def mailto(*lines: str) -> str:
    text = "\r\n".join(lines)
    return f"mailto:{play_address()}?body={quote(text)}"
