"""Who is believed: every row of the table, and headers as mail servers write them."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.belief.identity import TABLE, Decision, Dmarc, TokenState, decide, dmarc_verdict

OURS = ["mx.play.example"]
ALICE = "alice@alice.example"

# The policy once more, as prose: token, From, DMARC; what is done, and what for a strict player.
POLICY = """
current     known    pass   apply       apply
current     known    none   apply       confirm
current     known    fail   hold        hold
current     unknown  pass   hold        hold
current     unknown  none   hold        hold
current     unknown  fail   hold        hold
stale       known    pass   stale-move  stale-move
stale       known    none   stale-move  stale-move
stale       known    fail   hold        hold
stale       unknown  pass   hold        hold
stale       unknown  none   hold        hold
stale       unknown  fail   hold        hold
revoked     known    pass   notice      notice
revoked     known    none   notice      notice
revoked     known    fail   notice      notice
revoked     unknown  pass   notice      notice
revoked     unknown  none   notice      notice
revoked     unknown  fail   notice      notice
correlated  known    pass   apply       confirm
correlated  known    none   confirm     confirm
correlated  known    fail   confirm     confirm
correlated  unknown  pass   silence     silence
correlated  unknown  none   silence     silence
correlated  unknown  fail   silence     silence
absent      known    pass   apply       confirm
absent      known    none   reading     reading
absent      known    fail   reading     reading
absent      unknown  pass   silence     silence
absent      unknown  none   silence     silence
absent      unknown  fail   silence     silence
"""
CASES = [line.split() for line in POLICY.split("\n") if line]


@pytest.mark.parametrize(("token", "sender", "dmarc", "normal", "strict"), CASES)
def test_the_policy(token: str, sender: str, dmarc: str, normal: str, strict: str) -> None:
    state, verdict, known = TokenState(token), Dmarc(dmarc), sender == "known"
    assert decide(state, from_known=known, dmarc=verdict) == normal.replace("-", " ")
    assert decide(state, from_known=known, dmarc=verdict, strict=True) == strict.replace("-", " ")


def test_the_policy_leaves_nothing_out() -> None:
    assert {tuple(case[:3]) for case in CASES} == set(product(TokenState, ("known", "unknown"), Dmarc))


def test_every_combination_has_exactly_one_row() -> None:
    for token, known, dmarc, registers in product(TokenState, (True, False), Dmarc, (True, False)):
        rows = [
            row
            for row in TABLE
            if token in row.tokens
            and known in row.from_known
            and dmarc in row.dmarc
            and registers in row.registers
        ]
        assert len(rows) == 1, (token, known, dmarc, registers)


def test_a_stranger_who_asks_is_answered_unless_somebody_else_wrote() -> None:
    for token, dmarc, strict in product((TokenState.ABSENT, TokenState.CORRELATED), Dmarc, (True, False)):
        asked = decide(token, from_known=False, dmarc=dmarc, registers=True, strict=strict)
        assert asked is (Decision.SILENCE if dmarc is Dmarc.FAIL else Decision.SIGN_UP)


def test_register_changes_nothing_for_anybody_else() -> None:
    for token, known, dmarc, strict in product(TokenState, (True, False), Dmarc, (True, False)):
        plain = decide(token, from_known=known, dmarc=dmarc, strict=strict)
        if plain is not Decision.SILENCE:
            assert decide(token, from_known=known, dmarc=dmarc, strict=strict, registers=True) is plain


def test_strict_never_believes_more() -> None:
    for token, known, dmarc in product(TokenState, (True, False), Dmarc):
        if decide(token, from_known=known, dmarc=dmarc) is not Decision.APPLY:
            assert decide(token, from_known=known, dmarc=dmarc, strict=True) is not Decision.APPLY


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
        ("mx.play.example; " + "(" * 5000 + "dmarc=pass", "none"),
        ("mx.play.example; " + "spf=none; " * 5000 + "dmarc=pass", "none"),
    ],
)
def test_what_our_mail_server_wrote(header: str, verdict: str) -> None:
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
