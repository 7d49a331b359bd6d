"""YES and NO in other words: a line says one of them with all that it says, or neither."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from games.protocol import LANGUAGES
from pbem.inbox.understanding.answers import agrees, answer_in, answers, holds_back, leads_with_no


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        (
            True,
            "Yes, let's do it! / yes lets / yep, you're on / sì, buona partita! / "
            "Sì, nessun problema. / ok, grazie / why not? / Perché no? / Go on then",
        ),
        (
            False,
            "no thanks, too early! / no, never mind / no grazie, gioco ancora / Lascia stare. / "
            "not right now, maybe next month / mi dispiace ma sono troppo impegnato",
        ),
        (
            None,
            "good luck / No problem / Nessun problema! / Yes, but I play White / buona partita! / let's / yes?",
        ),
    ],
)
def test_a_line_says_one_of_them_or_neither(agreed: bool | None, lines: str) -> None:
    assert {line: agrees(line) for line in lines.split(" / ")} == dict.fromkeys(lines.split(" / "), agreed)


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        (
            True,
            "y / Ok dai, ci sto! ma vincerò io / Sure, I'm in! But I'll win / Ok ho capito, gioco! / sì gioca / "
            "Ma certo! Ci provo / Yes, it's me / yes please do / sì, sono io / sì sì, confermo / "
            "Yes, that was me, thanks. / of course, enjoy your holiday! / certo, buone vacanze! / "
            "Ma certo, riprendila pure, figurati! / va bene la patta, bella partita / Draw is fine by me!",
        ),
        (
            False,
            "no wait, I changed my mind / No dai, sto vincendo! giochiamo ancora / n / "
            "No, only the challenge please / no way, I'm just getting started! / "
            "No I'd rather go on with it / "
            "No thanks Nora, play on! / no, ho cambiato idea / No, mi diverto troppo / "
            "No grazie Nora, gioca pure!",
        ),
        (
            None,
            "Yes, but later / I'll win / Ok, but not today, I'll win / sì, ma solo domani / "
            "yes if you go first / No problem at all / No, that's fine / "
            "No, b8-b6 was not forced / No, wait, yes! / No, non mi dispiace, accetto / "
            "No one told me / No, why? / "
            "Yes, what a goal that was / Sì, bel tempo qui / No worries Nora, play on / No, you are right",
        ),
    ],
)
def test_a_reason_turns_no_answer(agreed: bool | None, lines: str) -> None:
    """Of a yes only what says the same as that it is one."""
    assert {line: answers(line) for line in lines.split(" / ")} == dict.fromkeys(lines.split(" / "), agreed)


def test_only_the_first_line_has_a_reason() -> None:
    said = answer_in(["Hello,", "", "No way, I like it here!", "Not a chance.", "How is Milan?"])
    assert (said.agreed, said.line) == (False, "No way, I like it here!")
    assert said.rest == ("Hello,", "", "No way, I like it here!", "How is Milan?")
    assert answer_in(["What a week.", "No, I have not been there."]).agreed is None
    assert answer_in(["No, not now.", "Yes please."]).agreed is None


FRIENDLY = {
    "en": (
        "Yes, and hi Ben! / YES! And don't cheat this time! / Alright mate, I'm in / "
        "I accept with pleasure, good luck Ben! / "
        "Sure, but this time I will win! / ok Ben, great game! / Great game, I accept / "
        "Yes please, and say hello to your wife / Deal! May the best player win / Yes, can't wait! / "
        "ok mate, well fought"
    ),
    "it": (
        "SI. E non barare! / accetto con molto piacere / Volentieri, ma stavolta vinco io! / Sì, e ciao Ben! / "
        "Certo Ben, ci sto! / Accetto, bella partita / Va bene, che vinca il migliore! / Sì, e saluta tua moglie / "
        "Volentieri! Non vedo l'ora / D'accordo Ben, gran bella partita! / Affare fatto, buon divertimento"
    ),
}
HELD_BACK = {
    "en": (
        "yes but first tell me your rating / yes? / yes if you promise a takeback / Yes, unless you move first / "
        "Yes, after my holiday / ok, but only with no clock / Sure, but not now / Yes and I play White / "
        "Yes, let's play on / "
        "Yes, but first let's play on / ok but wait / Yes, when you are back / I accept if you start / "
        "Yes, but a smaller board"
    ),
    "it": (
        "sì ma prima dimmi il tuo rating / sì? / sì se mi fai annullare la mossa / Sì, dopo le vacanze / "
        "va bene, ma solo senza "
        "orologio / Certo, ma non adesso / Sì, giochiamo ancora / Accetto se cominci tu / Sì, ma aspetta / "
        "sì quando torni"
    ),
}
NO_ANSWER = {
    "en": (
        "Brilliant! / Go on / Great game! / Great game, Ben! / Fine game / Well fought, Ben / What a game! / "
        "Awesome! / "
        "Ok, nice move! / Sure looked lost to me / Yes, my sister won it too / "
        "Agreed, that tower was annoying / Perfect move / "
        "Yes, I saw it / Yes, it was a great match / Yes, I enjoyed it / Yes, it is a good one / "
        "Ok so here comes the endgame / Let the games begin! / "
        "May the best player win"
    ),
    "it": (
        "Geniale! / Gioca / Bella partita! / Gran bella partita, Ben! / Che partita! / Splendida! / "
        "Vinca il migliore / Ottima mossa / "
        "Ok, bella mossa! / Certo che sembrava persa / Sì, anche mia sorella ha vinto / "
        "D'accordo, quella torre dava fastidio / "
        "Sì, l'ho visto / Sì, è stata una gran bella partita / Sì, mi sono divertito / Stavolta vinco io! / "
        "Ok allora eccoci al finale / Che bravo! / Bravo Ben!"
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("said", "agreed"), [(FRIENDLY, True), (HELD_BACK, None), (NO_ANSWER, None)])
def test_a_yes_may_have_friendly_words_beside_it(
    said: Mapping[str, str], agreed: bool | None, language: str
) -> None:
    """Words that hold it back make no answer of it, and friendly words alone are none."""
    lines = said[language].split(" / ")
    assert {line: answers(line) for line in lines} == dict.fromkeys(lines, agreed)


@pytest.mark.parametrize(
    "said",
    [
        "Excellent!",
        "Perfect",
        "Let's play!",
        "Here we go",
        "Exactly",
        "Ottimo!",
        "Giochiamo",
        "Vai",
        "Giusto!",
    ],
)
def test_praise_and_playing_on_are_no_yes_to_an_opponent_while_a_match_is_played(said: str) -> None:
    assert answer_in([said], playing=True).agreed is None
    assert answer_in([said]).agreed is True
    assert answer_in([f"Sure mate, {said}"]).agreed is True


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_talk_is_a_yes_for_its_friendly_words(language: str) -> None:
    everyday = Path(__file__).parents[1].joinpath(f"everyday.{language}.txt").read_text("utf-8").splitlines()
    assert [line for line in everyday if answers(line, playing=True) and not agrees(line, playing=True)] == []


@pytest.mark.parametrize(
    "said", ["siii", "sìì", "Siii 😂", "okkk 😀👍 ci sto!", "yesss", "yeees", "okk", "yesss of course"]
)
def test_a_yes_drawn_out_is_one(said: str) -> None:
    assert agrees(said) is True


@pytest.mark.parametrize("said", ["nooo", "Noo!", "nooope"])
def test_so_is_a_no(said: str) -> None:
    assert agrees(said) is False


@pytest.mark.parametrize("said", ["sees", "noon", "book", "sono"])
def test_other_words_stay_as_they_are(said: str) -> None:
    assert agrees(said) is None


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
