"""What one player writes to another goes without addresses, and not without end."""

import pytest

from pbem.inbox.letters.relaying import CUT, LONGEST, relayed


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Write to me: alice@example.org!", f"Write to me: {CUT}!"),
        ("<Alice.Rossi+chess@mail.example.co.uk>", f"<{CUT}>"),
        ("mailto:bruno@example.it?subject=x", f"mailto:{CUT}?subject=x"),
        ("m+abcdefghijklmnop@pbem.example and b@c.de", f"{CUT} and {CUT}"),
        ("è-un@perù.example.org", CUT),
        ("I thought of e2-e4@d6, not of Nf3@e5.", "I thought of e2-e4@d6, not of Nf3@e5."),
        ("Meet me @ noon; call 02 1234567", "Meet me @ noon; call 02 1234567"),
        ("  two\nlines  ", "  two\nlines"),
    ],
)
def test_addresses_are_left_out_and_nothing_else(written, read):
    assert relayed(written) == read


def test_a_long_text_is_cut_between_two_words():
    short = relayed("word " * 1000)
    assert len(short) <= LONGEST
    assert short.endswith(f"word {CUT}")
    assert relayed("a" * LONGEST) == "a" * LONGEST
    assert relayed("a" * 5000) == "a" * (LONGEST - 4) + f" {CUT}"


def test_the_longest_letter_is_read_in_no_time():
    assert relayed("a.b+c-d@" * 500).count("@") > 100
