"""Salts: what the reply addresses of a row are made with."""

import secrets


def new_salt() -> bytes:
    """16 random bytes: anyone who changes a salt revokes all the tokens made with it."""
    return secrets.token_bytes(16)
