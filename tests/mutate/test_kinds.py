"""That each kind of mutation is made, one at a time."""

from __future__ import annotations

from tests.mutate.kinds import KINDS, mutations

SOURCE = '''
def f(a, b):
    """Says < and >."""
    if a < b and not b <= 1:
        return max(a, b - 1)
    if a > b or a >= 2 or a == b or a != b:
        print(a)
    if a is None or b is not None or a in b or a not in b:
        return rows.filter(a=1, b=True)
    return min(a + 1, any(b), False)
'''


def test_each_kind_is_made() -> None:
    made = list(mutations(SOURCE))
    assert {mutation.kind for mutation in made} == set(KINDS)
    assert len({mutation.source for mutation in made}) == len(made)


def test_one_thing_is_changed() -> None:
    (made,) = (each for each in mutations("x = 1 < y\n") if each.kind == "< is <=")
    assert (made.source, made.lines) == ("x = 1 <= y", range(1, 2))


def test_a_filter_without_a_condition() -> None:
    made = [each.source for each in mutations("rows.filter(a=b, c=d)\n") if "filter" in each.kind]
    assert made == ["rows.filter(a=b)"]
