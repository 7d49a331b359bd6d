"""What a guest answers to an invitation in words of their own."""

import pytest

from pbem.inbox.commands.acceptance import read_acceptance
from pbem.inbox.commands.guest_answers import (
    agreed_in,
    agrees_among_talk,
    asks_about_us,
    asks_for_rules,
    begins_with_yes,
    declines,
)

YES = [
    "Alright mate, I'm in",
    "Go on then",
    "ok but I've never played this",
    "Hi Nora, why not? Let's do this!",
    "Yeah, let's do this! Ben",
    "Sounds good, when do we start?",
    "Perché no? Proviamo",
    "certo, quando si comincia?",
    "Eccomi, sono pronto",
    "va bene, ma vai piano",
    "Ci sto, Nora!",
]
NO = [
    "Sorry, I don't like board games",
    "Not now, maybe after Christmas",
    "Mi dispiace, non mi piacciono i giochi da tavolo",
    "Sorry Nora, count me out",
]
NEITHER = [
    "Yes, but can I move second?",
    "Yes, I got your email, but I have no time",
    "Sure, if you tell me what this is",
    "Sure, who are you?",
    "Are you in Rome?",
    "I'm in Rome until Monday",
    "I'm in hospital",
    "That sounds like a yes to me, but my brother decides",
    "Sì, ma prima dimmi che cos'è",
    "I don't know",
    "When do we start?",
    "Nora",
    "",
    "yes " * 60,
]


@pytest.mark.parametrize("line", YES)
def test_a_warm_yes(line: str) -> None:
    assert agreed_in(line, ["Nora"]) is True


@pytest.mark.parametrize("line", NO)
def test_a_no_with_a_reason(line: str) -> None:
    assert agreed_in(line, ["Nora"]) is False


@pytest.mark.parametrize("line", NEITHER)
def test_whatever_goes_on_otherwise_is_neither(line: str) -> None:
    assert agreed_in(line, ["Nora"]) is None


AMONG_TALK = [
    "Sì! Quando ci vediamo per il caffè?",
    "Nora, che sorpresa! Certo che gioco. Domenica vieni a pranzo? Un bacione",
    "Cara Nora, certo che gioco con te! Lo zio ti aspetta sabato, faccio gli gnocchi.",
    "Con piacere, Nora. Da ragazzi giocavamo a dama per ore, spero di non essere arrugginito.",
    "Yes of course darling, I'd love to! And don't forget the party on Sunday, Grandad is doing a cake.",
    "Oh what fun!! Count me in. Uncle Ravi is here, he wants to know when you are coming to Pune.",
    "Sure! How are the kids?",
]
HELD = [
    "Sì? Quando ci vediamo?",
    "Certo! Posso avere il bianco?",
    "Sì dai, però con più tempo",
    "Volentieri! Chi comincia?",
    "Yes! But not before Monday.",
    "Sure, if you teach me the rules",
    "Ok, I saw it. How are the kids?",
    "Great to hear from you! Is it the one we saw in Rome?",
    "Yes. 3 days would suit me.",
    "I'd love to. No, sorry, I can't.",
]


@pytest.mark.parametrize("said", AMONG_TALK)
def test_a_plain_yes_among_talk_is_one(said: str) -> None:
    assert agrees_among_talk([said], ["Nora"])


@pytest.mark.parametrize("said", HELD)
def test_what_may_be_about_the_match_holds_it_back(said: str) -> None:
    assert not agrees_among_talk([said], ["Nora"])


def test_a_no_with_its_reason_is_one() -> None:
    assert declines(["Grazie No ma no, tra lavoro e figli non riesco a respirare"], ["Nora"]) is False
    assert declines(["Ma no, che bella sorpresa"], ["Nora"]) is None
    assert declines(["Thank you for asking, but I have too many games on at the moment"], ["Nora"]) is False
    assert declines(["Sorry, I have no time today but I'll look at it tomorrow"], ["Nora"]) is None


def test_questions_about_us_and_about_the_game() -> None:
    assert asks_about_us(["Hi", "is it free?"])
    assert asks_about_us(["quanto dura una partita?"])
    assert not asks_about_us(["it is free"])
    assert not asks_about_us(["How is your mother?"])
    assert asks_for_rules(["come si gioca?"])


@pytest.mark.parametrize(
    "said",
    [
        "Sorry, I've no time for games these days. Say hi to the kids!",
        "I'd rather not play by email, thanks",
        "Mi spiace, non ho tempo per giocare in questo periodo. Saluta i bimbi!",
        "Preferirei di no, scusami tanto. A presto",
    ],
)
def test_a_no_that_goes_on(said: str) -> None:
    assert declines([said], ()) is False


@pytest.mark.parametrize(
    "said",
    [
        "No time for long mails, but yes let's play",
        "I have no time today but I'll look at it tomorrow",
        "No time today, is tomorrow fine?",
        "I've no time limit then? Lovely",
        "Non ho tempo oggi, ma domani sì",
        "I've no idea how this works",
    ],
)
def test_a_no_that_something_speaks_against(said: str) -> None:
    assert declines([said], ()) is None


@pytest.mark.parametrize("said", ["ok dad!", "Ok Dad", "sì mamma", "Va bene nonno!"])
def test_whoever_is_spoken_to_gives_no_name(said: str) -> None:
    assert read_acceptance([said]).name == ""
    assert agreed_in(said) is True


@pytest.mark.parametrize("said", ["Ci sto, ma non so le regole", "ok, but I don't know the rules"])
def test_a_yes_of_somebody_who_has_to_learn(said: str) -> None:
    assert agreed_in(said) is True


@pytest.mark.parametrize(
    ("said", "yes"),
    [
        ("Volentieri, però comincia tu", True),
        ("Yes, but can I move second?", True),
        ("Mi piacerebbe ma questo mese ho tre esami, facciamo un'altra volta?", False),
        ("I'd love to, but perhaps some other time?", False),
    ],
)
def test_a_yes_for_another_time_begins_as_none(said: str, yes: bool) -> None:
    assert begins_with_yes([said]) is yes
