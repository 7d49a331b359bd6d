"""Challenges, invitations and rematches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import SystemRandom

from django.db import transaction

from games.registry import heard
from pbem.inbox.commands.line import CommandLine, arguments, match_of, plain, typed
from pbem.inbox.commands.match_commands import Accept, Challenge, Decline, Offer, Rematch, Swap
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.inbox.handling.talk import is_courtesy, with_answer
from pbem.inbox.newcomers import invitations
from pbem.mail.authentication.dkim import organisation
from pbem.mail.mailbox import mailbox_of
from pbem.mail.parsing.redact_addresses import relayed_to_stranger
from pbem.matches import services
from pbem.matches.matchmaking import invitations as inviting
from pbem.matches.matchmaking import seeks
from pbem.matches.matchmaking.match_request import why
from pbem.matches.matchmaking.rematch import rematch
from pbem.matches.models import Match
from pbem.matches.offers import swap
from pbem.players.models import Player, PlayerQuerySet
from pbem.players.models.address import is_impossible_address
from pbem.players.names import is_robot, robot_name
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WHO = re.compile(r"\w[\w.+'’-]{0,63}(?:@[\w.-]{1,190}\w)?")
_OPTION = re.compile(r"\S{0,79}[^\s,;:!?…]")
_MOST_OPTIONS = 20  # words; a clock may take several
_WORDS = wording(__name__)
_SETUP = re.compile(rf"\s(?:--?)?(?:{_WORDS.either('setup')})=", re.IGNORECASE)
_LEVEL = re.compile(rf"(?:{_WORDS.either('level')})[=\s]([0-9])(?!\S)", re.IGNORECASE)
_NO = _WORDS.words("no")
_MOVE, _SWAP = _WORDS.words("move"), _WORDS.words("swap")
_ANSWERS = wording("pbem.inbox.commands")
_NOBODY = _WORDS.words("between") | _ANSWERS.words("confirming") | _ANSWERS.words("refusing")
ANYBODY = _WORDS.words("anybody")
MACHINES = _WORDS.words("machines")
DECLINES_PEOPLE = _WORDS.words("declines_people")  # words both for Decline and for Refuse


def _read_challenge(line: CommandLine) -> Challenge | None:
    words, setup = split_setup(line.rest)
    match _with_level(words):
        case [who, *wish] if _is_somebody(who) and (found := heard(wish)):
            game, options = found
            rules = read_options(options)
            return None if rules is None else Challenge(who, game, rules, setup)
    return None


def _is_somebody(who: str) -> bool:
    """Whether the word can be a player: not `to` of CHALLENGE to zertz, nor YES."""
    return bool(_WHO.fullmatch(who) or is_impossible_address(who)) and fold(who) not in _NOBODY


def _with_level(words: list[str]) -> list[str]:
    """Joins a robot and its level: `robot 2 loa` and `robot loa level=2` are `robot2 loa`."""
    match words:
        case [who, number, *wish] if number.isdecimal() and is_robot(who):
            return [f"{who}{number}", *wish]
        case [who, *wish] if is_robot(who) and (said := _LEVEL.search(text := " ".join(wish))):
            return [robot_name(int(said[1])), *f"{text[: said.start()]} {text[said.end() :]}".split()]
    return words


def split_setup(text: str) -> tuple[list[str], str | None]:
    """Returns the words, and the set-up; None when there is none."""
    # The set-up is the rest of the line: it may have blanks and end with a full stop.
    wish, *setup = _SETUP.split(text, maxsplit=1)
    return arguments(wish), typed(setup[0]) if setup else None


def read_options(words: Sequence[str]) -> tuple[str, ...] | None:
    """Returns the options after the game. None when they are a sentence."""
    if len(words) > _MOST_OPTIONS or not all(map(_OPTION.fullmatch, words)):
        return None
    return tuple(re.sub(r"^--?(?=\w)", "", word) for word in words)


def _read_accept(line: CommandLine) -> Accept | None:
    match, rest = match_of(line)
    return None if rest or (line.marked and match is None) else Accept(match)


def _read_decline(line: CommandLine) -> Decline | None:
    # A reason needs a match or a clear verb, so that "Rifiuto di crederci" stays talk; NO takes one word of
    # ours. RIFIUTO and one word, in a letter that answers none, is about a person: see
    # `pbem.inbox.commands.blocks`.
    match, rest = match_of(line)
    if line.word in DECLINES_PEOPLE and match is None and line.own is None and len(line.words) == 1:
        return None
    if match is None and (line.marked or (rest and not line.clear)):
        return None
    if rest and line.word in _NO and not (line.clear and why(rest)):
        return None
    return Decline(match, rest.strip())


def _read_rematch(line: CommandLine) -> Rematch | None:
    match, rest = match_of(line)
    return None if rest else Rematch(match)


def _read_swap(line: CommandLine) -> Swap | None:
    """Reads SWAP, or MOVE 105 swap of older servers."""
    match, rest = match_of(line)
    if line.word in _MOVE:
        return Swap(match) if fold(plain(rest)) in _SWAP else None
    return None if rest else Swap(match)


def _accept(context: CommandContext, accept: Accept) -> None:
    seat = context.seat(accept.match)
    services.accept(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


def _decline(context: CommandContext, decline: Decline) -> None:
    seat = context.seat(decline.match)
    services.decline(seat, reason=with_answer(seat, decline.reason), now=context.now, letter=context.row.pk)


@transaction.atomic
def _rematch(context: CommandContext, command: Rematch) -> None:
    """Uses the match named, else the letter's match, else the last one that is over."""
    seat = context.seat(command.match or context.own or _last_over(context.player))
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = rematch(seat, now=context.now, rng=SystemRandom(), arrived=context.arrival, letter=context.row.pk)
    context.meets(match)


