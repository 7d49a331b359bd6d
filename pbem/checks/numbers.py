"""Numbers that leave no room to work in."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator

from django.conf import settings
from django.core.checks import Error

from games.registry import games
from games.robots.levels import LEVELS

MOST_IMAP_SECONDS = 240  # a mailbox that nobody has looked into for five minutes is away
LEAST = {
    "DOOR_CONNECTIONS": 1,
    "DOOR_CONNECTIONS_PER_PEER": 1,
    "IMAP_SECONDS": 1,
    "HEALTH_SECONDS": 0,
    "DISK_RESERVE": 0,
    "ABSENCE_DAYS": 0,
    "ROBOT_MATCHES": 0,
    "ROBOT_THINKS_PER_DAY": 0,
    "ROBOT_CPU_PER_DAY": 1,
    "RETAIN_RAW_MAIL": 0,
    "RETAIN_REJECTED": 0,
    "RETAIN_LETTERS": 0,
    "STRANGERS_ANSWERED_PER_DAY": 0,
    "STRANGERS_ANSWERED_PER_SERVER": 0,
    "INVITATIONS_PER_DAY": 0,
    "INVITATIONS_PER_DOMAIN_PER_DAY": 0,
}


def mistakes() -> Iterator[Error]:
    yield from _too_few()
    yield from _pauses()
    yield from _mail_at_once()
    yield from _robots()


def _robots() -> Iterator[Error]:
    if unknown := [level for level in settings.ROBOT_LEVELS if level not in LEVELS]:
        yield Error(
            f"ROBOT_LEVELS has {', '.join(map(str, unknown))}: no robot plays so.",
            hint=f"Write some of {', '.join(map(str, LEVELS))}, with commas.",
            id="pbem.E070",
        )
    if not (len(settings.ROBOT_DELAY) == 2 and 0 <= settings.ROBOT_DELAY[0] <= settings.ROBOT_DELAY[1]):
        yield Error(
            f"ROBOT_DELAY is {','.join(f'{minutes:g}' for minutes in settings.ROBOT_DELAY)!r}.",
            hint="Write two numbers of minutes, the smaller one first: 1,4.",
            id="pbem.E071",
        )
    commands = settings.ROBOT_COMMANDS
    for name, command in commands.items() if isinstance(commands, dict) else [("", commands)]:
        level, _, game = name.partition(" ")
        known = level in map(str, settings.ROBOT_LEVELS) and game in ("", *games())
        if not known or not _can_be_run(command):
            yield Error(
                f"ROBOT_COMMANDS has {name!r}: {command!r}.",
                hint="Write a level of ROBOT_LEVELS and perhaps a game, and a program that can be run: "
                '{"3 loa": "/opt/engine --quiet"}.',
                id="pbem.E075",
            )


def _can_be_run(command: object) -> bool:
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:  # a quotation that does not end
        return False
    return bool(words) and shutil.which(words[0]) is not None


def _too_few() -> Iterator[Error]:
    for name, least in LEAST.items():
        value = getattr(settings, name)
        if value < least:
            yield Error(f"{name} is {value!r}", hint=f"Write {least} or more.", id="pbem.E024")


def _pauses() -> Iterator[Error]:
    if settings.IMAP_SECONDS > MOST_IMAP_SECONDS:
        yield Error(
            f"IMAP_SECONDS is {settings.IMAP_SECONDS!r}: each pause would be taken for an outage.",
            hint=f"Write {MOST_IMAP_SECONDS} or less.",
            id="pbem.E033",
        )
    shortest_pause = min(
        min(each, default=0) for each in (settings.BACK_OFF_MINUTES, settings.SLOW_DOWN_SECONDS)
    )
    if settings.LEASE_SECONDS <= 0 or shortest_pause <= 0:
        yield Error(
            "LEASE_SECONDS, BACK_OFF_MINUTES or SLOW_DOWN_SECONDS says not to wait at all.",
            hint="Write more than nothing, or leave them out.",
            id="pbem.E006",
        )
    if not settings.SWEEP_SECONDS > 0:
        yield Error(
            f"SWEEP_SECONDS is {settings.SWEEP_SECONDS:g}: nothing would ever rest.",
            hint="Write more than 0, or leave it out: 15.",
            id="pbem.E061",
        )


def _mail_at_once() -> Iterator[Error]:
    if settings.LETTERS_AT_ONCE < 1:
        yield Error(
            f"LETTERS_AT_ONCE is {settings.LETTERS_AT_ONCE}: no letter could leave.",
            hint="Write 1 or more, or leave it out: 4 suits everybody.",
            id="pbem.E008",
        )
    if settings.STRANGERS_PER_HOUR < 1:
        yield Error(
            f"STRANGERS_PER_HOUR is {settings.STRANGERS_PER_HOUR}: nobody could sign up.",
            hint="Write how many letters an hour your machine can bear, or leave it out: 1000.",
            id="pbem.E031",
        )
