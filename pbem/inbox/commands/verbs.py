"""The verbs of all families in the order of HELP: their words in every language, and the HELP letter."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from importlib import import_module
from itertools import chain, groupby, takewhile
from types import ModuleType

from pbem.inbox.commands import command, match_commands
from pbem.inbox.commands.command import (
    Command,
    Games,
    Help,
    Letters,
    Players,
    Preferences,
    Rating,
    Ratings,
    Start,
    Stop,
)
from pbem.inbox.commands.line import CommandLine, plain
from pbem.inbox.commands.match_commands import (
    Challenge,
    Clock,
    Describe,
    Draw,
    History,
    If,
    Move,
    Offer,
    Open,
    RecordOf,
    Resign,
    Show,
    Status,
    Undo,
)
from pbem.players.subscriptions import Subscription
from pbem.wording import SOURCE, Wording, fold, wording

# Returns None when the line is talk or another verb's
Reader = Callable[[CommandLine], Command | None]


class Chapter(StrEnum):
    """The chapters of HELP, in its order; `wording.<language>.toml` has their titles."""

    BEGINNING = "beginning"
    MEETING = "meeting"
    PLAYING = "playing"
    LOOKING = "looking"
    TIME = "time"
    WORDS = "words"
    LETTERS = "letters"


@dataclass(frozen=True)
class Phrase:
    """A verb in one language: its words (HELP shows the first), its usage and its help."""

    words: tuple[str, ...]
    usage: str
    help: str

    @property
    def brief(self) -> str:
        """The first sentence of the help, without its examples."""
        return re.split(r"(?<=\.) |, as in |, come in |: (?=[A-Z]{2})", self.help)[0].rstrip(".") + "."


@dataclass(frozen=True)
class Verb:
    """A command and its phrases by language."""

    command: type[Command]
    phrases: Mapping[str, Phrase]


_COMMANDS = vars(command) | vars(match_commands)


@dataclass(frozen=True)
class Family:
    """The verbs of the module `name`, in the order of HELP; its words have a table for each command under `verbs`."""

    name: str
    chapter: Chapter

    @cached_property
    def verbs(self) -> tuple[Verb, ...]:
        spoken = wording(f"{__package__}.{self.name}")
        return tuple(
            Verb(
                _COMMANDS[name], {language: _phrase(spoken, language, name) for language in spoken.languages}
            )
            for name in spoken.of(SOURCE, "verbs")
        )


def _phrase(spoken: Wording, language: str, name: str) -> Phrase:
    said = spoken.of(language, "verbs", name)
    return Phrase(tuple(said["words"]), said["usage"], " ".join(said["help"].split()))


_MODULES: Mapping[Chapter, Sequence[str]] = {
    Chapter.BEGINNING: ("general", "ratings"),
    Chapter.MEETING: ("matchmaking", "offers", "blocks", "directory", "reports", "contests"),
    Chapter.PLAYING: ("moves", "takeback", "conditional"),
    Chapter.LOOKING: ("variations", "views", "notes", "observers", "analysis", "puzzles"),
    Chapter.TIME: ("clocks", "absence"),
    Chapter.WORDS: ("messages",),
    Chapter.LETTERS: ("letters", "preferences", "account", "own_data", "print_names", "tokens"),
}
FAMILIES = tuple(Family(name, chapter) for chapter, names in _MODULES.items() for name in names)
VERBS = tuple(verb for family in FAMILIES for verb in family.verbs)


def modules() -> Iterator[ModuleType]:
    """Yields the module of each family. It reads lines and carries commands out, so that it cannot lie below."""
    for family in FAMILIES:
        yield import_module(f"{__package__}.{family.name}")


@cache
def readers() -> Mapping[type[Command], Reader]:
    """Returns the reader of each command, loaded when the first line is read."""
    return {kind: read for module in modules() for kind, (read, _) in module.VERBS.items()}


_WORDS = wording(__package__)
# "Fine." opens many English letters, so it ends only Italian ones.
ENDS: Mapping[str, frozenset[str]] = {
    language: frozenset(map(fold, words)) for language, words in _WORDS.each("end").items()
}
CONFIRMING = _WORDS.words("confirming")
REFUSING = _WORDS.words("refusing")
ADDRESSING_US = _WORDS.words("addressing_us")
SALUTATIONS = _WORDS.words("salutations")  # of letters to a person
_GENERAL, _MESSAGES = wording(f"{__package__}.general"), wording(f"{__package__}.messages")
# HELP RULES: the rules of the match's game
RULES = _GENERAL.words("rules")
RULES_IN = {language: {fold(word) for word in words} for language, words in _GENERAL.each("rules").items()}
COURTESIES = _MESSAGES.words("courtesies")
_NEVER_MEANT = _WORDS.words("never_meant")  # too common to be suggested for a mistyped word


def _by_word() -> Mapping[str, tuple[Verb, ...]]:
    spoken: dict[str, dict[type[Command], Verb]] = defaultdict(dict)
    for verb in VERBS:
        for phrase in verb.phrases.values():
            for word in phrase.words:
                spoken[fold(word)][verb.command] = verb
    return {word: tuple(verbs.values()) for word, verbs in spoken.items()}


VERBS_OF = _by_word()  # by folded word of any language; SET has several


def verb_of(command: Command) -> str:
    """Returns the command's verb in English: MOVE, ACCEPT."""
    return next(verb.phrases[SOURCE].words[0] for verb in VERBS if verb.command is type(command))


