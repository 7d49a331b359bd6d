"""Which domains may speak for the one in From, and what is no domain."""

from __future__ import annotations

import pytest

from pbem.mail.authentication.dkim import Policy, domain_of, organisation


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("alice@example.org", "example.org"),
        ("alice@EXAMPLE.Org.", "example.org"),
        ("alice@mail_1.example.org", "mail_1.example.org"),
        ("alice@bücher.example", "xn--bcher-kva.example"),
        ("alice@xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("example.org", "example.org"),
    ],
)
def test_a_domain_in_ascii(address: str, domain: str) -> None:
    assert domain_of(address) == domain


@pytest.mark.parametrize(
    "address",
    [
        "alice@localhost",
        "alice@-a.example",
        "alice@a-.example",
        "alice@exam ple.org",
        "alice@example.org/x",
        "alice@[192.0.2.1]",
        "alice@192.0.2.1:25",
        f"alice@{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 63}.example",
        "alice@",
        "",
        # What the library cannot write in ASCII.
        f"alice@{'a' * 64}.example",
        "alice@example..org",
        "alice@.example.org",
        "alice@exam\ufffdple\u0080.org",
    ],
)
def test_what_no_domain_can_be_called(address: str) -> None:
    assert domain_of(address) == ""


def test_the_owner_of_a_domain() -> None:
    assert organisation("a.b.example.co.uk") == "example.co.uk"
    assert organisation("co.uk") == "co.uk", "nobody has registered that"
    assert organisation("my-mail.example") == "my-mail.example"


def test_nobody_speaks_for_another_owner() -> None:
    relaxed = Policy("mail.example.co.uk", dkim_strictly=False, spf_strictly=False)
    assert relaxed.agrees("example.co.uk", strictly=False)
    assert not relaxed.agrees("example.co.uk", strictly=True)
    for domain in ("co.uk", "uk", "other.co.uk", "mail.example.co.uk.example.org", ""):
        assert not relaxed.agrees(domain, strictly=False), domain
