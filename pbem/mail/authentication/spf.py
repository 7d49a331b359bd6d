"""Checks SPF (RFC 7208) with pyspf and our resolver."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

import spf

from pbem.mail.authentication.dkim import Policy, domain_of
from pbem.network import Resolver, Unanswered


def is_permitted(sender: str, peer: str, helo: str, policy: Policy, dns: Resolver) -> bool:
    """Tells whether SPF passes for an aligned domain. `sender` is the envelope sender.

    A bounce has none: the HELO name is checked instead. Raises Unanswered when a DNS lookup fails.
    """
    if not peer or not ip_address(peer).is_global:
        # The address of a relay of our own is not the sender's.
        return False
    local, _, domain = (sender or f"postmaster@{helo}").rpartition("@")
    domain = domain_of(domain)
    if not domain or "@" in local or not policy.agrees(domain, strictly=policy.spf_strictly):
        return False
    result, _code, _why = _Query(f"{local}@{domain}", peer, helo, dns).check()
    if result == "temperror":
        raise Unanswered(domain)
    return bool(result == "pass")


class _Query(spf.query):  # type: ignore[misc]  # the library has no types
    """A pyspf query that uses our resolver."""

    def __init__(self, sender: str, peer: str, helo: str, questions: Resolver) -> None:
        super().__init__(i=peer, s=sender, h=helo, strict=True)
        self._questions = questions

    def dns(self, name: str, qtype: str, cnames: Any = None, ignore_void: bool = False) -> list[Any]:
        try:
            answers = list(self._questions(str(name), qtype))
        except Unanswered as why:
            raise spf.TempError(str(why)) from why
        if not answers and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many names that do not exist")
        return answers
