"""The form at the desk's door: throttled, and each refusal a line in the log, for fail2ban and its kin."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from unfold.forms import AuthenticationForm

from pbem.desk.people.throttle import begin, client_address, succeeded

log = logging.getLogger("pbem.signin")


class SignInForm(AuthenticationForm):  # type: ignore[misc]  # unfold has no types
    """Anyone who was wrong too often hears what they heard before, whether they are right now or not."""

    def clean(self) -> dict[str, Any]:
        account = str(self.cleaned_data.get("username") or "")
        address = client_address(self.request, settings.TRUSTED_PROXIES)
        attempt = begin(account, address, now=timezone.now())
        if attempt is None:
            self._refused(address, "throttled", account)
            raise self.get_invalid_login_error()
        try:
            answers: dict[str, Any] = super().clean()
        except ValidationError:
            self._refused(address, "wrong", account)
            raise
        if self.get_user() is not None:
            succeeded(attempt)
        return answers

    @staticmethod
    def _refused(address: str, why: str, account: str) -> None:
        """The address stands before the name, which anybody may have made up to look like one."""
        log.warning("sign-in refused from %s (%s) for %r", address, why, account[:150])
