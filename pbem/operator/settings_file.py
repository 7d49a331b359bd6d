"""The file of settings, as systemd reads it (EnvironmentFile=): a setting on a line, and nothing is executed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

USUAL = "/etc/pbem.env"
USUAL_USER = "pbem"
CREDENTIAL = "pbem.env"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PLAIN = re.compile(r"[^\s\"'\\#;`$][^\"'\\`$\n]*(?<!\s)|")
_TO_ESCAPE = re.compile(r"([\"\\`$])")
_IN_QUOTES = re.compile(r"\\([\"\\`$])")


@dataclass(frozen=True)
class Setting:
    line: int
    name: str
    value: str


@dataclass(frozen=True)
class Unread:
    """A line that systemd leaves out as well."""

    line: int
    text: str


LOADED: list[Setting | Unread] = []  # by root, before this process became a user who may not read the file


def where(environ: Mapping[str, str]) -> Path:
    """What systemd hands the units of ours (LoadCredential=), what PBEM_ENV names, or the usual one."""
    credential = Path(environ.get("CREDENTIALS_DIRECTORY", "/nowhere")) / CREDENTIAL
    if "PBEM_ENV" not in environ and os.access(credential, os.R_OK):
        return credential
    return Path(environ.get("PBEM_ENV") or USUAL)


def read(text: str) -> Iterator[Setting | Unread]:
    number = 1
    for line in text.replace("\r\n", "\n").replace("\\\n", "\0").split("\n"):
        said = line.strip()
        if said and said[0] not in "#;":
            yield _read(number, said.replace("\0", ""))
        number += 1 + line.count("\0")


def _read(number: int, line: str) -> Setting | Unread:
    name, equals, value = line.partition("=")
    name, value = name.strip(), value.strip()
    if not (equals and _NAME.fullmatch(name)):
        return Unread(number, name)
    return Setting(number, name, _value(value))


def _value(text: str) -> str:
    if text[:1] == "'" and (end := text.find("'", 1)) > 0:
        return text[1:end]
    if text[:1] == '"' and (quoted := re.match(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)):
        return _IN_QUOTES.sub(r"\1", quoted[1])
    return _ESCAPED.sub(r"\1", text)


def written(name: str, value: str) -> str:
    """The line that reads as this value, here and in systemd."""
    if _PLAIN.fullmatch(value):
        return f"{name}={value}"
    escaped = _TO_ESCAPE.sub(r"\\\1", value)
    return f'{name}="{escaped}"'
