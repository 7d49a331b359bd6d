"""Who is believed: every row of the table, and what becomes of it when one cell is changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest

from pbem.mail.authentication import policy
from pbem.mail.authentication.policy import DECISION_TABLE, Decision, Dmarc, RiskFlag, Row, TokenState, decide

# The policy once more, as prose: token, From, DMARC, doubt; what is done, and what for a strict player. A star is
# anything that no line above it speaks of; what is done with a stranger is said for one who does not ask.
POLICY = """
current     known    fail   *               hold           hold
current     known    pass   wrapped         confirm        confirm
current     known    none   wrapped         confirm        confirm
current     known    pass   *               apply          apply
current     known    none   *               apply          confirm
current     unknown  pass   *               hold           hold
current     unknown  none   *               hold           hold
current     unknown  fail   *               hold           hold
stale       known    fail   *               hold           hold
stale       known    pass   wrapped         stale-confirm  stale-confirm
stale       known    none   wrapped         stale-confirm  stale-confirm
stale       known    pass   no              stale-move     stale-move
stale       known    pass   unnumbered      stale-move     stale-move
stale       known    pass   copied          stale-confirm  stale-confirm
stale       known    pass   answers-others  stale-confirm  stale-confirm
stale       known    pass   old             stale-confirm  stale-confirm
stale       known    pass   seen            stale-confirm  stale-confirm
stale       known    pass   open            stale-confirm  stale-confirm
stale       known    pass   to-many         stale-confirm  stale-confirm
stale       known    none   *               stale-confirm  stale-confirm
stale       unknown  pass   *               hold           hold
stale       unknown  none   *               hold           hold
stale       unknown  fail   *               hold           hold
player      known    fail   *               hold           hold
player      known    pass   wrapped         confirm        confirm
player      known    none   wrapped         confirm        confirm
player      known    pass   no              apply          apply
player      known    pass   unnumbered      apply          apply
player      known    pass   copied          meeting        confirm
player      known    pass   answers-others  meeting        confirm
player      known    pass   old             meeting        confirm
player      known    pass   seen            meeting        confirm
player      known    pass   open            meeting        confirm
player      known    pass   to-many         meeting        confirm
player      known    none   *               meeting        confirm
player      unknown  pass   *               hold           hold
player      unknown  none   *               hold           hold
player      unknown  fail   *               hold           hold
revoked     known    pass   *               notice         notice
revoked     known    none   *               notice         notice
revoked     known    fail   *               notice         notice
revoked     unknown  pass   *               notice         notice
revoked     unknown  none   *               notice         notice
revoked     unknown  fail   *               notice         notice
correlated  known    pass   no              apply          confirm
correlated  known    pass   wrapped         confirm        confirm
correlated  known    pass   copied          confirm        confirm
correlated  known    pass   answers-others  confirm        confirm
correlated  known    pass   old             confirm        confirm
correlated  known    pass   seen            confirm        confirm
correlated  known    pass   open            confirm        confirm
correlated  known    pass   to-many         confirm        confirm
correlated  known    pass   unnumbered      confirm        confirm
correlated  known    none   *               confirm        confirm
correlated  known    fail   *               confirm        confirm
correlated  unknown  pass   *               silence        silence
correlated  unknown  none   *               silence        silence
correlated  unknown  fail   *               silence        silence
absent      known    pass   no              apply          confirm
absent      known    pass   wrapped         confirm        confirm
absent      known    pass   copied          confirm        confirm
absent      known    pass   answers-others  confirm        confirm
absent      known    pass   old             confirm        confirm
absent      known    pass   seen            confirm        confirm
absent      known    pass   open            confirm        confirm
absent      known    pass   to-many         confirm        confirm
absent      known    pass   unnumbered      confirm        confirm
absent      known    none   *               reading        reading
absent      known    fail   *               reading        reading
absent      unknown  pass   *               silence        silence
absent      unknown  none   *               silence        silence
absent      unknown  fail   *               silence        silence
"""
CASES = [[word.replace("-", " ") for word in line.split()] for line in POLICY.split("\n") if line]
# Who asks to sign up, or for help, hears of it unless somebody else wrote it; who does not is held, or not answered.
ASKING = {("player", "unknown"), ("correlated", "unknown"), ("absent", "unknown")}

Letter = tuple[TokenState, bool, Dmarc, RiskFlag, bool, bool]
LETTERS: list[Letter] = list(
    product(TokenState, (True, False), Dmarc, RiskFlag, (True, False), (True, False))
)  # the last two: REGISTER, strict


def told(letter: Letter) -> str:
    """What the prose says of a letter."""
    token, known, dmarc, doubt, registers, strict = letter
    sender = "known" if known else "unknown"
    if registers and (token, sender) in ASKING and dmarc is not Dmarc.FAIL:
        return "sign up"
    for *case, normal, careful in CASES:
        if case[:3] == [token, sender, dmarc] and case[3] in (doubt, "*"):
            return careful if strict else normal
    raise AssertionError(f"the policy says nothing of {letter}")


def done(letter: Letter) -> str:
    """What the table says of it; where it has no row, or two, nobody can tell."""
    token, known, dmarc, doubt, registers, strict = letter
    try:
        return decide(token, from_known=known, dmarc=dmarc, risk=doubt, strict=strict, registers=registers)
    except ValueError:
        return "nobody can tell"


def test_the_policy_is_the_table() -> None:
    for letter in LETTERS:
        assert done(letter) == told(letter), letter


def test_a_stranger_who_asks_is_answered_unless_somebody_else_wrote() -> None:
    for token, dmarc, strict in product((TokenState.ABSENT, TokenState.CORRELATED), Dmarc, (True, False)):
        asked = decide(token, from_known=False, dmarc=dmarc, registers=True, strict=strict)
        assert asked is (Decision.SILENCE if dmarc is Dmarc.FAIL else Decision.SIGN_UP)


def test_every_line_of_the_policy_speaks_of_a_letter() -> None:
    spoken_of = set()
    for token, known, dmarc, doubt in product(TokenState, ("known", "unknown"), Dmarc, RiskFlag):
        lines = (number for number, case in enumerate(CASES) if case[:3] == [token, known, dmarc])
        spoken_of.add(next(number for number in lines if CASES[number][3] in (doubt, "*")))
    assert spoken_of == set(range(len(CASES)))


def changed(table: Sequence[Row]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The table with one cell changed: another decision, or a value more or less in a column; or without a row."""
    values: dict[str, set[Any]] = {
        "tokens": set(TokenState),
        "from_known": {True, False},
        "dmarc": set(Dmarc),
        "risks": set(RiskFlag),
        "registers": {True, False},
    }
    for number, row in enumerate(table):
        others: list[Row] = []
        for field in fields(Row):
            cell = getattr(row, field.name)
            if field.name in ("normal", "strict"):
                others += [replace(row, **{field.name: other}) for other in Decision if other is not cell]
            else:
                others += [replace(row, **{field.name: set(cell) ^ {value}}) for value in values[field.name]]
        for other in others:
            yield f"{number}: {other}", (*table[:number], other, *table[number + 1 :])
        yield f"{number}: none", (*table[:number], *table[number + 1 :])


