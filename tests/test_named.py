"""Every path, module and name in backticks that docs, docstrings, comments and the Makefile mention exists."""

from __future__ import annotations

import builtins
import io
import keyword
import re
import subprocess
import tokenize
from functools import cache
from pathlib import Path

from tests.processes import ROOT

WORD = re.compile(r"\w+")
FOLDERS = "pbem|games|tests|templates|deploy|docs"
PATH = re.compile(rf"(?<![\w/.:%-])((?:{FOLDERS})/[\w./*<>-]*[\w*>/])")
MODULE = re.compile(r"(?<![\w/.@-])((?:pbem|games|tests)(?:\.[A-Za-z_]\w*)+)(?![\w/@*-]|\.\w)")
NAME = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(?:\([^`]*\))?`(?!`)")
# Of other programs, units of systemd, names of the world outside; and what can be written as a move.
OTHERS = re.compile(
    r"pbem\.(games|localhost|service|target|outage|signin|_domainkey\.play\.example\.org|contests\.tasks\.sweep)"
    r"|acyclic_siblings|lmtp_send_xforward_command|sysexits\.h|sign_headers|Robot2|[NWB0-9]+|[A-Z]?x?([a-h][0-9]?x?)+|Nd5"
)


def files(*patterns: str) -> list[Path]:
    """Of all that is kept in the repository."""
    listed = subprocess.check_output(["git", "ls-files", *patterns], cwd=ROOT, text=True).split()
    return [path for path in map(ROOT.joinpath, listed) if path.exists()]


@cache
def divided(path: Path) -> tuple[tuple[str, ...], frozenset[str]]:
    """The docstrings and comments of a Python file, and every word of its code."""
    prose, code, begins = list[str](), list[str](), True
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        is_prose = token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins)
        (prose if is_prose else code).append(token.string.strip('r"') if is_prose else token.string)
        if token.type not in {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}:
            begins = token.type == tokenize.NEWLINE
    return tuple(prose), frozenset(WORD.findall(" ".join(code)))


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Where something is said, and what: `((path, text), ...)`."""
    said = []
    for path in files("*.md", "Makefile", "*.py"):
        where = str(path.relative_to(ROOT))
        if where != "CHANGELOG.md" and "/migrations/" not in where:  # the past keeps its names
            texts = divided(path)[0] if path.suffix == ".py" else [path.read_text("utf-8")]
            said += [(where, text) for text in texts]
    return tuple(said)


def test_paths_exist() -> None:
    gone = []
    for where, text in texts():
        for path in PATH.findall(text):
            shape = re.sub(r"<[^>]*>|\*+", "*", path)
            if not any(ROOT.glob(shape.rstrip("/"))):
                gone.append((where, path))
    assert gone == []


def test_modules_exist() -> None:
    named = [(where, name) for where, text in texts() for name in MODULE.findall(text)]
    assert [each for each in named if not OTHERS.fullmatch(each[1]) and not is_there(each[1])] == []


def is_there(dotted: str) -> bool:
    """Whether it is a module, or a name at the top of one."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:length])
        module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if path.is_dir() or module.is_file():
            return length == len(parts) or (module.is_file() and parts[length] in words(module))
    return False


def words(path: Path) -> frozenset[str]:
    """Every word of a file; of Python, without its docstrings and comments."""
    return divided(path)[1] if path.suffix == ".py" else frozenset(WORD.findall(path.read_text("utf-8")))


@cache
def known() -> frozenset[str]:
    """Every word of all that is no prose."""
    of_files = [
        words(path)
        for path in files("*.py", "*.toml", "*.html", "*.txt", "*.env", "*.sql", "*.service", "*.js")
    ]
    modules = {path.stem for path in files("*.py")}
    return frozenset().union(modules, keyword.kwlist, dir(builtins), *of_files)


def test_names_exist() -> None:
    gone = []
    for where, text in texts():
        for name in NAME.findall(text):
            if not OTHERS.fullmatch(name) and any(
                part not in known() for part in name.removesuffix(".py").split(".")
            ):
                gone.append((where, name))
    assert gone == []
