"""Played by `test_third_language.py`, in a copy of the service that has a language more."""

from __future__ import annotations

import pytest

from games.registry import games
from pbem.inbox.commands.verbs import VERBS
from pbem.matches.models import Match
from pbem.refusals import Code
from pbem.wording import wording
from tests.mail_fixtures import Correspondent, Post

LANGUAGE = "xx"
SHARED = wording("pbem.inbox.commands")


def verb(name: str) -> str:
    return next(verb.phrases[LANGUAGE].words[0] for verb in VERBS if verb.command.__name__ == name)


def word(package: str, *keys: str) -> str:
    return str(wording(package).of(LANGUAGE, *keys)[0])


@pytest.fixture
def dora(stranger: Correspondent) -> Correspondent:
    """She signs up by the word of her language, and says yes in it."""
    assert stranger.writes(f"{verb('Register')} Dora").verdict == Code.CONFIRM_NEEDED
    assert "===== qanswer qabove qthis qline =====" in stranger.letter.text
    assert stranger.answers(stranger.letter, SHARED.of(LANGUAGE, "confirming")[0]).verdict == "ok"
    assert stranger.kinds() == ["signup", "welcome"]
    assert stranger.player.language == LANGUAGE
    return stranger


def test_help_is_in_it_and_explains_every_verb(dora: Correspondent) -> None:
    everything = word("pbem.inbox.commands.general", "everything")
    assert dora.writes(f"{verb('Help')} {everything}").verdict == "ok"
    [letter] = dora.reads()
    written = " ".join(letter.text.split())
    for named in (each.command.__name__ for each in VERBS):
        assert named == "Move" or verb(named) in written, named  # a move has no word
    for command in ("Move", "Away"):
        dora.writes(f"{verb('Help')} {verb(command)}")
        assert word_of_help(command) in " ".join(dora.letter.text.split())


def word_of_help(name: str) -> str:
    return next(each.phrases[LANGUAGE].help for each in VERBS if each.command.__name__ == name)


@pytest.mark.parametrize("game", list(games()))
def test_she_challenges_plays_and_gives_up(
    post: Post, dora: Correspondent, bruno: Correspondent, game: str
) -> None:
    first = word("pbem.matches", "sides", "first")
    clock = f"3{wording('pbem.matches').of(LANGUAGE, 'clock', 'day')}"
    assert dora.writes(f"{verb('Challenge')} Bruno {game} {first} {clock}").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    match = Match.objects.get()
    position = match.start_position()
    move = match.game.write(position, next(position.moves()), dora.player.notation)
    assert dora.answers(dora.letter, f"{verb('Move')} {move}").verdict == "ok"
    assert "qturn" in dora.letter.text
    assert Match.objects.get().ply == 1
    assert dora.answers(dora.letter, verb("Resign")).verdict == Code.CONFIRM_NEEDED
    assert (
        dora.answers(dora.letter, f"{SHARED.of(LANGUAGE, 'confirming')[0]} {verb('Resign')}").verdict == "ok"
    )
    assert Match.objects.get().status == Match.Status.OVER


def test_she_says_when_and_how_in_her_own_words(dora: Correspondent) -> None:
    absence, chosen = "pbem.inbox.commands.absence", "pbem.inbox.commands.preferences"
    month = SHARED.of(LANGUAGE, "dates", "months")[7][0]
    away = f"{verb('Away')} {word(absence, 'from')} 3 {month} {word(absence, 'to')} 7 {month}"
    assert dora.writes(away).verdict == "ok"
    theme = word(chosen, "topics", "theme", "words"), word(chosen, "topics", "theme", "options", "dark")
    assert dora.writes(f"{verb('Set')} {' '.join(theme)}").verdict == "ok"
    assert dora.player.theme == "dark"
    english = wording("pbem.players").of(LANGUAGE, "languages", "en")[0]
    assert (
        dora.writes(f"{verb('Set')} {word(chosen, 'topics', 'language', 'words')} {english}").verdict == "ok"
    )
    assert dora.player.language == "en"
    assert dora.writes("SET LANGUAGE pretended").verdict == "ok"
    assert dora.player.language == LANGUAGE
