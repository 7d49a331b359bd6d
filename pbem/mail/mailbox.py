"""Normalises the spellings of an address to one mailbox."""

from __future__ import annotations

from pbem.mail.authentication.dkim import domain_of

# Domains of providers that ignore dots in the local part, with the provider's main domain.
DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


def mailbox_of(address: str) -> str:
    """Returns the address in lower case, without a +tag, and without dots where the provider ignores them."""
    local, _, domain = address.lower().rpartition("@")
    domain = domain_of(domain) or domain
    local = local.partition("+")[0] or local
    if domain in DOTLESS:
        local, domain = local.replace(".", ""), DOTLESS[domain]
    return f"{local}@{domain}"
