"""Octets: what text becomes before it is read."""

from pbem.mail.parsing.parts import unflow


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
