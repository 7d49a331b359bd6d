"""Builds the contents of the HELP letter."""

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, takewhile

from pbem.inbox.commands.command import Chapter, Phrase, Verb
from pbem.inbox.commands.families import FAMILIES, VERBS
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

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
