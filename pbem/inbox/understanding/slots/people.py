"""The person that an utterance names."""

from __future__ import annotations

import re
from itertools import pairwise

from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.commands.topics import Zone
from pbem.inbox.understanding.slots.names import KIN, is_name
from pbem.intents import is_known_name, is_rare
from pbem.wording import fold, wording

_BEFORE = wording("pbem.inbox.commands").words("before_person")
_EMAIL = re.compile(r"(?<![\w.+@-])[^\W_][\w.+'-]{0,63}@[\w.-]{1,190}\w")
_NAMED = re.compile(r"[^\W\d_][\w.'’-]{0,22}\w")
_OWNERS = re.compile(r"['’]s$")  # Bruno's rating
_ZONE = Zone("zone")
_ADDRESSED = re.compile(r"\s*([^\W\d_][\w-]+)(?=[,:])")


def person_in(text: str) -> str:
    """Returns the only person that the text names: an address, a name with a capital, or a rare word behind `with` or
    at the start, before a comma. "" when there is none, or several."""
    if address := _EMAIL.search(text):
        return address[0]
    said = game_pattern().sub(lambda game: " " * len(game[0]), text.lower())
    words = [text[each.start() : each.end()] for each in _NAMED.finditer(text) if said[each.start()] != " "]
    addressed = _ADDRESSED.match(text)
    behind = {after for before, after in pairwise(["", *words]) if fold(before) in _BEFORE}
    behind |= {addressed[1]} if addressed else set()
    names = [
        _OWNERS.sub("", word)
        for word in words
        if is_name(word) and fold(word) not in KIN and not _ZONE.read([word.title()])
    ]
    known = [word for word in names if is_known_name(word)]
    proper = [word for word in names if word[0].isupper() and (is_rare(word) or word != words[0])]
    small = [word for word in names if word in behind and is_rare(word)]
    for found in (dict.fromkeys((*known, *proper)), dict.fromkeys(known), dict.fromkeys(small)):
        if len(found) == 1:
            return next(iter(found))
    return ""
