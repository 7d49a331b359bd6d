"""Terms as people spell them, in the words that a challenge has for them: `7 days per move` is `7d/move`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta

from pbem.matches.clock.control import DAY, HOUR, PRESETS, written
from pbem.wording import SOURCE, wording

_WORDS = wording("pbem.matches")
_LENGTHS: Mapping[str, timedelta] = {"day": DAY, "hour": HOUR, "week": 7 * DAY}


def _all(*keys: str) -> tuple[str, ...]:
    """In every language."""
    return tuple(word for words in _WORDS.each(*keys).values() for word in words)


def _either(words: Iterable[str]) -> str:
    """The longest first, a blank being any."""
    known = [re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)]
    return f"(?:{'|'.join(known)})" if known else "(?!)"


_UNITS = {word: _LENGTHS[name] for name in _LENGTHS for word in _all("spelled", name)}
_UNITS |= {
    letter: _LENGTHS[name] for name in ("day", "hour") for letter in _WORDS.each("clock", name).values()
}
_NUMBERS = dict.fromkeys(_all("spelled", "one"), 1) | {
    word: number
    for words in _WORDS.each("spelled", "numbers").values()
    for number, word in enumerate(words, 2)
}
_LENGTH = rf"(?:[0-9]{{1,3}}(?:[.,]5)?\s*|{_either(_NUMBERS)}(?:['’]\s*|\s+)){_either(_UNITS)}(?![\w'’]|\s*=)"
_MOVE = _either(_WORDS.each("clock", "move").values())
_PER_MOVE = rf"(?:\s*/\s*{_MOVE}|\s+{_either(_all('spelled', 'per_move'))})(?!\w)"
_PLUS = rf"(?:\s*\+\s*|\s+{_either(_all('spelled', 'plus'))}\s+)"
_MORE = rf"(?:\s+{_either(_all('spelled', 'more'))})?"
_AT_MOST = rf"(?:\s*(?:<=|≤)\s*|\s+{_either(_all('spelled', 'at_most'))}\s+)"
_BEFORE = rf"(?:{_either(_all('spelled', 'before'))}[:=]?\s+)?"
_AFTER = rf"(?:\s+{_either(_all('spelled', 'after'))}(?!\w))?"
_IN_TOTAL = rf"\s+{_either(_all('spelled', 'in_total'))}(?![\w=])"
_CLOCK = re.compile(
    rf"(?<![\w=<≤+/.,-]){_BEFORE}(?:"
    rf"(?P<total>{_LENGTH}){_IN_TOTAL}"
    rf"|(?P<bank>{_LENGTH})(?:{_PLUS}(?P<more>{_LENGTH}){_MORE}(?:{_PER_MOVE})?"
    rf"(?:{_AT_MOST}(?P<cap>{_LENGTH}))?|{_PER_MOVE})?"
    rf"|(?P<preset>{_either(PRESETS)})(?![\w=-]))(?:{_AFTER})",
    re.IGNORECASE,
)
_HYPHENED = [word for name in _WORDS.of(SOURCE, "terms") for word in _all("terms", name) if "-" in word]
_SPACED = re.compile(
    rf"(?<![\w=-]){_either(word.replace('-', ' ') for word in _HYPHENED)}(?![\w=-])", re.IGNORECASE
)


def as_tokens(text: str) -> str:
    """The same terms, each without a blank: `10 days + 36 hours, no takebacks` is `10d+36h no-takebacks`."""
    joined = _SPACED.sub(lambda said: "-".join(said[0].split()), text)
    return _CLOCK.sub(_token, joined)


def _token(said: re.Match[str]) -> str:
    if said["preset"]:
        return said["preset"]
    if said["total"]:
        return f"total={_short(said['total'])}"
    more = f"+{_short(said['more'])}" if said["more"] else ""
    cap = f"<={_short(said['cap'])}" if said["cap"] else ""
    return f"{_short(said['bank'])}{more}{cap}"


def _short(length: str) -> str:
    """`a week` is `7d`."""
    found = re.fullmatch(r"(.*?)['’\s]*+([^\W\d_]+)", length)
    assert found, "it fits _LENGTH"
    number, unit = found[1].casefold(), found[2].casefold()
    count = _NUMBERS.get(number) or float(number.replace(",", "."))
    return written(count * _UNITS[unit])
