"""`python -m tests.patterns`: every regular expression of pbem and games, tried with texts that make a bad one slow.

Those compiled at import, those built when first asked for or while what people write is read, and those that stand in
a call. Prints the slow ones, as JSON.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import pkgutil
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from re import _compiler, _parser
from time import thread_time
from types import FrameType
from typing import Any

Found = dict[tuple[str | bytes, int], str]  # where each comes from

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "pbem")
SLOW = 25  # times what `_unit` takes at that moment (1.8 ms on a machine of 2026), the best of TRIES
TRIES = 5
CHEAP = 0.01  # seconds of processor time that no yardstick is asked about
STUCK = 0.2  # where it is given up
LONGEST = 400  # characters: a longer line is talk
HEADER = 8 * 1024  # of what parses mail
OFTEN = 40
ALTERNATIVES = 24  # of one repetition; of a longer table, the first
PART = 5
_REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT)
_ENDS = ("", "\0", " \0", "xq")
_BLANKS = re.compile(r"\s+(?:x|y)")
_RUNS = (
    " ",
    "\t",
    "\n",
    "0",
    "0 ",
    "a",
    "a ",
    "A",
    "aA",
    "-",
    ".",
    ",",
    ", ",
    "...",
    "!",
    "'",
    "(",
    "()",
    "<",
    "@",
    "a@",
    "a.",
)
_CATEGORIES = {
    _parser.CATEGORY_DIGIT: str.isdecimal,
    _parser.CATEGORY_NOT_DIGIT: lambda each: not each.isdecimal(),
    _parser.CATEGORY_SPACE: str.isspace,
    _parser.CATEGORY_NOT_SPACE: lambda each: not each.isspace(),
    _parser.CATEGORY_WORD: lambda each: each.isalnum() or each == "_",
    _parser.CATEGORY_NOT_WORD: lambda each: not (each.isalnum() or each == "_"),
}
_ANY = "a 0.-,'x\n"  # one of them is in every class


class Stuck(BaseException):
    """Raised by the clock in the middle of a match."""


def slow(
    pattern: re.Pattern[Any], *, longest: int = LONGEST, searched: bool = True
) -> tuple[str, float] | None:
    """A text for which it takes too long, and the seconds."""
    ways = (
        pattern.fullmatch,
        pattern.match,
        *([lambda each: list(pattern.finditer(each))] if searched else []),
    )
    for text in dict.fromkeys(texts(pattern, longest)):
        given = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
        for way in ways:
            if _took(way, given) > CHEAP and all(_took(way, given) > SLOW * _unit() for _ in range(TRIES)):
                return text, _took(way, given)
    return None


def _unit() -> float:
    """Seconds for what no pattern that begins with blanks does faster: it tells how fast the machine is now."""
    return _took(_BLANKS.search, " " * LONGEST)


def _took(way: Callable[[Any], object], text: str | bytes) -> float:
    begun = thread_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, STUCK)
    try:
        way(text)
    except Stuck:
        return STUCK
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return thread_time() - begun


def _stop(*_: object) -> None:
    raise Stuck


def texts(pattern: re.Pattern[Any], longest: int) -> Iterator[str]:
    """Long runs, and what nearly fits: each alternative many times, where it is repeated, and a wrong end."""
    for run in _RUNS:
        yield from (run * (longest // len(run)) + end for end in _ENDS)
    tree = _parser.parse(pattern.pattern, pattern.flags)
    for turn in range(min(_most_alternatives(tree), ALTERNATIVES)):
        for often in (OFTEN, longest):
            pumped = _sample(tree, turn, often)[:longest]
            yield from (pumped + end for end in _ENDS)
            yield from (pumped[: len(pumped) // 2], pumped[1:], pumped[:-1] + "\0")
        for repeated in _repeated(tree):
            alternative = _sample(repeated, turn, 1)
            for run in (alternative, f"{alternative} ", f" {alternative}"):
                yield from ((run * OFTEN)[:longest] + end for end in _ENDS)


def _nodes(tree: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
    for kind, value in tree:
        yield kind, value
        for below in _below(kind, value):
            yield from _nodes(below)


def _below(kind: Any, value: Any) -> list[Any]:
    if kind in _REPEATS:
        return [value[2]]
    if kind is _parser.BRANCH:
        return value[1]
    if kind is _parser.SUBPATTERN:
        return [value[3]]
    if kind is _parser.ATOMIC_GROUP:
        return [value]
    if kind is _parser.GROUPREF_EXISTS:
        return [each for each in value[1:] if each]
    return [value[1]] if kind in (_parser.ASSERT, _parser.ASSERT_NOT) else []


def _repeated(tree: Any) -> list[Any]:
    """What stands under a repetition that goes on and on."""
    return [value[2] for kind, value in _nodes(tree) if kind in _REPEATS and value[1] > 3]


def _most_alternatives(tree: Any) -> int:
    """Of any choice under a repetition; elsewhere a few are like all."""
    under = (each for repeated in _repeated(tree) for each in _nodes(repeated))
    choices = (
        len(value[1] if kind is _parser.BRANCH else value)
        for kind, value in under
        if kind in (_parser.BRANCH, _parser.IN)
    )
    return max(2, *choices, 2)


def _sample(tree: Iterable[tuple[Any, Any]], turn: int, often: int) -> str:
    """A text that nearly fits: of each choice the alternative whose turn it is."""
    return "".join(_one(kind, value, turn, often) for kind, value in tree)


def _one(kind: Any, value: Any, turn: int, often: int) -> str:
    if kind in _REPEATS:
        least, most, repeated = value
        times = min(max(often, least), most) if most > 3 else most
        return _sample(repeated, turn, 1) * times
    if kind is _parser.BRANCH:
        return _sample(value[1][turn % len(value[1])], turn, often)
    if kind is _parser.LITERAL:
        return chr(value)
    if kind is _parser.NOT_LITERAL:
        return next(each for each in _ANY if each != chr(value))
    if kind is _parser.ANY:
        return _ANY[turn % 3]
    if kind is _parser.IN:
        return _of_class(value, turn)
    if kind in (_parser.ASSERT, _parser.ASSERT_NOT):
        return ""
    below = _below(kind, value)
    return _sample(below[0], turn, often) if below else ""


def _of_class(members: list[tuple[Any, Any]], turn: int) -> str:
    negated = members[0][0] is _parser.NEGATE
    named = [
        chr(value if kind is _parser.LITERAL else value[0])
        for kind, value in members
        if kind in (_parser.LITERAL, _parser.RANGE)
    ]
    fitting = [each for each in (*([] if negated else named), *_ANY) if _is_in(each, members) is not negated]
    return fitting[turn % len(fitting)] if fitting else "\u00e9"


def _is_in(each: str, members: list[tuple[Any, Any]]) -> bool:
    return any(
        (kind is _parser.LITERAL and ord(each) == value)
        or (kind is _parser.RANGE and value[0] <= ord(each) <= value[1])
        or (kind is _parser.CATEGORY and _CATEGORIES[value](each))
        for kind, value in members
    )


def recorded(exercise: Callable[[], None]) -> Found:
    """Those that pbem and games compile meanwhile."""
    found: Found = {}
    compiled = _compiler.compile

    def record(pattern: Any, flags: int = 0) -> re.Pattern[Any]:
        made = compiled(pattern, flags)
        frame = sys._getframe(1)
        while Path(frame.f_code.co_filename).parent.name == "re" and frame.f_back:
            frame = frame.f_back
        if _is_ours(frame):
            outer = frame  # a function that makes patterns of words is called by the module that uses them
            while outer.f_back and _is_ours(outer) and outer.f_code.co_name != "<module>":
                outer = outer.f_back
            used = outer if _is_ours(outer) else frame
            where = os.path.relpath(used.f_code.co_filename, ROOT)
            found.setdefault((made.pattern, made.flags), f"{where}:{used.f_lineno}")
        return made

    _compiler.compile = record
    re.purge()
    try:
        exercise()
    finally:
        _compiler.compile = compiled
    return found


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(tuple(f"{ROOT / package}/" for package in PACKAGES))


def is_searched(where: str) -> bool:
    """Whether it may be looked for anywhere in a text. Not where all that is asked of its name, or by the module with
    the function that makes it, is whether a text fits."""
    path, _, number = where.rpartition(":")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    top = next(each for each in tree.body if each.lineno <= int(number) <= (each.end_lineno or 0))
    name = (
        ast.unparse(top.targets[0])
        if isinstance(top, ast.Assign) and isinstance(top.value, ast.Call)
        else None
    )
    uses = {
        each.attr
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and name in (None, ast.unparse(each.value))
    }
    called = {
        ast.unparse(each.func)
        for each in ast.walk(top)
        if isinstance(each, ast.Call) and each.lineno == int(number)
    }
    if called & {"re.match", "re.fullmatch"}:
        return False
    fits = uses & {"match", "fullmatch"}
    return not fits or bool(
        uses & {"search", "sub", "subn", "findall", "finditer", *(["split"] if name else [])}
    )


def imported() -> None:
    """Every module, and what stands in calls."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django  # noqa: PLC0415
    from django.contrib import admin  # noqa: PLC0415

    django.setup()
    admin.autodiscover()  # ours takes pages of others away
    for package in PACKAGES:
        for module in pkgutil.walk_packages([ROOT / package], f"{package}."):
            if not {"migrations", "__main__", "wsgi", "tests"} & set(module.name.split(".")):
                importlib.import_module(module.name)


