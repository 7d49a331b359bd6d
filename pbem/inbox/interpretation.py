"""Interprets a kept letter without writing anything: authenticates the sender and reads the commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from django.conf import settings

from pbem.inbox import digests, unnumbered
from pbem.inbox.authentication import SPAM, as_person, hold_after_restore, opened, risk_flags
from pbem.inbox.commands import newcomers
from pbem.inbox.commands.command import Command, Games, Help, Players, Register
from pbem.inbox.commands.match_commands import Challenge, Join, Move, Offer, Open
from pbem.inbox.commands.parser import Understood, understand
from pbem.inbox.commands.set_apart import with_what_is_answered, with_wrapped
from pbem.inbox.commands.signed import hails, unsigned
from pbem.inbox.commands.verbs import goes_on
from pbem.inbox.correlation import about, answered_letter, asks
from pbem.inbox.models import OK, InboundMail
from pbem.inbox.recipient import (
    ConfirmRecipient,
    InvitationRecipient,
    LetterRecipient,
    LostRecipient,
    MessageRecipient,
    MoveRecipient,
    PlayRecipient,
    Recipient,
    answered_by,
    board_of,
    ply_of,
    seat_of,
)
from pbem.inbox.resolver import resolve_recipient, writers
from pbem.inbox.understanding.addressee import told_to_them
from pbem.inbox.understanding.slots.names import small_names, with_capitals
from pbem.inbox.unnumbered import MoveShapes, legal_moves
from pbem.intents import Bar
from pbem.mail.authentication.policy import (
    OWN,
    REPLAYED,
    SEALED,
    VOUCHED,
    Decision,
    Dmarc,
    RiskFlag,
    TokenState,
    decide,
)
from pbem.mail.parsing import bounce
from pbem.mail.parsing.headers import HeaderSummary
from pbem.mail.parsing.letter import Letter, read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.mail.parsing.reply_text import talk
from pbem.mail.parsing.sent_text import with_words_marked
from pbem.matches.models import Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.players.models import Player
from pbem.players.tokens import Purpose
from pbem.refusals import Code

# Reading by sender


def content_of(
    letter: Letter,
    headers: HeaderSummary,
    recipient: Recipient | None,
    players: Sequence[Player],
    answered: OutboundMail | None,
) -> tuple[Player | None, Understood]:
    """Reads the letter for its sender, or for the only player of the address in all matches that it names."""
    if len(players) < 2:
        player = players[0] if players else None
        understood = _as_said_by(player, letter, headers, recipient, answered)
        if player is None or understood.commands:
            return player, understood
        subject = headers.subject if _is_new(recipient, headers) else ""
        lines = unsigned(letter.lines, _names(player, headers))
        about_none = isinstance(recipient, PlayRecipient | LetterRecipient) and seat_of(recipient) is None
        located = unnumbered.located(
            understood, lines, player, answered, subject=subject, sentences=about_none
        )
        return player, _without_secrets(located)
    readings = [(player, _as_said_by(player, letter, headers, recipient, answered)) for player in players]
    fitting = [(player, said) for player, said in readings if _plays_all(player, said)]
    return fitting[0] if len(fitting) == 1 else (None, readings[0][1])


def _as_said_by(
    player: Player | None,
    letter: Letter,
    headers: HeaderSummary,
    recipient: Recipient | None,
    correlated: OutboundMail | None,
) -> Understood:
    answered, seat, ply = answered_by(recipient), seat_of(recipient), ply_of(recipient)
    if isinstance(recipient, ConfirmRecipient) and (board := board_of(recipient.confirmation)):
        seat, ply = board.seat, board.ply
    names = _names(player, headers)
    lines = unsigned(letter.lines, names)
    if letter.wrapped:
        lines = with_wrapped(lines, letter.wrapped)
    if player and answered and answered.kind == digests.DIGEST:
        return digests.understood(lines, answered, MoveShapes(player, None), player.language)
    if player and seat is None:
        lines = tuple(_with_names(lines))
    if answered and answered.kind == CLOCK_RUNS:
        lines = tuple(line.strip().rstrip("!").upper() if goes_on(line) else line for line in lines)
    understood = understand(
        lines,
        subject=headers.subject if _is_new(recipient, headers) else None,
        language=player.language if player else settings.LANGUAGE_CODE,
        is_move=MoveShapes(player, seat),
        match=seat.match_id if seat else None,
        answers=partial(asks, correlated, seat),
        legal=legal_moves(player, seat, ply),
        guess=_bar(player, recipient),
    )
    begins = next((line.strip() for line in lines if line.strip()), "")
    # A greeting inside a letter counts as text, unless it opens the letter or goes on.
    opens = understood.chat.startswith(begins) or understood.chat.endswith(",")
    hailed = [*names, seat.opponent.player.name] if seat and opens else names
    if understood.commands and understood.chat and hails(understood.chat, hailed):
        understood = replace(understood, chat="")
    return _without_secrets(_told(understood, seat))


def _bar(player: Player | None, recipient: Recipient | None) -> Bar | None:
    """Returns how sure a guess at free wording must be: surer for strangers and answers, never for messages."""
    if player is None:
        return Bar.USUAL if isinstance(recipient, InvitationRecipient) else Bar.SURE
    if isinstance(recipient, MessageRecipient):
        return None  # all of it is for the other player
    return Bar.SURE if isinstance(recipient, ConfirmRecipient) else Bar.USUAL


def _told(understood: Understood, seat: Seat | None) -> Understood:
    """Keeps only the words that the opponent is to be told."""
    if seat is None or not (understood.chat or understood.beside):
        return understood
    names = (seat.opponent.player.name,)
    chat, beside = (told_to_them(said, names) for said in (understood.chat, understood.beside))
    return replace(understood, chat=chat, beside=beside)


def _with_names(lines: Sequence[str]) -> Sequence[str]:
    """Capitalises players' names that are in lower case."""
    said = small_names(lines)
    named = Player.objects.filter(folded__in=said).values_list("folded", "name") if said else ()
    return with_capitals(lines, dict(named))


