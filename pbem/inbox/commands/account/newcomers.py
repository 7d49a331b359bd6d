"""Somebody who has not signed up and asks how to, in words of their own: what they say, and their answer to ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import islice

from django.conf import settings

from pbem.inbox.commands.account import absent_games
from pbem.inbox.commands.general import grammar as general
from pbem.inbox.commands.line import game_of, plain
from pbem.inbox.commands.normalization import bare, wishes, without_courtesy
from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.commands.talking import grammar as talking
from pbem.inbox.commands.talking.grammar import COURTESIES
from pbem.wording import fold, wording

_FIRST_LINES = 3  # a greeting may stand above
_LONGEST = 18  # words of a sentence that asks
_LONGEST_ABOUT_A_GAME = 34  # people who sell do not know what our games are called
_LONGEST_MESSAGE = 80  # words of all that a person writes who asks how to begin
_LONGEST_NAME = 60  # characters of a line that may be the name of a game
_MOST_LINES = 40
_ALIKE = 0.8  # of a mistyped word
_SENTENCES = 6  # of these lines; people who are polite begin with who they are
_SELLS = re.compile(r"://|www\.|@|[%€$£]")
_LINKED = re.compile(r"://|www\.|@")
_ADDRESS = r"[\w.+-]{1,64}@[\w-]{1,63}(?:[.,]{1,2}[\w-]{1,63}){0,4}"  # or what is written for one
_FRIEND = re.compile(
    rf"\b((?:with|against|versus|con|contro|friend|amic[ao]|invit\w*)\b[^@]{{0,30}}?){_ADDRESS}",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(_ADDRESS)
_END = re.compile(r"[.!?…]+\s+")
_WORD = re.compile(r"[^\W_]+")
_ACCOUNT = wording(__package__)
_HELP = wording(general.__package__)
_TALK = wording(talking.__package__)
_BIDDING = _ACCOUNT.words("bidding")
_AGAINST = rf"(?!(?:{_ACCOUNT.either('unknown_against')})\b)"  # `emergo please, against a robot` is one
_CLAUSE = re.compile(rf"[;.!?:]+\s+|,+\s+{_AGAINST}|\s+(?:{_ACCOUNT.either('joining')})\s+", re.IGNORECASE)
_BEFORE_NAME = re.compile(rf"^(?:(?:{_ACCOUNT.repeated('before_name')})[\s,]++)++", re.IGNORECASE)
_QUESTION = re.compile(r"[^.!?]+\?")
_EVERYDAY = re.compile(rf"\b(?:{_ACCOUNT.either('everyday')})\b", re.IGNORECASE)


def asks(subject: str, lines: Iterable[str]) -> bool:
    """Whether the Subject or a sentence of the first lines asks to play, or how; below stands whatever people sell."""
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
    """Whether it is short, and has nothing of what stands in every message that sells."""
    written = [subject, *lines]
    words = sum(len(line.split()) for line in written)
    return words <= _LONGEST_MESSAGE and not sells(written)


def sells(lines: Iterable[str], *, linked: bool = False) -> bool:
    """Whether it has what stands in messages that sell. `linked`: an address or a link alone is none of that."""
    said = [sentence for line in lines for sentence in _END.split(line)]
    words = [each for sentence in said for each in sentence.split() if not (linked and _LINKED.search(each))]
    return any(map(_SELLS.search, words)) or any(_names("selling", sentence) for sentence in said)


def greets(lines: Iterable[str]) -> bool:
    """Whether it is a greeting and no more: people look whether anybody is there."""
    said = [line for line in lines if _words(line)]
    return 0 < len(said) <= _FIRST_LINES and all(set(_words(line)) <= COURTESIES for line in said)


def names_machine(text: str) -> bool:
    """Whether it speaks of a robot to play against, and not of `no robot`."""
    said = _denied().sub(" ", f" {' '.join(_words(text))} ")
    return any(phrase in said for language in _ACCOUNT.languages for phrase in _phrases(language, "machines"))


def denies(lines: Iterable[str], *named: str) -> bool:
    """Whether it wants no robot, only people, or none of what is `named`."""
    denied = _denied(*map(fold, named))
    return any(
        denied.search(f" {' '.join(_words(line))} ") or _names("only_people", line)
        for line in islice(lines, _MOST_LINES)
    )


def names_anybody(text: str) -> bool:
    """Whether it speaks of an opponent whom nobody knows yet."""
    return _names("anybody", text)


def speaks_of_play(text: str) -> bool:
    """Whether it has a word for playing, be it mistyped."""
    words = _words(text)
    return any(
        _near(words, _words(" ".join(_ACCOUNT.of(language, "roughly_playing"))))
        for language in _ACCOUNT.languages
    )


def is_everyday(name: str) -> bool:
    """Whether the name of a game is a word that people use for other things too."""
    return bool(_EVERYDAY.fullmatch(name))


def declines(lines: Iterable[str]) -> bool:
    """Whether a line says that its writer wants none of it."""
    return any(_names("declining", line) for line in lines)


def holds_back(lines: Iterable[str]) -> bool:
    """Whether something is said beside a yes that makes it none."""
    return any(_names("withholding", line) for line in lines)


def asks_about_us(lines: Iterable[str]) -> bool:
    """Whether a question is about the service itself, or which of its games to begin with."""
    short = islice(filter(None, map(str.strip, lines)), _MOST_LINES)
    return any(_names("about_us", said) for line in short for said in _QUESTION.findall(line[:400]))


def name_behind_yes(clause: str) -> str:
    """Without the words that people put before how they want to be called."""
    return _BEFORE_NAME.sub("", clause)


def clauses(line: str) -> list[str]:
    """What stands between its commas, full stops and ands."""
    return [clause.strip() for clause in _CLAUSE.split(line) if clause.strip()]


def begins_wish(clause: str) -> bool:
    """Whether it begins as people begin what they ask for."""
    return any(wishes(clause)) or fold(clause.partition(" ")[0]) in _BIDDING


def is_only_game(subject: str, lines: Iterable[str]) -> bool:
    """Whether the message says no more than the name of a game, and at most hello and please."""
    said = [text for text in (subject, *islice(lines, _MOST_LINES)) if text.strip()]
    return 0 < len(said) <= _FIRST_LINES and _is_game(said[-1]) and all(map(_says_little, said[:-1]))


def language_of(subject: str, lines: Iterable[str]) -> str:
    """The one in which they ask or greet, ours where nothing tells."""
    return spoken_in(subject, lines) or settings.LANGUAGE_CODE


def spoken_in(subject: str, lines: Iterable[str]) -> str:
    """The one in which they ask, with a word of ours or in words of their own, or greet; "" where nothing tells."""
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
    # An address may be that of a friend to play with; people who sell have one for answers.
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
    """`vorei gicare a zerts`: both words of a wish to play, mistyped a little; beside a game one is enough."""
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
    """Whether it names a game, and a friend's address or a robot, whatever the language; a game whose name people use
    every day says too little beside them."""
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
    """`zertz?`, `hi, zertz please`."""
    said = without_courtesy(plain(line[:_LONGEST_NAME]).rstrip("!?. "))
    return any(game_of(re.split(r"[\s,]+", name)) is not None for name in (said, *wishes(said)) if name)


def _says_little(line: str) -> bool:
    """A greeting, or the game again."""
    return _is_game(line) or set(_words(line)) <= COURTESIES


@cache
def _denied(*named: str) -> re.Pattern[str]:
    """`no robot`, `not against a computer`, `il robot no`; not `why not a robot`."""
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
