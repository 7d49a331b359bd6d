"""The words of all verbs in every language, and those that stand alone on a line."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from pbem.inbox.commands.command import Command, Verb
from pbem.inbox.commands.families import VERBS
from pbem.wording import SOURCE, fold, wording

_WORDS = wording(__package__)
# "Fine." opens many English letters, so it ends only Italian ones.
ENDS: Mapping[str, frozenset[str]] = {
    language: frozenset(map(fold, words)) for language, words in _WORDS.each("end").items()
}
CONFIRMING = _WORDS.words("confirming")
REFUSING = _WORDS.words("refusing")
ADDRESSING_US = _WORDS.words("addressing_us")
SALUTATIONS = _WORDS.words("salutations")  # of letters to a person
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
