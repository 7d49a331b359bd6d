"""What the classifier takes texts for that are among no examples, and that its model is the one of these examples."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pbem.intents import TALK, answers, guesses, language_of, model
from pbem.intents.weights import Model, packed
from tests.intents import TASKS, Task, digest, examples, is_consent, read

UNSEEN = read(Path(__file__).parent / "unseen", "answers")  # of which nothing is learned
FOUND = {"en": 0.7, "it": 0.6}  # of the consents


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Could somebody mail me that position once more, the dog ate it", "SHOW"),
        ("potreste rispedirmi la scacchiera che l'ho cancellata per sbaglio", "SHOW"),
        ("I'm swamped with your letters, a single one each evening would do", "DAILY"),
        ("me ne basta una al giorno di queste mail", "DAILY"),
        ("he calls me names, please do something about this man", "REPORT"),
        ("mi scrive insulti pesanti, intervenite per favore", "REPORT"),
        ("how long until my time is up", "CLOCK"),
        ("entro quale giorno devo muovere", "CLOCK"),
        ("My sister says the soup was wonderful", TALK),
        ("domenica andiamo al lago con i bambini", TALK),
    ],
)
def test_what_people_mean(text: str, intent: str) -> None:
    assert text not in {said for *_, said in examples()}
    assert guesses(text)[0].intent == intent


def test_the_most_probable_comes_first_and_all_together_are_one() -> None:
    found = guesses("what are the rules?")
    assert sum(each.probability for each in found) == pytest.approx(1)
    assert all(more.probability >= less.probability for more, less in pairwise(found))


@pytest.mark.parametrize("text", ["", "?!", "FROBNICATE 7", "xyzzy plugh", "a" * 1000, "the " * 200])
def test_what_no_example_is_like_is_nothing(text: str) -> None:
    assert guesses(text) == ()


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Sure, I'd happily play another with you", "ACCEPT"),
        ("ma sì, giochiamone ancora una", "ACCEPT"),
        ("sì, ma aspettiamo che finisca la scuola", "DECLINE"),
        ("Yes, someone has broken into my mailbox", "REPORT"),
        ("certo, ma chi vi ha dato il mio nome?", "REPORT"),
        ("Yes, it's snowing here too", "OTHER"),
        ("quanti giorni ho per rispondere?", "OTHER"),
    ],
)
def test_what_an_answer_means(text: str, intent: str) -> None:
    assert text not in {said for *_, said in examples("answers")}
    assert answers(text)[0].intent == intent


@pytest.mark.parametrize("text", ["", "?!", "FROBNICATE 7", "yes xyzzy plugh frotz", "yes " * 200])
def test_an_answer_that_no_example_is_like_is_nothing(text: str) -> None:
    assert answers(text) == ()


def test_what_is_no_consent_is_not_taken_for_one() -> None:
    others = [text for _, intent, text in UNSEEN if intent != "ACCEPT"]
    assert [text for text in others if is_consent(answers(text))] == []


@pytest.mark.parametrize("language", FOUND)
def test_most_consents_are_found(language: str) -> None:
    consents = [text for spoken, intent, text in UNSEEN if (spoken, intent) == (language, "ACCEPT")]
    assert sum(is_consent(answers(text)) for text in consents) >= FOUND[language] * len(consents)


def test_no_example_is_among_the_unseen() -> None:
    assert not {text for *_, text in UNSEEN} & {text for *_, text in examples("answers")}


def test_the_language_of_a_text() -> None:
    assert language_of("please send me the board again") == "en"
    assert language_of("rimandatemi il tavoliere per favore") == "it"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.file)
def test_the_model_was_learned_from_these_examples(task: Task) -> None:
    assert model(task.file).examples == digest(task.examples()), "make intents"


@pytest.mark.parametrize("kind", ["requests", "answers"])
def test_each_example_stands_there_once_with_an_intent_of_both_languages(kind: str) -> None:
    taught = examples(kind)
    english, italian = (
        {intent for spoken, intent, _ in taught if spoken == language} for language in ("en", "it")
    )
    assert english == italian
    assert len({(language, text) for language, _, text in taught}) == len(taught)


def test_a_feature_is_found_by_its_number_also_behind_others_of_its_slot() -> None:
    features = [f"~{first}{second}à" for first in "abcdefghij" for second in "abcdefghij"]
    learned: dict[str, Any] = dict.fromkeys(Model._fields, ())
    found = Model.of(packed(learned | {"features": features, "names": ["anna"], "short": {"si": "YES"}}))
    assert [found.number_of(feature) for feature in features] == list(range(100))
    assert [found.number_of(other) for other in ("", "~aa", "~aaàà", "\udc80")] == [None] * 4
    assert found.names == {"anna"}
    assert found.short == {"si": "YES"}
