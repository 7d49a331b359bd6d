"""What mail servers in front of us write: headers as they come, and headers as somebody would like them to be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.authentication.policy import Dmarc
from pbem.mail.authentication.results import dmarc_verdict, proves_all
from pbem.mail.parsing.parts import HEADER, read_headers

OURS = ["mx.play.example"]
ALICE = "alice@alice.example"


@pytest.mark.parametrize(
    ("header", "verdict"),
    [
        ("mx.play.example; dmarc=pass header.from=alice.example", "pass"),
        ("mx.play.example; dmarc=PASS header.from=alice.example", "pass"),
        ("MX.Play.Example 1; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=alice.example;", "pass"),
        ("(ours) mx.play.example (rspamd);\r\n\tdkim=pass header.d=x.example;\r\n\tdmarc=pass", "pass"),
        ("mx.play.example; dmarc=fail (p=reject dis=none) header.from=alice.example", "fail"),
        ("mx.play.example; dmarc=pass; dmarc=fail", "fail"),
        ("mx.play.example; dmarc=none", "none"),
        ("mx.play.example; dmarc=bestguesspass", "none"),
        ("mx.play.example; dmarc=temperror", "none"),
        ("mx.play.example; dmarc=pass; dmarc=permerror", "none"),
        ("mx.play.example; none", "none"),
        ("mx.play.example; dkim=pass header.d=alice.example; spf=pass", "none"),
        ("mx.play.example; spf=softfail (dmarc=pass) smtp.mailfrom=alice.example", "none"),
        ('mx.play.example; spf=pass smtp.mailfrom="a; dmarc=pass"@alice.example', "none"),
        # What the library cannot read never passes, and a fail that it cannot read is a fail.
        ('"mx.play.example"; dmarc=pass', "none"),
        ('mx.play.example; x-tls.subject="x"; dmarc=pass', "none"),
        ('mx.play.example; x-tls.subject="x"; dmarc = fail', "fail"),
        ("mx.play.example; unreadable", "none"),
        # Nobody gains by hiding a fail from us: in a comment that never ends, in none at all, or far away.
        ("mx.play.example; " + "(" * 5000 + "dmarc=pass", "fail"),
        ("mx.play.example; spf=none (x ; dmarc=fail", "fail"),
        ("mx.play.example; spf=none (x ; dmarc=pass header.from=alice.example", "fail"),
        ("mx.play.example; spf=none x) ; dmarc=pass header.from=alice.example", "fail"),
        ('mx.play.example; spf=none (x "(" ; dmarc=fail', "fail"),
        ('mx.play.example; spf=none smtp.mailfrom="x; dmarc=pass', "fail"),
        ("mx.play.example; spf=none (x dmarc=pass) dmarc=fail", "fail"),
        ("mx.play.example; spf=none (dmarc=fail); dmarc=pass", "fail"),
        ("mx.play.example; x-tls.subject=x; dmarc (p=none) = (bad) fail", "fail"),
        ("mx.play.example; " + "spf=none; " * 5000 + "dmarc=pass", "fail"),
        ("mx.play.example; " + "spf=none; " * 5000 + "dmarc=fail", "fail"),
        ('mx.play.example; spf=pass smtp.mailfrom="a(b"@alice.example; dmarc=pass', "pass"),
        (r"mx.play.example; spf=pass (a \( b) smtp.mailfrom=alice.example; dmarc=pass", "pass"),
    ],
)
def test_what_our_mail_server_wrote(header: str, verdict: str) -> None:
    assert dmarc_verdict([header], OURS, ALICE) == verdict


@pytest.mark.parametrize(("longer", "verdict"), [(-1, "pass"), (0, "fail"), (1, "fail")])
def test_what_may_have_been_cut_off_never_passes(longer: int, verdict: str) -> None:
    """Of a longer header nobody sees the end: what is as long as what is looked at may be one."""
    begin = "mx.play.example; dmarc=pass ("
    header = begin + "x" * (HEADER + longer - len(begin) - 1) + ")"
    assert len(header) == HEADER + longer
    assert dmarc_verdict([header], OURS, ALICE) == verdict


@pytest.mark.parametrize(("deep", "verdict"), [(50, "pass"), (51, "fail")])
def test_comments_in_comments(deep: int, verdict: str) -> None:
    header = f"mx.play.example; dmarc=pass {'(' * deep}x{')' * deep} header.from=alice.example"
    assert dmarc_verdict([header], OURS, ALICE) == verdict


def test_only_the_topmost_header_of_ours_counts() -> None:
    passes, fails = "mx.play.example; dmarc=pass", "mx.play.example; dmarc=fail"
    relay = "mx.relay.example; dmarc=pass"
    assert dmarc_verdict([relay, fails, passes], OURS, ALICE) == "fail"
    assert dmarc_verdict([relay, passes, fails], OURS, ALICE) == "pass"
    assert dmarc_verdict(["mx.play.example; unreadable", passes], OURS, ALICE) == "none"


def test_a_header_of_nobody_we_configured_counts_for_nothing() -> None:
    assert dmarc_verdict(["mx.relay.example; dmarc=pass"], OURS, ALICE) == "none"
    assert dmarc_verdict(["mx.play.example; dmarc=pass"], [], ALICE) == "none"
    assert dmarc_verdict(["spf=pass smtp.mailfrom=x.example; dmarc=pass"], OURS, ALICE) == "none"
    assert dmarc_verdict([""], OURS, ALICE) == "none"
    assert dmarc_verdict([], OURS, ALICE) == "none"


@pytest.mark.parametrize(
    ("named", "verdict"),
    [
        ("header.from=mail.alice.example", "pass"),
        ("Header.From=Mail.Alice.Example", "pass"),
        ("header.from=alice@mail.alice.example", "pass"),
        ("header.from=alice.example", "pass"),  # where its policy lies
        ("policy.dmarc=none", "pass"),
        ("header.from=mallory.example", "fail"),
        ("header.from=other.alice.example", "fail"),
        ("header.from=mail.alice.example.mallory.example", "fail"),
        ("header.from=example", "fail"),
        ("header.from=mail.alice.example; dmarc=pass header.from=mallory.example", "fail"),
    ],
)
def test_a_pass_counts_for_the_domain_that_was_checked(named: str, verdict: str) -> None:
    """Where the server read another From than we do, it vouches for somebody else."""
    header = f"mx.play.example; dmarc=pass {named}"
    assert dmarc_verdict([header], OURS, "alice@mail.alice.example") == verdict


@given(st.text(alphabet='mx.play.example;=()"\\ dmarc=pass fail\r\n\t\x00é', max_size=300))
def test_no_header_raises(text: str) -> None:
    assert dmarc_verdict([text, f"mx.play.example;{text}"], OURS, ALICE) in set(Dmarc)


# -- whether the server's pass is tied to this very text ----------------------------------------------------

SEAL = "ab/+cd12efGH"
HEAD = "From: alice@alice.example\r\nTo: play@play.example\r\nSubject: x\r\nDate: x\r\nMessage-ID: <1@x>\r\n"
ALL = "from:to:subject:date:message-id"


def signed(domain: str = "alice.example", seal: str = SEAL, names: str = ALL, more: str = "") -> str:
    return f"DKIM-Signature: v=1; a=rsa-sha256; d={domain}; s=s1; h={names}; {more}bh=YQ==;\r\n b={seal}\r\n"


def whole(found: str, head: str = signed() + HEAD) -> bool:
    headers, _ = read_headers(f"{head}\r\ntext".encode())
    return proves_all([f"mx.play.example; {found}; dmarc=pass"], OURS, ALICE, headers)


@pytest.mark.parametrize(
    "found",
    [
        "spf=pass smtp.mailfrom=alice@alice.example",
        "spf=pass smtp.mailfrom=alice.example",
        "spf=pass (because) smtp.mailfrom=bounces@mail.alice.example",
        "dkim=pass header.d=alice.example header.b=ab/+cd12",
        'dkim=pass (2048-bit key) header.d=Alice.Example header.i=@alice.example header.b="ab/+cd12"',
        "dkim=pass header.i=@alice.example header.s=s1 header.b=ab/+cd12",
        "dkim=fail header.d=alice.example header.b=zzzzzzzz; dkim=pass header.d=alice.example header.b=ab/+cd12",
    ],
)
def test_a_pass_that_names_its_proof(found: str) -> None:
    assert whole(found)


@pytest.mark.parametrize(
    "found",
    [
        "spf=none",
        "spf=softfail smtp.mailfrom=alice@alice.example",
        "spf=pass",
        "spf=pass smtp.helo=alice.example",
        "spf=pass smtp.mailfrom=mallory@mallory.example",
        "spf=pass smtp.mailfrom=alice@alice.example smtp.mailfrom=mallory@mallory.example",
        "spf=pass smtp.mailfrom=example",
        "dkim=pass header.d=alice.example",
        "dkim=pass header.d=alice.example header.b=ab/",
        "dkim=pass header.d=alice.example header.b=otherSeal",
        "dkim=pass header.d=mallory.example header.b=ab/+cd12",
        "dkim=pass header.d=alice.example header.i=@mallory.example header.b=ab/+cd12",
        "dkim=fail header.d=alice.example header.b=ab/+cd12",
        "dkim=pass header.d=other.alice.example header.b=ab/+cd12",
    ],
)
def test_a_pass_that_does_not(found: str) -> None:
    assert not whole(found)


@pytest.mark.parametrize(
    "head",
    [
        HEAD,
        signed("mallory.example") + HEAD,
        signed(names="from:to:subject:date") + HEAD,
        signed(more="l=100; ") + HEAD,
        signed() + signed() + HEAD,  # which of them?
        signed() + signed(seal=SEAL + "x", names="from") + HEAD,
        signed(seal="ab/+!cd12efGH", names="from") + signed() + HEAD,
        signed() + "DKIM-Signature: b=ab/+cd12; d=alice.example; b=x\r\n" + HEAD,
        signed() + "Cc: bruno@bruno.example\r\n" + HEAD,
        signed() + "Content-Type: text/html\r\n" + HEAD,
        signed() + HEAD + "no field\r\nX: y\r\n",
        signed() + "X: y\rSubject: z\r\n" + HEAD,
    ],
)
def test_a_signature_that_leaves_something_open(head: str) -> None:
    assert not whole("dkim=pass header.d=alice.example header.b=ab/+cd12", head)


def test_another_domain_that_has_signed_it_all_is_not_the_author() -> None:
    found = "dkim=pass header.d=mallory.example header.b=ab/+cd12"
    assert not whole(found, signed("mallory.example") + HEAD)


def test_whoever_may_deliver_does_not_vouch_for_headers_that_others_read_otherwise() -> None:
    found = "spf=pass smtp.mailfrom=alice@alice.example"
    assert whole(found, HEAD)
    assert not whole(found, "X: y\rSubject: z\r\n" + HEAD)


def test_only_the_header_that_counts_may_name_its_proof() -> None:
    headers, _ = read_headers(f"{signed()}{HEAD}\r\ntext".encode())
    silent, proof = "mx.play.example; dmarc=pass", "mx.play.example; spf=pass smtp.mailfrom=alice.example"
    assert not proves_all([silent, proof], OURS, ALICE, headers)
    assert not proves_all([proof.replace("mx", "mallory")], OURS, ALICE, headers)
