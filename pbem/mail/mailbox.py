"""Whose mailbox an address is: however it is spelled, its reader is one."""

from __future__ import annotations

from pbem.mail.authentication.dkim import domain_of

# Domains of providers that ignore dots before the @, and the one that stands for all of the same provider.
DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


def mailbox_of(address: str) -> str:
    """The same for every spelling: in small letters, without a tag behind a plus, and without dots that are ignored."""
    local, _, domain = address.lower().rpartition("@")
    domain = domain_of(domain) or domain
    local = local.partition("+")[0] or local
    if domain in DOTLESS:
        local, domain = local.replace(".", ""), DOTLESS[domain]
    return f"{local}@{domain}"
