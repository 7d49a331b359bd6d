"""The words of one language stand in no letter of the other."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from pbem.inbox.commands.phrases import spoken_in
from pbem.inbox.commands.verbs import VERBS
from pbem.wording import fold
from tests.mail_fixtures import Post, registered

SHOUTED = re.compile(r"\b[A-ZÀÈÉÌÒÙ]{2,}\b")


def verbs(language: str) -> set[str]:
    return {fold(word) for verb in VERBS for said in verb.phrases[language].words for word in said.split()}


def foreign(text: str, language: str) -> set[str]:
    """The verbs of the other language that stand in a text, in capitals as verbs do."""
    [other] = {"en", "it"} - {language}
    return {word for word in SHOUTED.findall(text) if fold(word) in verbs(other) - verbs(language)}


def sentences() -> Iterator[tuple[str, str]]:
    """Each with its language."""
    with (Path(settings.ROOT) / "pbem/locale/it/LC_MESSAGES/django.po").open("rb") as file:
        for message in read_po(file):
            for language, said in (("en", message.id), ("it", message.string)):
                yield from ((language, each) for each in ([said] if isinstance(said, str) else said))


def test_no_sentence_has_a_verb_of_the_other_language() -> None:
    assert foreign("Scrivi CHALLENGE", "it") == {"CHALLENGE"}
    assert foreign("Write SFIDA", "en") == {"SFIDA"}
    assert [(said, words) for language, said in sentences() if (words := foreign(said, language))] == []


@pytest.mark.parametrize(
    ("line", "language", "said"),
    [
        ("CHALLENGE Robot-1 loa", "it", "SFIDA Robot-1 loa"),
        ("SFIDO tom@example.org zertz", "en", "CHALLENGE tom@example.org zertz"),
        ("sfida Anna loa", "it", "sfida Anna loa"),
        ("SET NAME Teo", "it", "SET NAME Teo"),
        ("b8-b6", "it", "b8-b6"),
    ],
)
def test_a_line_that_we_have_read_is_asked_about_in_the_words_of_its_reader(
    line: str, language: str, said: str
) -> None:
    assert spoken_in(line, language) == said


@pytest.mark.parametrize(
    "body",
    [
        "robot loa partita!",
        "partita a zertz con il computer?",
        "challenge Anna to a game of loa",
        "dai, loa contro un bot",
        "zertz",
    ],
)
@pytest.mark.django_db
def test_a_question_to_an_italian_player_has_no_english_verb(post: Post, body: str) -> None:
    registered(post, "Anna", "it")
    bruno = registered(post, "Bruno", "it")
    bruno.writes(body)
    assert bruno.letters
    assert foreign(bruno.letter.text, "it") == set()