def in_calls() -> Found:
    """Those that are written into a call, as `re.sub("a+", ...)`."""
    found: Found = {}
    for path in (each for package in PACKAGES for each in sorted((ROOT / package).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
                pattern = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                if isinstance(pattern, str | bytes):
                    made = re.compile(pattern)
                    found[made.pattern, made.flags] = f"{path.relative_to(ROOT)}:{node.lineno}"
    return found


def built_when_asked() -> None:
    """The functions that keep a pattern, or several; one language after the other where they ask for it."""
    from games.protocol import LANGUAGES  # noqa: PLC0415

    for name in sorted(name for name in sys.modules if name.startswith(PACKAGES)):
        for each in list(vars(sys.modules[name]).values()):
            wrapped = getattr(each, "__wrapped__", None) if hasattr(each, "cache_info") else None
            if wrapped is None or "Pattern" not in str(wrapped.__annotations__.get("return")):
                continue
            asks = list(inspect.signature(wrapped).parameters.values())
            if not asks or all(one.kind is one.VAR_POSITIONAL for one in asks):
                each()
            elif [one.name for one in asks] == ["language"]:
                for language in LANGUAGES:
                    each(language)


def read_what_people_write() -> None:
    """In every game; of PART lines one."""
    from games.registry import names  # noqa: PLC0415
    from pbem.inbox.commands.parser import understand  # noqa: PLC0415
    from pbem.intents import Bar  # noqa: PLC0415
    from tests.boards import Board, read_on  # noqa: PLC0415

    games = list(names())
    for language, lines in _written().items():
        for number, line in enumerate(islice(lines, 0, None, PART)):
            board = Board.of(games[number % len(games)], language)
            for match, asked in ((4, ""), (4, "draw"), (None, "")):
                understand(
                    [line.split(" | ")[-1]],
                    subject=None,
                    language=language,
                    is_move=board.is_move,
                    match=match,
                    answers=lambda asked=asked: asked,
                    legal=board.legal if match else None,
                    guess=Bar.USUAL,
                )
    for path in sorted((ROOT / "tests" / "mail").rglob("*.eml")):
        read_on(None, path.read_bytes(), own_domain="pbem.example")


def _written() -> dict[str, list[str]]:
    folder = ROOT / "tests" / "pbem" / "inbox"
    return {
        path.suffixes[0][1:]: path.read_text("utf-8").splitlines() for path in sorted(folder.glob("*.txt"))
    }


def tried() -> tuple[int, list[dict[str, Any]]]:
    """How many there are, and the slow ones."""

    def exercise() -> None:
        from pbem.budget import unlimited  # noqa: PLC0415

        imported()
        built_when_asked()
        with unlimited():  # patterns are compiled meanwhile
            read_what_people_write()

    found = in_calls() | recorded(exercise)
    signal.signal(signal.SIGVTALRM, _stop)
    too_slow = []
    for (source, flags), where in found.items():
        pattern, longest = re.compile(source, flags), HEADER if where.startswith("pbem/mail/") else LONGEST
        took = slow(pattern, longest=longest)
        if took and not is_searched(where):
            took = slow(pattern, longest=longest, searched=False)
        if took:
            text, seconds = took
            too_slow.append(
                {"where": where, "text": text, "ms": round(1000 * seconds), "pattern": str(source)[:200]}
            )
    return len(found), too_slow


if __name__ == "__main__":
    number, too_slow = tried()
    print(json.dumps({"tried": number, "slow": too_slow}, ensure_ascii=False))