def _names(player: Player | None, headers: HeaderSummary) -> list[str]:
    return [name for name in (player.name if player else "", headers.sender_name) if name]


def _without_secrets(understood: Understood) -> Understood:
    if not (understood.chat or understood.beside):
        return understood
    return replace(understood, chat=_talk(understood.chat), beside=_talk(understood.beside))


def _talk(text: str) -> str:
    return without_secrets("\n".join(talk(text.split("\n"))))


def _is_new(recipient: Recipient | None, headers: HeaderSummary) -> bool:
    """Whether it is a new letter, with a Subject that may hold a command."""
    return isinstance(recipient, PlayRecipient) and not headers.is_reply


def _plays_all(player: Player, understood: Understood) -> bool:
    matches = (getattr(command, "match", None) for command in understood.commands)
    named = {match for match in matches if match is not None}
    return bool(named) and Match.objects.of(player).filter(pk__in=named).count() == len(named)


_QUOTING = ("text", "said")  # section fields in the reader's own words
_FIRST_LINES = 3  # allows for a greeting
ASKING = (Register, Help)
BEGINNING = (
    *ASKING,
    Challenge,
    Offer,
    Join,
    Open,
    Games,
    Players,
)  # first commands of a stranger


@dataclass(frozen=True)
class InterpretedMessage:
    """A letter with all that is known about it. `player` is the believed or possible sender.

    `sharers` are the players of a shared address that the letter does not tell apart.
    """

    recipient: Recipient | None
    summary: HeaderSummary
    letter: Letter
    player: Player | None
    decision: Decision
    identified: bool  # by the reply address of a seat or by a provider, and from their address
    dmarc: Dmarc
    understood: Understood
    sharers: tuple[Player, ...] = ()
    report: bounce.Bounce | bounce.Complaint | None = None  # of a bounce
    answered: str = ""  # the kind of our letter that it answers
    risk: RiskFlag = RiskFlag.NO
    works: bool = False  # no bounce from the sender's address is known
    elsewhere: bool = False  # the player's last email came from another of their addresses

    @property
    def sender(self) -> str:
        return self.summary.senders[0] if self.summary.senders else ""

    @property
    def vouched(self) -> bool:
        """Whether the provider vouches for the player, and nothing suggests that the letter was resent."""
        return self.identified and self.dmarc is Dmarc.PASS and self.risk in OWN

    @property
    def surely_theirs(self) -> bool:
        """Whether the sender is certain by the policy, or vouched for with only the match missing."""
        return self.decision in VOUCHED or (self.vouched and self.risk is RiskFlag.UNNUMBERED)

    @property
    def facts(self) -> dict[str, object]:
        """The facts shown to the organiser."""
        return {
            "from": list(self.summary.senders),
            "subject": self.summary.subject,
            "automatic": self.summary.automatic,
            "token": self.recipient.state if self.recipient else None,
            "dmarc": self.dmarc,
            "doubt": self.risk,
            "elsewhere": self.elsewhere,
            "decision": self.decision.name,
            "commands": [command.line for command in self.understood.commands],
            "asks": [command.line for command in self.understood.asks],
            "chat": self.understood.chat,
            "defects": list(self.letter.defects),
            "report": self._reported,
        }

    @property
    def _reported(self) -> str:
        match self.report:
            case bounce.Bounce() as came_back:
                return " ".join(filter(None, (came_back.action, came_back.reply, came_back.recipient)))
            case bounce.Complaint() as complained:
                return complained.kind
            case None:
                return ""


