"""What one player writes to another goes without addresses, and not without end."""

import re
from itertools import product
from time import perf_counter
from urllib.parse import unquote

import pytest

from pbem.mail.parsing.redact_addresses import CUT, LONGEST, relayed
from pbem.players.tokens import Keyring, Purpose, Token, mint


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


KEY = Keyring({15: bytes(32)})
SECRETS = {
    purpose: mint(Keyring({number: bytes(32)}), Token(purpose, 2**39 + number, 7, 1200), bytes(16))
    for number, purpose in enumerate(Purpose)
} | {"newest": mint(KEY, Token(Purpose.MOVE, 3, 4), bytes(16))}


ADDRESSES = (
    "https://play.example/u/{}/",
    "play.example/n/{}",
    "GET /b/{}/code/",
    "http://127.0.0.1:8000/u/{}?x=1",
    "https%3A%2F%2Fplay.example%2Fu%2F{}",
    '<a href="https://play.example/u/{}/">Here</a>',
    "mailto:m%2B{}%40play.example?subject=Re%3A%20x",
    "mailto:m%252B{}%2540play.example",
    "m+{}@play.example",
    "c-{}@localhost",
    "b={}@xn--fiqs8s.xn--p1ai",
    "U#{}@PLAY.EXAMPLE",
    "w=2B{}=40play.example",
    "&lt;i&#43;{}&#64;play.example&gt;",
    "n_{}@\nplay.example",
    "the secret is {} indeed",
)
SPELLED = {
    "plain": lambda secret: secret,
    "SHOUTED": str.upper,
    "percent": lambda secret: "".join(f"%{ord(sign):02x}" for sign in secret),
    "begins a line": lambda secret: f"\n> {secret}",
}
IN_PIECES = {  # without the rest of its address such a one opens nothing
    "wrapped": lambda secret: f"{secret[:9]}\n{secret[9:]}",
    "quoted": lambda secret: f"{secret[:20]} \r\n> > {secret[20:]}",
    "soft": lambda secret: f"{secret[:31]}=\n{secret[31:]}",
}
CASES = [
    *product(ADDRESSES, SPELLED.values()),
    *product((address for address in ADDRESSES if " {}" not in address), IN_PIECES.values()),
]


@pytest.mark.parametrize("secret", SECRETS.values(), ids=list(SECRETS))
def test_nothing_that_lets_another_act_for_the_writer_travels(secret):
    for written, spelled in CASES:
        read = relayed(
            f"Good move.\nNo more letters: {written.format(spelled(secret))}\nBest regards,\nAlice"
        )
        pieces = re.findall("[a-z2-7]+", unquote(unquote(read)).lower())
        assert not any(piece in secret and len(piece) > 6 for piece in pieces), read
        assert read.startswith("Good move.\nNo more letters:"), written
        assert CUT in read, written
        assert read.endswith("regards,\nAlice"), written


def test_letters_one_below_the_other_are_no_secret() -> None:
    written = "\n".join("cabcdefghijklmnopqrstuvwxyz23456")
    assert relayed(written) == written


def test_pieces_of_secrets_are_looked_for_in_no_time() -> None:
    begin = perf_counter()
    for written in ("a\n " * 100_000, "%61" * 100_000, "a \n>>>>>>>>>" * 100_000):
        assert len(relayed(written)) <= LONGEST
    assert perf_counter() - begin < 5
