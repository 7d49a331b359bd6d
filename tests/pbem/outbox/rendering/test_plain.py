"""Markdown as plain text, as a rules page of any game may have it."""

from pbem.outbox.rendering.plain import plain

PAGE = """# Nim from b1

Take **one** or `two` [matches](https://example.org): whoever takes the *last* one,
of however many there were, wins; it is written `a - b`.

1. Choose a heap.
2. Take matches, at least one of them, and at most as many as there are in the heap that you have chosen.
   - Say so.

| Heap | Take |
|------|------|
| `a`  | one, or two |

```
a b c
```

> As it was played.
"""
SET = """NIM FROM b1

Take one or two matches: whoever takes the last one, of however many
there were, wins; it is written a - b.

1. Choose a heap.
2. Take matches, at least one of them, and at most as many as there are
   in the heap that you have chosen.
   • Say so.

Heap  Take
a     one, or two

    a b c

    As it was played."""


def test_the_marks_are_gone_and_lines_fit() -> None:
    assert plain(PAGE) == SET


def test_a_row_of_a_wide_table_is_a_paragraph() -> None:
    assert plain("|a|b|\n|-|-|\n|" + "word " * 10 + "|" + "more " * 10 + "|").splitlines() == [
        "a b",
        ("word " * 10 + "more more more more")[:72].rstrip(),
        " ".join(["more"] * 6),
    ]


def test_a_list_goes_on_where_a_board_has_broken_it() -> None:
    assert plain("3. three\n4. four") == "3. three\n4. four"