def interpret(row: InboundMail) -> InterpretedMessage:
    """Interprets the letter. Only reads rows, and DNS when enabled."""
    recipient = resolve_recipient(row.recipient, row.received_at)  # as of arrival
    kept = opened(row)
    headers, dmarc = kept.summary, kept.vouched.dmarc
    sender = headers.author
    players = writers(recipient, sender)
    answered = answered_letter(recipient, headers, players)
    letter = read_letter(kept.mail, sent=_sent(answered) if answered else None)
    if letter.below:
        letter = with_what_is_answered(letter)
    state = TokenState(recipient.state if recipient else "absent")
    if state is TokenState.ABSENT and answered:
        state = TokenState.CORRELATED
        players = tuple(player for player in players if player.pk == answered.player_id)
        recipient = about(recipient, answered)
    player, understood = content_of(letter, headers, recipient, players, answered)
    beginning = BEGINNING if state is TokenState.ABSENT else ASKING
    registers = not is_plain_move(recipient, understood) and _registers(
        letter, headers, understood, beginning
    )
    commands = bool(understood.commands)
    headers = as_person(headers, recipient, players, dmarc, registers=registers, commands=commands)
    known = bool(sender) and any(each.writes_from(sender) for each in players)
    sealed = state in SEALED and not isinstance(recipient, LostRecipient)  # has no player
    current = state is TokenState.CURRENT and sealed
    doubts = risk_flags(row, kept, players, understood, sealed=current)
    doubt = next(iter(doubts), RiskFlag.NO)
    decision = decide(
        state,
        from_known=known,
        dmarc=dmarc,
        risk=doubt,
        strict=any(each.strict for each in ([player] if player else players)),
        registers=registers,
    )
    decision = hold_after_restore(decision, recipient)
    identified = known and (sealed or (dmarc is Dmarc.PASS and not REPLAYED.intersection(doubts)))
    if decision is Decision.SIGN_UP and not known:
        player, players = None, ()  # the addressed player has nothing to do with a stranger
    sharers = () if player else players
    works = _works(players, headers)
    alone = player is None or (player.known_addresses is not None and len(player.known_addresses) == 1)
    elsewhere = known and not alone and _is_elsewhere(row, player, sender)
    for each in players:
        each.known_addresses = None  # they may change from here on
    return InterpretedMessage(
        recipient,
        headers,
        letter,
        player,
        decision,
        identified,
        dmarc,
        understood,
        sharers,
        _report(kept.mail, recipient, headers),
        answered.kind if answered else "",
        doubt,
        works,
        elsewhere,
    )


