"""Addresses that are not ASCII, as they go over the wire."""

from __future__ import annotations


def in_ascii(address: str) -> str:
    """With the domain as DNS has it (RFC 5891), so that only the part before the @ may need more than ASCII."""
    if address.isascii():
        return address
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address