def _last_over(player: Player) -> int | None:
    over = Match.objects.of(player).filter(status=Match.Status.OVER)
    return over.order_by("-pk").values_list("pk", flat=True).first()


def _swap(context: CommandContext, command: Swap) -> None:
    seat = context.seat(command.match)
    swap(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


@transaction.atomic
def _challenge(context: CommandContext, challenge: Challenge) -> None:
    if "@" in challenge.who:
        _invite(context, challenge)
        return
    if fold(challenge.who) in ANYBODY:
        make_offer(context, challenge)
        return
    opponent = _robot_called(challenge.who) or player_called(context, challenge.who)
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = services.propose(
        challenger=context.player,
        opponent=opponent,
        game=challenge.game,
        options=challenge.options,
        setup=challenge.setup,
        now=context.now,
        rng=SystemRandom(),
        letter=context.row.pk,
    )
    context.meets(match)


def make_offer(context: CommandContext, wish: Offer | Challenge, *, keep: int | None = None) -> None:
    """Makes an offer to all players."""
    made = seeks.offer(
        context.player,
        game=wish.game,
        options=wish.options,
        setup=wish.setup,
        keep=keep,
        now=context.now,
        rng=SystemRandom(),
    )
    context.reply({"kind": "open", "made": made.pk, "at": context.now.isoformat()})


def _invite(context: CommandContext, challenge: Challenge) -> None:
    """Invites the reader of an address; the player's words go along, unless they are for an opponent."""
    # The player is told the same, whether or not the invitation is sent.
    count("invitations", context, refusal=Code.TOO_MANY_INVITATIONS)
    domain = organisation(mailbox_of(challenge.who).rpartition("@")[2])
    count("invitations_domain", context, refusal=Code.DOMAIN_USED_UP, whom=domain)
    count("invitations_day", context, refusal=Code.INVITATIONS_USED_UP, whom="all")
    elsewhere = context.says(context.chat) or is_courtesy(context, context.chat)
    invitation = inviting.invite(
        context.player,
        challenge.who,
        game=challenge.game,
        options=challenge.options,
        setup=challenge.setup,
        message="" if elsewhere else relayed_to_stranger(context.chat),
        now=context.now,
        rng=SystemRandom(),
    )
    context.invited.append(invitation)
    invitations.send(invitation, now=context.now)
    context.reply({"kind": "invited", "invitation": invitation.pk})


def _robot_called(name: str) -> Player | None:
    """Returns the weakest robot for `computer`, unless a player has that name; else None."""
    is_one = fold(name) in MACHINES and Player.objects.opponents().called(name) is None
    return Player.objects.robots().first() if is_one else None


def player_called(context: CommandContext, name: str, known: PlayerQuerySet | None = None) -> Player:
    """Returns the player of that name, of the `known` or of those open to challenges. Refuses C01."""
    player = (Player.objects.opponents() if known is None else known).called(name)
    if player is None:
        others = Player.objects.opponents().exclude(pk=context.player.pk)
        # Beside an address no name is suggested: vera@v.it looks like Vera.
        raise Refused(Code.NO_SUCH_PLAYER, name=name, nearest=() if "@" in name else others.near(name))
    return player


VERBS: Verbs = {
    Challenge: (_read_challenge, _challenge),
    Accept: (_read_accept, _accept),
    Decline: (_read_decline, _decline),
    Rematch: (_read_rematch, _rematch),
    Swap: (_read_swap, _swap),
}
