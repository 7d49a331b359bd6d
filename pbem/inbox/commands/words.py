"""The words of all verbs, in every language, and the HELP letter made of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.families import CHAPTERS, VERBS
from pbem.inbox.commands.families.letters import SORTS, Start, Stop
from pbem.inbox.commands.spoken import fold
from pbem.inbox.commands.verb import Verb, Wording

Lines = tuple[str, list[tuple[str, str]]]

LANGUAGES = tuple(VERBS[0].said)
# "Fine." opens many English letters, so it ends only Italian ones.
ENDS: Mapping[str, frozenset[str]] = {"en": frozenset({"end"}), "it": frozenset({"end", "fine"})}
CONFIRMING = {"yes", "si", "ok", "accept", "accetto", "confirm", "confermo"}
NEVER_MEANT = {"NON"}  # begins too many sentences to be what a mistyped word stands for
REFUSING = {"no", "decline", "reject", "rifiuto"}


def _by_word() -> Mapping[str, tuple[Verb, ...]]:
    spoken: dict[str, dict[type[Command], Verb]] = defaultdict(dict)
    for verb in VERBS:
        for wording in verb.said.values():
            for word in wording.words:
                spoken[fold(word)][verb.command] = verb
    return {word: tuple(verbs.values()) for word, verbs in spoken.items()}


VERBS_OF = _by_word()  # by folded word, whatever the language: SET begins several


def verb_of(command: Command) -> str:
    """How it is called in English, whatever the player wrote: MOVE, ACCEPT."""
    return next(verb.said["en"].words[0] for verb in VERBS if verb.command is type(command))


def letters_words(language: str) -> dict[str, str]:
    """How a sort of letters is stopped and begun again: by `stop`, `start`, `all` and the names of the sorts."""
    words = {verb.command: verb.said[language].words[0] for verb in VERBS}
    sorts = {str(sort or "all"): word for word, sort in SORTS[language].items()}
    return sorts | {"stop": words[Stop], "start": words[Start]}


def help_chapters(language: str) -> list[Lines]:
    """HELP: the title of each chapter, how to write its commands, and the first sentence of what each does."""
    return [
        (chapter.title[language], [(said.usage, said.brief) for said in _all_said(chapter.verbs, language)])
        for chapter in CHAPTERS
    ]


def help_on(word: str, language: str) -> Lines:
    """HELP RESIGN: how to write the commands that begin with the word, and all that is said of each. Else KeyError."""
    verbs = _all_said(VERBS_OF[fold(word)], language)
    return "", [(said.usage, said.does) for said in verbs]


def verbs_for(language: str) -> tuple[str, ...]:
    """The words of all verbs, those of `language` first."""
    languages = sorted(LANGUAGES, key=lambda other: other != language)
    words = (word for name in languages for verb in VERBS for word in verb.said[name].words)
    return tuple(word for word in words if word not in NEVER_MEANT)


def _all_said(verbs: Iterable[Verb], language: str) -> Iterator[Wording]:
    return (verb.said[language] for verb in verbs)
