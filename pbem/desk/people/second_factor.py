"""The second factor of the staff: codes of an app (RFC 6238), and recovery codes for when it is gone.

Nothing secret is in the database: keys and digests are made with SECRET_KEY. Anyone who changes that enrols anew.
"""

from __future__ import annotations

import secrets
from base64 import b32encode
from datetime import datetime

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from pyotp import TOTP

from pbem.desk.models import RecoveryCode, SecondFactor

RECOVERY_CODES = 10
RECOVERY_DIGITS = 12  # digits alone, so that a telephone shows one keyboard for both
DRIFT = (0, -1, 1)  # steps of half a minute that the two clocks may be apart (RFC 6238, 5.2)
_KEY_BYTES = 20  # as long as the digest of SHA-1 (RFC 4226, 4)


def new_salt() -> str:
    return secrets.token_hex(16)


def key(salt: str) -> str:
    """In base 32, as people type it into an app that has no camera."""
    return b32encode(_sealed("key", salt)[:_KEY_BYTES]).decode()


def qr_code(salt: str, user: User) -> str:
    """A picture as a data: URI; made here, since the key is nobody else's to see."""
    totp = TOTP(key(salt), name=user.get_username(), issuer=f"PBeM {settings.MAIL_DOMAIN}")
    uri = totp.provisioning_uri()
    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=5, border=4, light="#fff"))


def of(user: User) -> SecondFactor | None:
    return SecondFactor.objects.filter(user=user).first()


def enrol(user: User, salt: str, code: str, *, now: datetime) -> list[str] | None:
    """From now on it is asked for. The recovery codes, which nobody sees again; None: the code is not of this key."""
    step = _step(salt, code, now)
    if step is None:
        return None
    with transaction.atomic():
        factor, is_new = SecondFactor.objects.get_or_create(
            user=user, defaults={"salt": salt, "confirmed_at": now, "last_step": step}
        )
        return new_recovery_codes(factor) if is_new else None


def accepts(factor: SecondFactor, code: str, *, now: datetime) -> bool:
    """A code of the app, or a recovery code. Each counts once, no matter who else sends it at the same moment."""
    said = "".join(code.split()).replace("-", "")
    if len(said) == RECOVERY_DIGITS:
        return bool(factor.recovery_codes.filter(digest=_digest(factor, said)).delete()[0])
    step = _step(factor.salt, said, now)
    if step is None:
        return False
    return bool(SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step).update(last_step=step))


@transaction.atomic
def new_recovery_codes(factor: SecondFactor) -> list[str]:
    """In groups of four digits. Those from before are worth nothing any more."""
    factor.recovery_codes.all().delete()
    codes = [f"{secrets.randbelow(10**RECOVERY_DIGITS):0{RECOVERY_DIGITS}}" for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(factor=factor, digest=_digest(factor, code)) for code in codes
    )
    return [f"{code[:4]} {code[4:8]} {code[8:]}" for code in codes]


def _step(salt: str, code: str, now: datetime) -> int | None:
    """Which half minute the code is of."""
    totp, said = TOTP(key(salt)), "".join(code.split())
    steps = [totp.timecode(now) + drift for drift in DRIFT]
    return next((step for step in steps if constant_time_compare(totp.generate_otp(step), said)), None)


def _digest(factor: SecondFactor, code: str) -> str:
    return _sealed("recovery", f"{factor.salt} {code}").hex()


def _sealed(purpose: str, value: str) -> bytes:
    return salted_hmac(f"pbem.second_factor.{purpose}", value, algorithm="sha256").digest()