def is_plain_move(recipient: Recipient | None, understood: Understood) -> bool:
    """Whether it answers a turn with one move, and says nothing else."""
    [command, *more] = understood.commands or (None,)
    only = understood == Understood(understood.commands) and not more
    return only and isinstance(command, Move) and isinstance(recipient, MoveRecipient)


def _sent(answered: OutboundMail) -> str:
    """The text of our letter, with quoted words of its reader marked."""
    quoted = (section.get(key) for section in answered.sections for key in _QUOTING)
    return with_words_marked(answered.text, [words for words in quoted if isinstance(words, str)])


def _works(players: Sequence[Player], headers: HeaderSummary) -> bool:
    """Whether the sender's address is a loaded one without bounces."""
    sender = headers.senders[0] if headers.senders else ""
    known = [
        address for player in players for address in player.known_addresses or () if address.email == sender
    ]
    return bool(known) and not any(address.is_blamed for address in known)


def _is_elsewhere(row: InboundMail, player: Player | None, sender: str) -> bool:
    """Whether the last email that was carried out for the player came from another address."""
    carried_out = InboundMail.objects.filter(player=player, verdict=OK, pk__lt=row.pk or 0)
    last = carried_out.order_by("-pk").values_list("reading", flat=True).first()
    return last is not None and sender not in last.get("from", ())


def _registers(
    letter: Letter, headers: HeaderSummary, understood: Understood, beginning: tuple[type[Command], ...]
) -> bool:
    """Whether the Subject or a first line asks to sign up or for help, or a short letter wants to play.

    Other commands do not count, as a player may write them from another address.
    """
    begin = {headers.subject, *islice(filter(None, map(str.strip, letter.lines)), _FIRST_LINES)}
    asked = (command for command in understood.commands if isinstance(command, beginning))
    commands = {command.line for command in understood.commands}
    said = (line for line in letter.lines if line.strip() not in commands)
    if any(command.line in begin for command in asked) or newcomers.asks(headers.subject, said):
        return True
    written = (headers.subject, *letter.lines)
    if newcomers.greets(letter.lines):
        return True
    return bool(meant(understood, written)) and newcomers.may_be_person(headers.subject, letter.lines)


def meant(understood: Understood, lines: Iterable[str]) -> tuple[Command, ...]:
    """The commands that are not lines of the letter, but said in other words."""
    written = set(map(str.strip, lines))
    return tuple(c for c in (*understood.asks, *understood.commands) if c.line not in written)


def _report(
    mail: ParsedMail, recipient: Recipient | None, headers: HeaderSummary
) -> bounce.Bounce | bounce.Complaint | None:
    if headers.automatic == SPAM:
        return bounce.read_complaint(mail)
    returned = recipient is not None and recipient.purpose == Purpose.BOUNCE
    return bounce.read_bounce(mail) if returned or headers.automatic == "bounce" else None


# The verdicts that a letter itself determines, in order of precedence

# Verdicts of automatic letters, which are kept and not answered.
AUTOMATIC: Mapping[str, str] = {
    "bounce": Code.BOUNCE,
    "auto_reply": Code.AUTO_REPLY,
    "list": Code.LIST_MAIL,
    "loop": Code.LOOP,
    "receipt": Code.RECEIPT,
    "complaint": Code.COMPLAINT,
    "calendar": Code.CALENDAR_ONLY,
}
CALENDAR_ONLY = AUTOMATIC["calendar"]
# Verdicts of letters that were not searched; an SMTP door refuses them.
UNSEARCHED = (Code.TOO_LARGE, Code.TOO_COMPLEX)


def unanswered(seen: HeaderSummary, letter: Letter) -> str | None:
    """An I code when a program wrote, or there is no sender. None otherwise."""
    if seen.automatic:
        return AUTOMATIC[seen.automatic]
    if letter.verdict == CALENDAR_ONLY:
        return CALENDAR_ONLY
    return None if seen.senders else Code.NO_SENDER


def not_understood(letter: Letter, understood: Understood) -> str | None:
    """A T or P code. None when the letter, or its Subject alone, is understood."""
    why = letter.verdict
    if why in (Code.EMPTY, Code.NO_TEXT) and understood.commands:
        why = None
    return why or understood.verdict
