"""Octets and phones: what text becomes before it is read."""

import pytest

from pbem.inbox.decoding import typed, unflow


def test_flowed_paragraphs_are_joined_at_each_depth_of_quotation():
    flowed = "> one \n> two\n>> deep \n>> er\nnew \nline\n -- not a signature\n-- \nAlice"
    assert unflow(flowed, delete_space=False).split("\n") == [
        "> one two",
        ">> deep er",
        "new line",
        "-- not a signature",
        "-- ",
        "Alice",
    ]


def test_the_blank_that_flows_may_belong_to_the_wrapping():
    assert unflow("d4 \nxd2", delete_space=True) == "d4xd2"


@pytest.mark.parametrize(
    ("phone", "keyboard"),
    [
        ("c1–c3", "c1-c3"),
        ("c1−c3", "c1-c3"),
        ("d2×f4", "d2xf4"),
        ("ｃ１－ｃ３", "c1-c3"),
        ("“Nd2”,\u00a0 b1", '"Nd2", b1'),
        ("sì", "sì"),
    ],
)
def test_a_phone_is_read_like_a_keyboard(phone, keyboard):
    assert typed(phone) == keyboard
