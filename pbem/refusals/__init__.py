"""Every refusal: its code, its recipient, and the sentence that says what to do.

Each received letter ends with no code (it was carried out) or exactly one; the O codes belong to sent
letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from pbem.refusals import commands
from pbem.refusals.codes import Code, Refusal, Told
from pbem.wording import SOURCE, wording

# Refusals of letters: transport, reading, authentication, and delivery of ours

# SMTP replies, in English
TRANSPORT = {
    Code.NO_SUCH_ADDRESS: "550 5.1.1 No such address here; answer the latest letter of your match",
    Code.TOO_LARGE: "552 5.3.4 Email larger than 10 MiB; send it without attachments",
    Code.TOO_COMPLEX: "554 5.6.0 Too many headers or parts; send plain text",
    Code.RATE_LIMITED: "451 4.7.1 Too many emails this hour; try again later",
    Code.STORAGE_UNAVAILABLE: "451 4.3.0 Cannot store email now; try again later",
    Code.DISK_LOW: "452 4.3.1 Out of space; try again later",
    Code.BAD_LINE_ENDS: "554 5.6.11 Bare line ends are refused; send it with another program",
    Code.TOO_MANY_RECIPIENTS: "452 4.5.3 Too many recipients; send one email to each",
}
# Sent in a letter when the transport could not refuse: a pipe, a mailbox
TRANSPORT_LATER = {
    Code.TOO_LARGE: _("Your email is larger than 10 MiB. Send it without attachments."),
    Code.TOO_COMPLEX: _("Your email has too many headers or parts. Send it as plain text."),
}
# A reply would be useless, or start a loop
SILENT = {
    Code.DUPLICATE: _("The same email came before. Nothing needs to be done."),
    Code.AUTO_REPLY: _("An automatic reply. Nothing in it is read as a move."),
    Code.BOUNCE: _("A letter of ours came back. It counts as a bounce of that address."),
    Code.COMPLAINT: _("Our letter was reported as spam. The address gets no more letters."),
    Code.RECEIPT: _("A receipt for a letter of ours. Nothing needs to be done."),
    Code.LIST_MAIL: _("An email from a mailing list. Take our address off the list."),
    Code.LOOP: _("A letter of ours came back to us. Look at the forwarding of that mailbox."),
    Code.SPAM_VERDICT: _("The mail server considers this email spam. It can be released by hand."),
    Code.NO_SENDER: _("The email does not say who sent it, so it cannot be answered."),
    Code.CALENDAR_ONLY: _("Only an invitation to an appointment. Nothing in it is read as a move."),
}
# Not understood
UNREAD = {
    Code.EMPTY: _("Your email was empty. Write your move in the first line."),
    Code.UNREADABLE: _("Your email could not be read. Send it again as plain text."),
    Code.NO_TEXT: _(
        "Your email has no text, only attachments or pictures. Write your move in the text of the email."
    ),
    Code.ENCRYPTED: _("Your email is encrypted. Send it again without encryption."),
    Code.SIGNED_WITHIN: _(
        "Your email is signed in a form that hides its text. Send it again without the signature."
    ),
    Code.TOO_LONG: _("Your email is too long. Send your move without the rest."),
    Code.NO_MOVE_FOUND: _(
        "No line of your email is a move or a command. Write the move alone on a line; HELP "
        "lists the commands."
    ),
    Code.SEVERAL_MOVES: _(
        "Your email has more than one move for the same match, so none was played. Send only "
        "the one that counts."
    ),
    Code.AMBIGUOUS_MOVE: _(
        "Your move can be read in more than one way. Send the one you mean, written in full."
    ),
    Code.QUOTED_ONLY: _("Your email only quotes our letter. Write your move above the quoted lines."),
    Code.RECALLED: _(
        "An email cannot be recalled here: what it said is done. UNDO asks your opponent to take your last move back."
    ),
}
# Understood, but not authenticated
NOT_BELIEVED = {
    Code.EXPIRED: _(
        "The address that your email was sent to has expired. Send your command again to %(play_address)s."
    ),
    Code.REVOKED: _(
        "The address that your email was sent to is no longer valid. Answer the latest letter of the match."
    ),
    Code.FROM_MISMATCH: _(
        "An email in your name came from an address that is not yours. If you sent it, "
        "answer YES within 72 hours."
    ),
    Code.DMARC_FAIL: _(
        "An email in your name failed the check of its sender. If you sent it, answer YES within 72 hours."
    ),
    Code.SEVERAL_FROM: _(
        "An email in your name has several senders. If you sent it, answer YES within 72 hours."
    ),
    Code.SUSPENDED: _(
        "Your account is suspended: your matches go on, but you can neither begin others nor write to "
        "anybody. Write to the organiser."
    ),
    Code.CONFIRM_NEEDED: _("This has to be confirmed before it is done. Answer YES within 72 hours, or NO."),
    Code.CONFIRM_EXPIRED: _(
        "Your confirmation came after 72 hours, so nothing was done. Send the command again."
    ),
    Code.UNVERIFIED: _(
        "This address is not confirmed yet. Answer YES to the letter that we sent when you signed up."
    ),
    Code.SHARED_MAILBOX: _(
        "Several players share this address; your email does not say who wrote it. Answer "
        "this letter instead."
    ),
}
# Replies to rows that a restore has lost
UNDONE_BY_RESTORE = {
    Code.LOST: _(
        "We had to restore a backup, and what you answer is not in it. Nothing was done; "
        "here are your matches as they are now."
    ),
}
UNKNOWN_SINCE_RESTORE = {
    Code.LOST_SIGN_UP: _(
        "We had to restore a backup, and this address is not in it. Please sign up again: "
        "REGISTER and your name."
    ),
}
# For the organiser; the sender got another reply
FOR_THE_DESK = {
    Code.LOST_PLAYER: _(
        "Somebody asks for the name of a player whose letters bounce. If it is that player, add this "
        "address to the name."
    ),
}
# Our fault; the letter waits for the organiser
OURS = {
    Code.POISON: _(
        "Our program could not deal with your email; the fault is ours. It is kept, and the "
        "organiser will look at it. Nothing more to do."
    ),
    Code.ENGINE_ERROR: _(
        "Our program failed on your move; the fault is ours. The organiser will look at it. Nothing more to do."
    ),
}
# Our fault, retried automatically
OURS_UNSEEN = {
    Code.TRANSIENT: _("Something was unavailable. The letter is tried again automatically."),
    Code.RENDER_FAILED: _(
        "The picture of the board could not be drawn. The letter was sent with the text board."
    ),
}
# Sent letters
OUTBOUND = {
    Code.SOFT: _("The mail server asks to wait. The letter is sent again later."),
    Code.HARD: _("The address does not exist. The player has to give another one."),
    Code.POLICY: _(
        "The mail server refuses letters from us; the address is not to blame. The operator must look into it."
    ),
    Code.MAILBOX_FULL: _("The mailbox is full. The letter is sent again later."),
    Code.SUPPRESSED: _("The letter was not sent: a later one replaces it, or the address gets none."),
    Code.DELIVERY_EXPIRED: _("The letter could not be delivered for five days. It is not tried again."),
    Code.UNKNOWN_REPLY: _("It is not known whether the letter was accepted. It is sent again."),
    Code.LETTER: _("The mail server refuses this letter, for its size or its contents. Look at its answer."),
    Code.REPLIES_LOST: _(
        "Handed over three times, and no reply ever came: perhaps it was accepted. Send it again, or drop it."
    ),
}


__all__ = ["REFUSALS", "Code", "Refusal", "Refused", "Told", "name_of", "sentence", "told"]

_TABLES = (
    (Told.NOBODY, SILENT),
    (Told.SENDER, UNREAD),
    (Told.PLAYER, NOT_BELIEVED),
    (Told.PLAYER, UNDONE_BY_RESTORE),
    (Told.SENDER, UNKNOWN_SINCE_RESTORE),
    (Told.NOBODY, FOR_THE_DESK),
    (Told.PLAYER, commands.NOT_ALLOWED),
    (Told.SENDER, commands.NOT_THERE),
    (Told.PLAYER, commands.NO_HELP),
    (Told.PLAYER, commands.NO_TIME),
    (Told.PLAYER, commands.NO_MATCH),
    (Told.PLAYER, commands.NOT_NOW),
    (Told.NOBODY, commands.IN_THE_ADMIN),
    (Told.PLAYER, commands.NO_CHOICE),
    (Told.PLAYER, commands.TALK),
    (Told.PLAYER, OURS),
    (Told.NOBODY, OURS_UNSEEN),
    (Told.NOBODY, OUTBOUND),
)


def _refusals() -> Iterator[Refusal]:
    for code, reply in TRANSPORT.items():
        said = TRANSPORT_LATER.get(code, reply.split(" ", 2)[2])
        yield Refusal(code, Told.RELAY, said, reply)
    for reader, table in _TABLES:
        for code, said in table.items():
            yield Refusal(code, reader, said)


REFUSALS: Mapping[str, Refusal] = {refusal.code: refusal for refusal in _refusals()}


class Refused(Exception):
    """A service refuses. `code` is a Code, `facts` what the letter shows beside the sentence:

    `match`, `text` (as written), `objection`, `readings`, `nearest`, `name`, `number`, `limit` (that was
    reached), `why` (in a game's own words, which are English).
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(f"{REFUSALS[code].name}: {facts}")
        self.code = code
        self.facts = {name: fact for name, fact in facts.items() if fact not in (None, "", ())}


def name_of(code: Code) -> str:
    """Returns the name of a code, two or three words in the active language, for lists."""
    name: str = wording(__package__).of(get_language() or SOURCE, "codes", code.name)
    return name


def sentence(code: str, **facts: str) -> str:
    """Returns the sentence of a refusal in the active language, with its `facts`: the unknown `name`, the
    `play_address`, the `limit` that was reached."""
    said = commands.NAMED.get(Code(code)) if facts.get("name") else None
    words = str(said or REFUSALS[code].sentence)
    known = {"limit": "…"} | facts  # the desk has no player
    return words % known if "%(" in words else words


def told(refused: Refused) -> str:
    """Returns the sentence of a refusal for a page, with its facts."""
    named = (refused.facts.get("text"), refused.facts.get("why"), ", ".join(refused.facts.get("nearest", ())))
    details = "; ".join(str(fact) for fact in named if fact)
    return f"{sentence(refused.code)} ({details})" if details else sentence(refused.code)
