"""A yes or no to a question of ours that leads what else is said, and what holds it back."""

from collections.abc import Mapping, Sequence

import pytest

from games.protocol import LANGUAGES
from pbem.inbox.commands import read_yes, words_of
from pbem.inbox.commands.leading_answers import only_leads

YES = {
    "en": (
        "Yes, please play it. / Yes play it / Yes please, offer it. / Yes, and tell her mum says hello / "
        "Yes! Exactly. Sorry Tariq for the late invitation. / I SAID YES / omg YES / ye / yesss / yeees! / "
        "Yes, thank you kindly. / Yes. Good game, Robot / of course grandpa!! yes / okkk play it / "
        "Wow, yes! Sunny day over here."
    ),
    "it": (
        "siii / okkk :) ci sto! / Certo che sono io, il nome va bene / sì sì, propongo / ok gioca / "
        "HO DETTO SÌ / evviva, sì! / Sì! Saluti da tutti a Palermo. / sììì giocala"
    ),
}
NO = {
    "en": (
        "Roberto, I am far too busy this month. No, sorry. Perhaps at Christmas. / "
        "not before I've finished my book. No. / nooo / No, look, the garden takes all my time."
    ),
    "it": (
        "No guarda, in questo periodo non ho proprio tempo. Grazie lo stesso. / "
        "Ho troppo da fare. No, scusa. / nooo"
    ),
}
NEITHER = {
    "en": (
        "Yes, but later / Yes if he begins / Yes? What is this / Yes to the other one / Yes. Actually no. / "
        "No. Well, yes. / Yes, b8-b6 / Yes, zertz / Yes. Write to ben@example.org / Yes, let's play on / "
        "Yes, a draw / Yes, show me the board / Yes with Anna / Yes. I want White. / ok, next week / "
        "Yes I am Tomasz. But no robot! Only people. / I did not say yes / He said yes / Ok, I see / "
        "Yes, wait / No, that's fine / No problem, carry it over / No one told me / "
        "Yes, you begin / Yes, on Monday / Yes. Kidding! / Sure, Ben told me so"
    ),
    "it": (
        "Sì, ma più tardi / Sì se comincia lui / Sì? Che cos'è / Sì all'altra / Sì. Anzi no. / No. Cioè, sì. / "
        "Sì, facciamo patta / Sì, mostrami la scacchiera / Sì, contro Anna / Certo, tra una settimana / "
        "Sì sono Tommaso. Ma niente robot! / Non ho detto sì / Ok, bella mossa! / Sì, aspetta / "
        "Sì, a patto che tocchi a me / Sì, lunedì / Sì, un momento / No, va bene così / Certo che no"
    ),
}


def read(said: Sequence[str]) -> Mapping[str, bool | None]:
    return {line: read_yes([line], ["b1-b3"]) for line in said}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("said", "agreed"), [(YES, True), (NO, False), (NEITHER, None)])
def test_an_answer_leads_unless_something_holds_it_back(
    said: Mapping[str, str], agreed: bool | None, language: str
) -> None:
    lines = said[language].split(" / ")
    assert read(lines) == dict.fromkeys(lines, agreed)


def test_what_is_another_command_beside_one_question_is_the_answer_to_its_own() -> None:
    said = "Agreed, draw it is. Love to Bob."
    assert (read_yes([said], ["DRAW"]), read_yes([said], ["RESIGN"])) == (True, None)


def test_what_holds_it_back_may_stand_on_another_line() -> None:
    assert read_yes(["Yesss!", "Sunny here."], ["RESIGN"]) is True
    assert read_yes(["Yesss!", "Sunny here.", "Nooo!"], ["RESIGN"]) is None


@pytest.mark.parametrize("said", ["Yes! Sunny over here.", "Sì! Qui c'è il sole."])
def test_no_match_is_given_up_by_a_yes_that_says_more(said: str) -> None:
    assert (read_yes([said], ["RESIGN"]), read_yes([said], ["b1-b3"])) == (None, True)
    assert read_yes(["Yes. Good game, Robot"], ["RESIGN"]) is True


@pytest.mark.parametrize(
    ("line", "misses"),
    [("Yes play it", False), ("omg YES", False), ("sì sì, propongo", False), ("Yes! Sunny here.", True)],
)
def test_words_that_only_answer_are_missed_by_nobody(line: str, misses: bool) -> None:
    assert only_leads(line, words_of(["b1-b3"])) is not misses
