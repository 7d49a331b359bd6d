"""For a letter without a command: verbs that may be meant, and the line nearest to a command."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import chain

from pbem.inbox.commands.command import Letters, Say, Stop
from pbem.inbox.commands.line import LONGEST_LINE, before_cells, named_cells, names_cell
from pbem.inbox.commands.match_commands import Accept, Decline
from pbem.inbox.commands.verbs import VERBS_OF, verbs_for
from pbem.inbox.understanding.answers import agrees
from pbem.inbox.understanding.normalization import bare
from pbem.wording import fold

_CLAUSE = re.compile(r"[,.;:!?]")
_CAPITALS = re.compile(r"[^\W\d_a-z]{3,}\b")  # FROBNICATE 7
_SHORT = 4  # words of a mistyped command
_ALIKE, _ALIKE_IF_SHORT, _SHORT_WORD = 0.75, 0.8, 3  # Pau is no PAUSE


def suggestions(lines: Sequence[str], language: str) -> tuple[str, ...]:
    """Returns up to three verbs nearest to the beginnings of the first lines, as `language` has them."""
    verbs = verbs_for(language)
    near = {verb for line in lines[:20] for verb in _near_verbs(line, verbs)}
    seen: dict[tuple[object, ...], str] = {}
    for word in verbs:
        if word in near:
            seen.setdefault(tuple(each.command for each in VERBS_OF[word]), _spoken(word, language))
    return tuple(dict.fromkeys(seen.values()))[:3]


def _spoken(word: str, language: str) -> str:
    """Returns the word if the language has it, else the language's word for the same verb."""
    spoken = [verb.phrases[language] for verb in VERBS_OF[word] if language in verb.phrases]
    words = {fold(own): own for phrases in spoken for own in phrases.words}
    return words.get(word) or next(iter(words.values()), word)


def mistyped_verbs(lines: Sequence[str], language: str) -> tuple[str, ...]:
    """Returns the verbs that short lines mistype."""
    return suggestions([line for line in lines if len(line.split()) <= _SHORT], language)


def nearest_line(lines: Sequence[str], language: str) -> str:
    """Returns the line with a cell, else in capitals, else like a verb, else without greeting, else ""."""
    verbs = verbs_for(language)
    said = [line.strip() for line in lines[:20] if line.strip()]
    about_moves = (line for line in said if named_cells(line))
    capitals = (line for line in said if _CAPITALS.match(line))
    like_verbs = (line for line in said if _near_verbs(line, verbs))
    no_greetings = (line for line in said if not line.endswith(","))
    return next(chain(about_moves, capitals, like_verbs, no_greetings, said), "")


def _near_verbs(line: str, verbs: Iterable[str]) -> list[str]:
    # `a4-d4` is no ADD; "No, ..." and "say ..." are said to people, as is what precedes a clause with a move.
    first, _, rest = fold(line[:LONGEST_LINE].strip()).partition(" ")
    is_move = names_cell(first) and len(before_cells(first)) < _SHORT_WORD
    if is_move or (names_cell(line) and not names_cell(_CLAUSE.split(line.strip())[0])):
        return []
    near = _nearest("".join(filter(str.isalpha, first)), verbs)
    return [verb for verb in near if not (rest and _is_said_to_people(verb))]


def _is_said_to_people(word: str) -> bool:
    return any(issubclass(verb.command, (Accept, Decline, Letters, Say, Stop)) for verb in VERBS_OF[word])


def _nearest(word: str, verbs: Iterable[str]) -> list[str]:
    # The first letter is rarely mistyped, and every short word is near to NO and SI.
    if len(word) > 20:
        return []
    possible = [verb for verb in verbs if verb[:1] == word[:1] and (len(verb) > 2 or verb == word)]
    return get_close_matches(
        word, possible, n=3, cutoff=_ALIKE if len(word) > _SHORT_WORD else _ALIKE_IF_SHORT
    )


def mistyped(text: str) -> Iterator[str]:
    """Yields the text with its first word corrected to a verb."""
    # The first letter is rarely mistyped, and short words are near to many.
    first, _, rest = text.partition(" ")
    word = bare("".join(filter(str.isalpha, first)))
    if not 3 < len(word) < 20 or word in VERBS_OF or agrees(text) is not None:
        return
    possible = [verb for verb in VERBS_OF if verb[:1] == word[:1] and len(verb) > 3]
    for verb in get_close_matches(word, possible, n=2, cutoff=_ALIKE):
        yield f"{verb.upper() if first.isupper() else verb} {rest}".rstrip()
