"""What waits for a YES: asking, hearing the answer, and the one question that a stranger may be asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings

from pbem.inbox.addressing import Addressed
from pbem.inbox.commands import AnyCommand, Move, Register, understand
from pbem.inbox.doing import Doing
from pbem.inbox.models import Confirmation, InboundMail
from pbem.inbox.reading import MoveShapes, Reading
from pbem.outbox.reply import sealed_address
from pbem.outbox.telling import write_to_address, write_to_player
from pbem.players.models import Player
from pbem.players.services import check_name, register
from pbem.players.tokens import PLAY, Purpose, Token, expiry
from pbem.refusals import Refused

OK = "ok"


def ask(doing: Doing, reading: Reading, commands: Sequence[AnyCommand]) -> None:
    """Put the commands aside and ask the player, at his registered address, whether he means them."""
    addressed = reading.addressed
    seat = addressed.seat if addressed else None
    asked = Confirmation.objects.create(
        letter=doing.row,
        address=doing.player.email,
        player=doing.player,
        match=seat.match if seat else None,
        ply=addressed.ply if addressed else None,
        lines=[command.line for command in commands],
        message=reading.understood.chat if any(isinstance(c, Move) for c in commands) else "",
        language=doing.player.language,
        asked_at=doing.now,
    )
    doing.tell(
        {"kind": "confirm", "lines": asked.lines, "reply_to": _address(asked), "held": reading.sender},
        match=asked.match,
    )


def answer_stranger(row: InboundMail, reading: Reading, now: datetime) -> str:
    """REGISTER: ask the address whether it was he. Anything else: how to register. Once a week each."""
    wish = next((c for c in reading.understood.commands if isinstance(c, Register)), None)
    language = _language_of(wish)
    section: dict[str, object]
    verdict = "A09"
    if wish is None:
        section, verdict = {"kind": "invitation"}, "A11"
    else:
        try:
            check_name(wish.name)
            if Player.objects.called(wish.name):
                raise Refused("C05", name=wish.name)
        except Refused as refused:
            section, verdict = {"kind": "refused", "code": refused.code} | refused.facts, refused.code
        else:
            asked = Confirmation.objects.create(
                letter=row, address=reading.sender, lines=[wish.name], language=language, asked_at=now
            )
            section = {"kind": "signup", "name": wish.name, "reply_to": _address(asked)}
    year, week, _ = now.isocalendar()
    cause = f"stranger:{section['kind']}:{section.get('code', '')}:{year}-{week}"
    write_to_address(reading.sender, language=language, cause=cause, section=section, now=now)
    return verdict


def sign_up(row: InboundMail, asked: Confirmation, now: datetime) -> str:
    """The stranger said YES from the mailbox that we asked."""
    cause = f"letter:{row.pk}"
    try:
        player = register(name=asked.lines[0], email=asked.address, language=asked.language, now=now)
    except Refused as refused:
        section = {"kind": "refused", "code": refused.code} | refused.facts
        write_to_address(asked.address, language=asked.language, cause=cause, section=section, now=now)
        return refused.code
    write_to_player(player, cause=cause, section={"kind": "welcome"}, now=now, answers=True)
    row.player = player
    return OK


def expired(row: InboundMail, asked: Confirmation, now: datetime) -> str:
    """Too late, or answered already."""
    code = "A10"
    section = {"kind": "refused", "code": code, "lines": asked.lines}
    write_to_address(
        asked.address,
        language=asked.language,
        player=asked.player,
        cause=f"letter:{row.pk}",
        section=section,
        now=now,
    )
    return code


def ask_again(row: InboundMail, asked: Confirmation, now: datetime) -> str:
    """Neither YES nor NO: the question stays open."""
    section = {"kind": "confirm", "lines": asked.lines, "reply_to": _address(asked), "unclear": True}
    write_to_address(
        asked.address,
        language=asked.language,
        player=asked.player,
        cause=f"letter:{row.pk}",
        section=section,
        now=now,
    )
    return "P06"


def as_asked(asked: Confirmation) -> Addressed | None:
    """The address that the letter put aside had come to: it still says which turn its move is for."""
    if asked.match is None or asked.player is None:
        return Addressed(PLAY)
    seat = asked.match.seats.select_related("match", "player").get(player=asked.player)
    return Addressed("m", "current", asked.ply, seat=seat)


def commands_of(asked: Confirmation, doing: Doing) -> tuple[AnyCommand, ...]:
    seat = doing.addressed.seat if doing.addressed else None
    return understand(
        asked.lines,
        subject=None,
        language=asked.language,
        is_move=MoveShapes(doing.player, seat),
        match=asked.match_id,
    ).commands


def _address(asked: Confirmation) -> str:
    token = Token(Purpose.CONFIRM, asked.pk, 0, expiry(Purpose.CONFIRM, asked.asked_at.date()))
    return sealed_address(token, asked.salt)


def _language_of(wish: Register | None) -> str:
    """The language of the verb: ISCRIVIMI is Italian."""
    if wish is None:
        return settings.LANGUAGE_CODE
    return "it" if wish.line.strip().lower().startswith("iscriv") else "en"
