"""Recognises how senders without an account ask to play, and how they answer our replies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import islice

from django.conf import settings

from pbem.inbox.commands import absent_games
from pbem.inbox.commands.line import game_of, plain
from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.commands.verbs import COURTESIES
from pbem.inbox.understanding.normalization import bare, wishes, without_courtesy
from pbem.wording import fold, wording

_FIRST_LINES = 3  # a greeting may stand above
_LONGEST = 18  # words of a sentence that asks
_LONGEST_ABOUT_A_GAME = 34  # advertising does not name our games
_LONGEST_MESSAGE = 80  # words of a newcomer's message
_LONGEST_NAME = 60  # characters of a line that may be the name of a game
_MOST_LINES = 40
_ALIKE = 0.8  # similarity of a mistyped word
_SENTENCES = 6  # of the first lines
_SELLS = re.compile(r"://|www\.|@|[%€$£]")
_LINKED = re.compile(r"://|www\.|@")
_ADDRESS = r"[\w.+-]{1,64}@[\w-]{1,63}(?:[.,]{1,2}[\w-]{1,63}){0,4}"  # or a malformed one
_FRIEND = re.compile(
    rf"\b((?:with|against|versus|con|contro|friend|amic[ao]|invit\w*)\b[^@]{{0,30}}?){_ADDRESS}",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(_ADDRESS)
_END = re.compile(r"[.!?…]+\s+")
_WORD = re.compile(r"[^\W_]+")
_ACCOUNT = wording(f"{__package__}.account")
_HELP = wording(f"{__package__}.general")
_TALK = wording(f"{__package__}.messages")
_BIDDING = _ACCOUNT.words("bidding")
_AGAINST = rf"(?!(?:{_ACCOUNT.either('unknown_against')})\b)"  # `emergo please, against a robot` is one
_CLAUSE = re.compile(rf"[;.!?:]+\s+|,+\s+{_AGAINST}|\s+(?:{_ACCOUNT.either('joining')})\s+", re.IGNORECASE)
_BEFORE_NAME = re.compile(rf"^(?:(?:{_ACCOUNT.repeated('before_name')})[\s,]++)++", re.IGNORECASE)
_QUESTION = re.compile(r"[^.!?]+\?")
_EVERYDAY = re.compile(rf"\b(?:{_ACCOUNT.either('everyday')})\b", re.IGNORECASE)
_LIKE_A_GAME = _ACCOUNT.words("like_a_game")


def asks(subject: str, lines: Iterable[str]) -> bool:
    """Whether the Subject or a sentence of the first lines asks to play, or how."""
    lines = list(lines)
    if is_only_game(subject, lines) or any(map(_is_about_match, _first(subject, lines))):
        return True
    first = list(_first(subject, lines))
    if any(_asks_in(language, line) for line in first for language in _ACCOUNT.languages):
        return True
    if absent_games.asked_for(first):
        return True
    return any(_wishes_roughly_in(language, line) for line in first for language in _ACCOUNT.languages)


def may_be_person(subject: str, lines: Iterable[str]) -> bool:
    """Whether the message is short, and has no sign of advertising."""
    written = [subject, *lines]
    words = sum(len(line.split()) for line in written)
    return words <= _LONGEST_MESSAGE and not sells(written)


def sells(lines: Iterable[str], *, linked: bool = False) -> bool:
    """Whether the lines have signs of advertising. `linked`: an address or a link alone is none."""
    said = [sentence for line in lines for sentence in _END.split(line)]
    words = [each for sentence in said for each in sentence.split() if not (linked and _LINKED.search(each))]
    return any(map(_SELLS.search, words)) or any(_names("selling", sentence) for sentence in said)


def greets(lines: Iterable[str]) -> bool:
    """Whether the message is only a greeting."""
    said = [line for line in lines if _words(line)]
    return 0 < len(said) <= _FIRST_LINES and all(set(_words(line)) <= COURTESIES for line in said)


def names_machine(text: str) -> bool:
    """Whether the text speaks of a robot to play against; not `no robot`."""
    said = _denied().sub(" ", f" {' '.join(_words(text))} ")
    return any(phrase in said for language in _ACCOUNT.languages for phrase in _phrases(language, "machines"))


def denies(lines: Iterable[str], *named: str) -> bool:
    """Whether the lines want no robot, only people, or none of what is `named`."""
    denied = _denied(*map(fold, named))
    return any(
        denied.search(f" {' '.join(_words(line))} ") or _names("only_people", line)
        for line in islice(lines, _MOST_LINES)
    )


def names_anybody(text: str) -> bool:
    """Whether the text speaks of an opponent still to be found."""
    return _names("anybody", text)


def speaks_of_play(text: str) -> bool:
    """Whether the text has a word for playing, correct or mistyped."""
    words = _words(text)
    return any(
        _near(words, _words(" ".join(_ACCOUNT.of(language, "roughly_playing"))))
        for language in _ACCOUNT.languages
    )


def is_everyday(name: str) -> bool:
    """Whether the name of a game is also an everyday word."""
    return bool(_EVERYDAY.fullmatch(name))


def is_like_a_game(said: str) -> bool:
    """Whether an everyday word is said that only looks like a misspelled name of a game."""
    return not _LIKE_A_GAME.isdisjoint(said.split())


def declines(lines: Iterable[str]) -> bool:
    """Whether a line says that its writer is not interested."""
    return any(_names("declining", line) for line in lines)


def holds_back(lines: Iterable[str]) -> bool:
    """Whether the lines have words that make a yes void."""
    return any(_names("withholding", line) for line in lines)


def asks_about_us(lines: Iterable[str]) -> bool:
    """Whether a question is about the service, or which game to begin with."""
    short = islice(filter(None, map(str.strip, lines)), _MOST_LINES)
    return any(_names("about_us", said) for line in short for said in _QUESTION.findall(line[:400]))


def name_behind_yes(clause: str) -> str:
    """Removes the words before a name."""
    return _BEFORE_NAME.sub("", clause)


def clauses(line: str) -> list[str]:
    """Splits a line at commas, full stops and ands."""
    return [clause.strip() for clause in _CLAUSE.split(line) if clause.strip()]


def begins_wish(clause: str) -> bool:
    """Whether the clause begins as a request."""
    return any(wishes(clause)) or fold(clause.partition(" ")[0]) in _BIDDING


def is_only_game(subject: str, lines: Iterable[str]) -> bool:
    """Whether the message only names a game, with hello and please at most."""
    said = [text for text in (subject, *islice(lines, _MOST_LINES)) if text.strip()]
    return 0 < len(said) <= _FIRST_LINES and _is_game(said[-1]) and all(map(_says_little, said[:-1]))


def language_of(subject: str, lines: Iterable[str]) -> str:
    """Returns the language of the request or greeting, by default LANGUAGE_CODE."""
    return spoken_in(subject, lines) or settings.LANGUAGE_CODE


def spoken_in(subject: str, lines: Iterable[str]) -> str:
    """Returns the language of the request or greeting, else ""."""
    lines = list(lines)
    for line in _first(subject, lines):
        for language in _ACCOUNT.languages:
            if _asks_in(language, line) or _words(line)[:1] in _verbs(language):
                return language
    if other := absent_games.asked_for(_first(subject, lines)):
        return other.language
    for line in _first(subject, lines):
        for language in _ACCOUNT.languages:
            if _wishes_roughly_in(language, line):
                return language
    return _greeting_language(lines)


def _greeting_language(lines: Sequence[str]) -> str:
    words = {word for line in islice(lines, _FIRST_LINES) for word in _words(line)}
    spoken = [name for name in _TALK.languages if words & set(map(fold, _TALK.of(name, "courtesies")))]
    return spoken[0] if len(spoken) == 1 else ""


def _first(subject: str, lines: Iterable[str]) -> Iterator[str]:
    first = islice(filter(None, map(str.strip, lines)), _FIRST_LINES)
    said = (sentence for line in first for sentence in _END.split(line[:400]))
    yield from (subject, *islice(said, _SENTENCES))


def _asks_in(language: str, line: str) -> bool:
    names_game = bool(game_pattern().search(bare(line)))
    # An address may be a friend's; advertising has one for replies.
    line = _SOMEBODY.sub("", line, count=1) if names_game else _FRIEND.sub(r"\1", line, count=1)
    words = _words(line)
    longest = _LONGEST_ABOUT_A_GAME if names_game else _LONGEST
    if not words or len(words) > longest or _SELLS.search(line):
        return False
    said = f" {' '.join(words)} "
    if any(phrase in said for phrase in _phrases(language, "asking")):
        return True
    if names_game and any(phrase in said for phrase in _phrases(language, "about_game")):
        return True
    begun = [said.index(phrase) for phrase in _phrases(language, "wishing") if phrase in said]
    wished = (*_phrases(language, "wished"), *_phrases(language, "machines"))
    return bool(begun) and any(phrase in said[min(begun) :] for phrase in wished)


def _wishes_roughly_in(language: str, line: str) -> bool:
    """Matches a mistyped request: `vorei gicare a zerts`; beside a game one of both words is enough."""
    line = _SOMEBODY.sub("", line, count=1)
    words = _words(line)
    if len(words) > _LONGEST_ABOUT_A_GAME or _SELLS.search(line):
        return False
    names_game = bool(game_pattern().search(bare(_EVERYDAY.sub(" ", line))))
    wished, played = (_ACCOUNT.of(language, key) for key in ("roughly_wishing", "roughly_playing"))
    return _near(words, _words(" ".join(wished))) and (names_game or _near(words, _words(" ".join(played))))


def _near(words: list[str], meant: list[str]) -> bool:
    long = [word for word in words if len(word) > 3]
    return any(get_close_matches(word, meant, n=1, cutoff=_ALIKE) for word in long)


def _is_about_match(line: str) -> bool:
    """Whether the line names a game, and a friend's address or a robot; everyday names do not count."""
    sells = _SELLS.search(_SOMEBODY.sub("", line, count=1))
    if sells or len(line.split()) > _LONGEST_ABOUT_A_GAME:
        return False
    said = _EVERYDAY.sub(" ", _SOMEBODY.sub(" ", line))
    if not game_pattern().search(bare(said)):
        return False
    return bool(_SOMEBODY.search(line)) or names_machine(line)


