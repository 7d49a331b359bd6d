"""How sure an interpretation must be."""

from pbem.inbox.understanding.policy import (
    ASK,
    GRAVE,
    MATCH,
    NEW,
    PEOPLE,
    SHORT,
    TOLD,
    least,
    threshold,
    weight,
)
from pbem.inbox.understanding.utterances import utterances
from pbem.intents import Bar

[LONG] = utterances("would you do that for me please")
[SHORTER] = utterances("the board")


def test_what_ends_a_match_has_to_be_surer_than_what_reads() -> None:
    assert (
        threshold("RESIGN", LONG, anew=False)
        == ASK[GRAVE]
        > threshold("SHOW", LONG, anew=False)
        == ASK[MATCH]
    )
    assert threshold("STOP", LONG, anew=True) == ASK[GRAVE] > threshold("GAMES", LONG, anew=True) == ASK[NEW]


def test_what_people_say_to_each_other_has_to_be_surer_unless_it_has_a_day() -> None:
    assert (
        threshold("AWAY", LONG, anew=False) == ASK[PEOPLE] > threshold("AWAY", LONG, anew=False, fills=True)
    )


def test_a_few_words_have_to_be_surest() -> None:
    assert threshold("SHOW", SHORTER, anew=False) == ASK[SHORT] > ASK[PEOPLE]


def test_a_part_counts_less_than_the_whole_and_a_question_more_than_a_statement() -> None:
    whole, told, question, *_ = utterances("It was a slow day. Where is my clock?")
    assert weight(whole) == 1 > weight(question) == TOLD > weight(told)


def test_who_asks_us_for_nothing_has_to_be_plain() -> None:
    assert min(least(None), least(Bar.SURE)) > least(Bar.USUAL) == 0