@pytest.mark.prove
def test_no_cell_can_be_changed_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = list(changed(DECISION_TABLE))
    assert len(tables) > 20 * len(DECISION_TABLE)
    for name, table in tables:
        monkeypatch.setattr(policy, "DECISION_TABLE", table)
        assert any(done(letter) != told(letter) for letter in LETTERS), name


def test_nobody_is_strict_and_nobody_asks_to_sign_up_unless_it_is_said() -> None:
    assert decide(TokenState.CURRENT, from_known=True, dmarc=Dmarc.NONE) is Decision.APPLY
    assert decide(TokenState.ABSENT, from_known=False, dmarc=Dmarc.NONE) is Decision.SILENCE


def test_strict_never_believes_more() -> None:
    for token, known, dmarc, doubt in product(TokenState, (True, False), Dmarc, RiskFlag):
        if decide(token, from_known=known, dmarc=dmarc, risk=doubt) is not Decision.APPLY:
            strict = decide(token, from_known=known, dmarc=dmarc, risk=doubt, strict=True)
            assert strict is not Decision.APPLY


def test_without_a_token_nothing_is_done_that_is_in_doubt_or_that_nobody_vouches_for() -> None:
    for token, known, dmarc, doubt in product(("correlated", "absent"), (True, False), Dmarc, RiskFlag):
        if decide(TokenState(token), from_known=known, dmarc=dmarc, risk=doubt) is Decision.APPLY:
            assert (known, dmarc, doubt) == (True, Dmarc.PASS, RiskFlag.NO)
