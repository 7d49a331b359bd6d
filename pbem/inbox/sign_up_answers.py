"""What a stranger answers to our letters before they are in: yes or no, a name, and the game that they meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.at_once import with_yes
from pbem.inbox.commands import Command
from pbem.inbox.commands.acceptance import Acceptance, named_in, read_acceptance, read_name
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.agreement import agrees
from pbem.inbox.commands.line import plain
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.normalization import without_courtesy
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation
from pbem.inbox.sketched_wish import game_in
from pbem.players.services import NAME
from pbem.wording import fold


def read(asked: Confirmation, reading: Reading) -> Acceptance:
    """A yes and a name, in a word each or in a sentence; or a name alone. A yes that goes on counts where all of it
    is read: it has a name, or a match."""
    lines = reading.letter.lines
    said, named = read_acceptance(lines), read_name(lines)
    if said.agreed is False:
        return said
    if not said.name and named:
        said = Acceptance(said.agreed or named.agreed, named.name, said.language or named.language)
    if not said.name and said.agreed is None:
        written = [without_courtesy(plain(line)) for line in lines if line.strip()][:1]
        alone = [word for word in written if NAME.fullmatch(word) and agrees(word) is None]
        said = replace(said, name="".join(alone))
    if said.agreed is None and _begins_with_yes(reading) and (said.name or says_match(asked, reading)):
        said = replace(said, agreed=True)
    return said


def says_more(asked: Confirmation, reading: Reading) -> bool:
    """Whether the answer to our question says another name than the one that we asked about, or a match."""
    said = read_name(reading.letter.lines) or read_acceptance(reading.letter.lines)
    known = fold(asked.lines[0]) if asked.lines else ""
    another = fold(said.name) not in ("", known) and said.name[0].isupper()
    return another or says_match(asked, reading)


def says_match(asked: Confirmation, reading: Reading) -> bool:
    found = with_yes(reading, asked.language)
    return bool(found.said or found.meant or another_game(asked, reading))


def another_game(asked: Confirmation, reading: Reading) -> list[str]:
    """The lines that we asked about with the game that the answer names, where they ask for one match only."""
    game = game_in(reading.letter.lines)
    is_move = lambda text, number: False  # noqa: E731 - nobody moves before they are in
    read_lines = {line: read_line(line, is_move, None) for line in asked.lines[1:]}
    matches = [(line, each) for line, each in read_lines.items() if isinstance(each, Challenge)]
    if not game or len(matches) != 1 or matches[0][1].game == game or matches[0][1].options:
        return []
    [(line, challenge)] = matches
    changed = " ".join([line.split()[0], challenge.who, game])
    return [changed if each == line else each for each in asked.lines[1:]]


def unsaid(meant: Sequence[Command], asked: Confirmation) -> tuple[Command, ...]:
    """What is not done already: `yes, but emergo` changes the game of the match that was asked about, and asks for no
    second one."""
    games = {game_in([line]) for line in asked.lines[1:]}
    return tuple(each for each in meant if not (isinstance(each, Offer) and each.game in games))


def is_answer(line: str) -> bool:
    """Whether all that it says is for us: yes, no, or a name."""
    agreed = read_acceptance([line]).agreed
    return agreed is not None or agrees(line) is not None or bool(named_in(line))


def _begins_with_yes(reading: Reading) -> bool:
    """Whether the first clause that says either says yes, and none says no."""
    said = [agrees(clause) for line in reading.letter.lines[:8] for clause in newcomers.clauses(plain(line))]
    return True in said and False not in said
