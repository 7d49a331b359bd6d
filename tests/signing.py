"""Keys made on the spot, and letters signed with them as a mail provider signs them."""

from __future__ import annotations

from base64 import b64encode, encodebytes
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import dkim
from dkim.asn1 import BIT_STRING, INTEGER, NULL, OBJECT_IDENTIFIER, SEQUENCE
from dkim.crypto import RSASSA_PKCS1_v1_5_sign, parse_pem_private_key
from nacl.signing import SigningKey

RSA = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01"  # 1.2.840.113549.1.1.1
EXPONENT = 65537


@dataclass(frozen=True)
class Key:
    """`pem` signs; `record` is what its owner publishes under SELECTOR._domainkey.DOMAIN."""

    pem: bytes
    record: str


@cache
def rsa_key(seed: int = 1, bits: int = 1024) -> Key:
    """For tests alone: the same seed gives the same key, which is therefore no secret."""
    rng = Random(seed)
    p, q = _prime(rng, bits // 2), _prime(rng, bits // 2)
    n, d = p * q, pow(EXPONENT, -1, (p - 1) * (q - 1))
    private = (0, n, EXPONENT, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    der = _sequence(*map(_integer, private))
    algorithm = _sequence(_tagged(OBJECT_IDENTIFIER, RSA), _tagged(NULL, b""))
    bare = _sequence(_integer(n), _integer(EXPONENT))
    public = _sequence(algorithm, _tagged(BIT_STRING, b"\0" + bare))
    pem = b"-----BEGIN RSA PRIVATE KEY-----\n" + encodebytes(der) + b"-----END RSA PRIVATE KEY-----\n"
    return Key(pem, f"v=DKIM1; k=rsa; p={b64encode(public).decode()}")


@cache
def ed25519_key(seed: int = 1) -> Key:
    """As `rsa_key`, of the kind of RFC 8463."""
    secret = SigningKey(Random(seed).randbytes(32))
    public = b64encode(bytes(secret.verify_key)).decode()
    return Key(b64encode(bytes(secret)), f"v=DKIM1; k=ed25519; p={public}")


# What careful providers sign, whether or not it is there.
NAMES = (
    b"from:to:cc:subject:date:message-id:sender:reply-to:in-reply-to:references:"
    b"mime-version:content-type:content-transfer-encoding"
)


def signed(
    raw: bytes, key: Key, domain: str, selector: str = "s1", names: bytes = NAMES, **wishes: Any
) -> bytes:
    """The letter with a DKIM-Signature over the headers `names` on top; `wishes` are those of dkim.sign."""
    signature = dkim.sign(
        raw,
        selector.encode(),
        domain.encode(),
        key.pem,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=names.split(b":"),
        **wishes,
    )
    return bytes(signature) + raw


def signed_by_hand(raw: bytes, key: Key, domain: str, names: bytes) -> bytes:
    """A signature over any headers, which dkim.sign would refuse to make (RFC 6376, 3.7; both `simple`)."""
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = {line.split(b":")[0].lower(): line + b"\r\n" for line in head.split(b"\r\n")}
    field = b"DKIM-Signature: v=1; a=rsa-sha256; d=%s; s=s1; h=%s; bh=%s; b=" % (
        domain.encode(),
        names,
        b64encode(sha256(body).digest()),
    )
    signed_octets = b"".join(lines[name] for name in names.split(b":")) + field
    seal = RSASSA_PKCS1_v1_5_sign(sha256(signed_octets), parse_pem_private_key(key.pem))
    return field + b64encode(seal) + b"\r\n" + raw


def _sequence(*parts: bytes) -> bytes:
    return _tagged(SEQUENCE, b"".join(parts))


def _integer(number: int) -> bytes:
    return _tagged(INTEGER, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _tagged(tag: int, octets: bytes) -> bytes:
    """DER; the library's own encoder fails beyond 255 octets."""
    length = len(octets).to_bytes((len(octets).bit_length() + 7) // 8, "big")
    short = bytes([len(octets)]) if len(octets) < 128 else bytes([0x80 | len(length)]) + length
    return bytes([tag]) + short + octets


def _prime(rng: Random, bits: int) -> int:
    while True:
        candidate = rng.getrandbits(bits) | 3 << bits - 2 | 1
        if candidate % EXPONENT != 1 and _is_prime(candidate, rng):
            return candidate


def _is_prime(number: int, rng: Random) -> bool:
    """Miller and Rabin, with one mistake in 4**20."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(20):
        power = pow(rng.randrange(2, number - 1), odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True