@cache
def verbs_for(language: str) -> Mapping[str, str]:
    """Returns the words of all verbs by folded form, those of `language` first."""
    languages = sorted(_WORDS.languages, key=lambda other: other != language)
    words = (word for name in languages for verb in VERBS for word in verb.phrases[name].words)
    return {fold(word): word for word in words if fold(word) not in _NEVER_MEANT}


def language_of(line: str) -> str:
    """Returns the first language with the verb that begins the line, else SOURCE."""
    word = fold(line.strip().partition(" ")[0].rstrip(":"))
    spoken = (
        language
        for verb in VERBS_OF.get(word, ())
        for language, phrase in verb.phrases.items()
        if word in map(fold, phrase.words)
    )
    return next(spoken, SOURCE)


OF_MATCHES = (Challenge, Offer)
DEEDS = (*OF_MATCHES, Move, Draw, Resign, Undo, If)
_VIEWS = (Show, History, Describe, RecordOf, Status, Clock)
# Read-only commands, done without a question.
HARMLESS = (Help, Players, Open, Games, Rating, Ratings, *_VIEWS, Preferences, Letters)

_LETTERS = wording(f"{__package__}.letters")
# What follows STOP and START; None is every sort.
_SORTS: Mapping[str, Subscription | None] = {str(sort): sort for sort in Subscription} | {"all": None}
SORT_OF: Mapping[str, Subscription | None] = {
    word: sort for name, sort in _SORTS.items() for word in _LETTERS.words("sorts", name)
}
# The answer that the letter about a running clock asks for, by first word; talk in a match.
GO_ON: Mapping[str, str] = {
    first: rest for first, _, rest in (go.partition(" ") for go in _LETTERS.words("go_on"))
}


def goes_on(line: str) -> bool:
    """Whether the line is the answer in GO_ON, in any case."""
    first, _, rest = fold(plain(line[:40]).rstrip("!. ")).partition(" ")
    return GO_ON.get(first) == rest


def letters_words(language: str) -> dict[str, str]:
    """Returns the words to stop and start letters: `stop`, `start`, `all` and the names of the sorts."""
    sorts = {name: _LETTERS.of(language, "sorts", name)[0] for name in _SORTS}
    stop, start = (_LETTERS.of(language, "verbs", verb.__name__, "words")[0] for verb in (Stop, Start))
    return sorts | {"stop": stop, "start": start}


# HELP

Lines = tuple[str, list[tuple[str, str]]]


def essentials(language: str) -> list[tuple[str, str]]:
    """Returns the usage and the purpose of the most important commands."""
    spoken = {verb.command.__name__: verb.phrases[language] for verb in VERBS}
    told = wording(__package__).of(language, "essentials").items()
    return [(f"{spoken[name].words[0]} {rest}".rstrip(), what) for name, (rest, what) in told]


def help_contents(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns the title of each chapter, with its commands and the word by which HELP explains each."""
    titles, seen = wording(__package__), set[str]()
    return [
        (titles.of(language, "chapters", chapter), list(_named(_in(verbs, language), seen)))
        for chapter, verbs in _by_chapter()
    ]


def _named(phrases: Iterable[Phrase], seen: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the command and its first word, for each word that was not `seen`."""
    for said in phrases:
        word = said.words[0]
        if word not in seen:
            named = takewhile(lambda each: each.isalpha() and each.isupper(), said.usage.split())
            yield " ".join(named) or word, word
        seen.add(word)


def help_on(word: str, language: str) -> Lines:
    """Returns the usage and help of the commands that begin with the word (HELP RESIGN). Raises KeyError."""
    return "", [(said.usage, said.help) for said in _in(VERBS_OF[fold(word)], language)]


def _by_chapter() -> Iterator[tuple[Chapter, Iterable[Verb]]]:
    for chapter, families in groupby(FAMILIES, lambda family: family.chapter):
        yield chapter, chain.from_iterable(family.verbs for family in families)


def _in(verbs: Iterable[Verb], language: str) -> Iterator[Phrase]:
    return (verb.phrases[language] for verb in verbs)
