"""A no that leads what else is said, and the words that hold a yes back."""

import pytest

from pbem.inbox.understanding.answers import holds_back, leads_with_no


@pytest.mark.parametrize(
    "said",
    [
        "No, sorry. Perhaps at Christmas",
        "Nooo! Bruno, play on",
        "Ciao Bruno!\nNo, mi dispiace. Ci sentiamo domenica",
    ],
)
def test_a_no_leads(said: str) -> None:
    assert leads_with_no(said.splitlines())


@pytest.mark.parametrize(
    "said",
    [
        "No idea what that means. Well played",
        "No, that's fine. Yes, a draw",
        "No. 3 days are too few",
        "No? How so",
        "No, write to me at dora@example.org",
        "My sister is here. She has no time",
        "Yes, gladly",
        "",
        "No. " + "\n".join("Sunny day" for _ in range(13)),
    ],
)
def test_none_leads_where_something_agrees_asks_or_counts(said: str) -> None:
    assert not leads_with_no(said.splitlines())


@pytest.mark.parametrize("said", ["Yes, but not now", "sì, se cominci tu", "ok, on Monday", "Yes. Wait!"])
def test_some_words_hold_a_yes_back(said: str) -> None:
    assert holds_back(said)


@pytest.mark.parametrize("said", ["Yes please", "Sì, volentieri!", "ok Bruno, see you at the club", ""])
def test_others_do_not(said: str) -> None:
    assert not holds_back(said)