def _names(key: str, text: str) -> bool:
    said = _denied().sub(" ", f" {' '.join(_words(text))} ")
    return any(phrase in said for language in _ACCOUNT.languages for phrase in _phrases(language, key))


def _is_game(line: str) -> bool:
    """Matches `zertz?`, `hi, zertz please`."""
    said = without_courtesy(plain(line[:_LONGEST_NAME]).rstrip("!?. "))
    return any(game_of(re.split(r"[\s,]+", name)) is not None for name in (said, *wishes(said)) if name)


def _says_little(line: str) -> bool:
    """Whether the line is a greeting or a game."""
    return _is_game(line) or set(_words(line)) <= COURTESIES


@cache
def _denied(*named: str) -> re.Pattern[str]:
    """Compiles the pattern of `no robot`, `not against a computer`, `il robot no`; not `why not a robot`."""
    keys = ("asking_why", "denying", "denied_along", "machines")
    why, no, along, machines = (
        [phrase.strip() for language in _ACCOUNT.languages for phrase in _phrases(language, key)]
        for key in keys
    )
    either = ["|".join(map(re.escape, sorted(words, key=len, reverse=True))) for words in (no, along)]
    what = "|".join(map(re.escape, sorted([*machines, *named], key=len, reverse=True)))
    asked = "".join(rf"(?<! {re.escape(word)})" for word in why)
    after = "|".join(map(re.escape, _ACCOUNT.words("denying_after")))
    before = rf"{asked} (?:{either[0]})(?:(?! (?:{what}) ) (?:{either[1]})(?= ))*+ (?:{what})(?= )"
    return re.compile(rf"{before}| (?:{what}) (?:{after})(?= )")


@cache
def _phrases(language: str, key: str) -> tuple[str, ...]:
    return tuple(f" {' '.join(_words(phrase))} " for phrase in _ACCOUNT.of(language, key))


@cache
def _verbs(language: str) -> tuple[list[str], ...]:
    said = (
        *_HELP.of(language, "verbs", "Help", "words"),
        *_ACCOUNT.of(language, "verbs", "Register", "words"),
    )
    return tuple(_words(word) for word in said)


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text[:400])]
