"""A first move that comes with the yes to an invitation, and what is said beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games import spoken
from games.errors import AmbiguousMove, IllegalMove, UnreadableMove
from games.protocol import Notation
from pbem.inbox import confirmations
from pbem.inbox.commands import understand
from pbem.inbox.commands.acceptance import read_acceptance
from pbem.inbox.commands.agreement import agrees, answer_in
from pbem.inbox.commands.line import plain
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import handle_all
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK
from pbem.inbox.recipient import MoveRecipient
from pbem.inbox.responder import Responder
from pbem.inbox.shapes import MoveShapes, legal_moves
from pbem.mail.parsing import trim_signature
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.matches.models import Invitation, Match
from pbem.players.models import Player
from pbem.refusals import Code, Refused


@dataclass(frozen=True)
class Answer:
    """`agreed` None: neither yes nor no was found. `beside` are the other lines, the first move among them."""

    agreed: bool | None
    name: str
    language: str
    beside: tuple[str, ...]


def read_answer(invitation: Invitation, lines: Sequence[str]) -> Answer:
    """A move is a yes, and nobody's name."""
    is_move = _Opening(invitation)
    said = read_acceptance(lines)
    name = "" if is_move(said.name) or talk.is_greeting(said.name) else said.name
    agreed = answer_in(lines) if said.agreed is None else said.agreed
    if agreed is None and any(map(is_move, lines)):
        agreed = True
    beside = (line for line in lines if agrees(line) is None and not _is_yes(line, name))
    return Answer(agreed, name, said.language, tuple(beside))


def play(match: Match, player: Player, said: Answer, reading: Reading, responder: Responder) -> str:
    """The move that came with the yes, and what was said to the opponent; the verdict."""
    seat = next(seat for seat in match.seated if seat.player_id == player.pk)
    context = CommandContext(responder, player, MoveRecipient(state="current", ply=match.ply, seat=seat))
    read = understand(
        said.beside,
        subject=None,
        language=player.language,
        is_move=MoveShapes(player, seat),
        match=match.pk,
        legal=legal_moves(player, seat, match.ply),
    )
    if read.verdict == Code.SEVERAL_MOVES:
        return context.refuse(Refused(Code.SEVERAL_MOVES))
    if any(isinstance(near, Move) for near in read.asks):
        asked = replace(reading, understood=read, recipient=context.recipient, player=player)
        confirmations.ask_what_is_meant(context, asked)
        return Code.CONFIRM_NEEDED
    moves = [command for command in read.commands if isinstance(command, Move)]
    words = without_secrets("\n".join(trim_signature.talk(read.chat.split("\n"))))
    chat = "" if talk.is_courtesy(context, words) else words
    verdicts = handle_all(context, moves, chat=chat) if moves or chat else []
    return next((verdict for verdict in verdicts if verdict != OK), OK)


@dataclass(frozen=True)
class _Opening:
    """Whether a text has the shape of a move on the board that the letter showed."""

    invitation: Invitation

    def __call__(self, text: str) -> bool:
        game = self.invitation.game
        match = Match(game_name=self.invitation.game_name, setup=self.invitation.setup)
        try:
            spoken.read(
                game, match.start_position(), plain(text), Notation(self.invitation.challenger.language)
            )
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True


def _is_yes(line: str, name: str) -> bool:
    """Whether it says no more than yes and the name."""
    return bool(name and plain(line) == name) or read_acceptance([line]).agreed is not None
