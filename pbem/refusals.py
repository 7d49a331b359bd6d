"""Every reason to say no: its code, who is told, and the sentence that says what to do.

Each letter that arrives ends in no code (it was carried out) or in exactly one of these; the O codes
are fates of letters that leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Told(StrEnum):
    """Who hears of a refusal."""

    RELAY = "relay"  # the mail server that is still connected; no row is kept
    NOBODY = "nobody"  # the row says why; the desk shows it
    SENDER = "sender"  # whoever wrote; a stranger once a day
    PLAYER = "player"  # the registered address only, whoever wrote


@dataclass(frozen=True)
class Refusal:
    """`name` is the word for logs; `smtp` the reply in session, of the codes that a relay is told."""

    code: str
    name: str
    told: Told
    sentence: StrPromise | str
    smtp: str = ""

    @property
    def answered(self) -> bool:
        """Whether a letter goes out."""
        return self.told in (Told.SENDER, Told.PLAYER)


# Said while the other server still has the letter; servers speak English.
_TRANSPORT = {
    "T01 no_such_address": "550 5.1.1 No such address here; answer the latest letter of your match",
    "T02 too_large": "552 5.3.4 Letter larger than 10 MiB; send it without attachments",
    "T03 too_complex": "554 5.6.0 Too many headers or parts; send plain text",
    "T04 rate_limited": "451 4.7.1 Too many letters this hour; try again later",
    "T05 storage_unavailable": "451 4.3.0 Cannot store letters now; try again later",
    "T06 disk_low": "452 4.3.1 Out of space; try again later",
    "T07 bad_line_ends": "554 5.6.11 Bare line ends are refused; send it with another program",
    "T08 too_many_recipients": "452 4.5.3 Too many recipients; send one letter to each",
}
# Said in a letter where it came in by a door that could not refuse it: a pipe, a mailbox.
_TRANSPORT_LATER = {
    "T02": _("Your letter is larger than 10 MiB. Send it without attachments."),
    "T03": _("Your letter has too many headers or parts. Send it as plain text."),
}
# An answer would help nobody, or start a loop.
_SILENT = {
    "I01 duplicate": _("The same letter came before. Nothing needs to be done."),
    "I02 auto_reply": _("An automatic answer. Nothing in it is read as a move."),
    "I03 bounce": _("A letter of ours came back. It counts against that address."),
    "I04 complaint": _("Our letter was reported as spam. The address gets no more letters."),
    "I05 receipt": _("A receipt for a letter of ours. Nothing needs to be done."),
    "I06 list_mail": _("A letter of a mailing list. Take our address off the list."),
    "I07 loop": _("A letter of ours came back to us. Look at the forwarding of that mailbox."),
    "I08 spam_verdict": _("The mail server takes this letter for spam. It can be released by hand."),
    "I09 no_sender": _("The letter does not say who sent it, so it cannot be answered."),
    "I10 calendar_only": _("Only an invitation to an appointment. Nothing in it is read as a move."),
}
# The letter was not understood.
_UNREAD = {
    "P01 empty": _("Your letter was empty. Write your move in the first line."),
    "P02 unreadable": _("Your letter could not be read. Send it again as plain text."),
    "P03 no_text": _(
        "Your letter has no text, only attachments or pictures. Write your move in the letter itself."
    ),
    "P04 encrypted": _("Your letter is encrypted. Send it again without encryption."),
    "P05 too_long": _("Your letter is too long. Send your move without the rest."),
    "P06 no_move_found": _(
        "No line of your letter is a move or a command. Write it alone on a line; HELP lists the commands."
    ),
    "P07 several_moves": _(
        "Your letter has more than one move for the same match, so none was played. "
        "Send only the one that counts."
    ),
    "P08 ambiguous_move": _(
        "Your move can be read in more than one way. Send the one that you mean, written in full."
    ),
    "P09 quoted_only": _("Your letter only quotes ours. Write your move above the quoted lines."),
}
# The letter was understood, but not believed.
_NOT_BELIEVED = {
    "A02 expired": _(
        "The address that this letter was sent to has expired. Send your command again to play@."
    ),
    "A03 revoked": _(
        "The address that this letter was sent to is no longer valid. Answer the latest letter of the match."
    ),
    "A04 from_mismatch": _(
        "A letter for you came from an address that is not yours. If you sent it, answer YES within 72 hours."
    ),
    "A05 dmarc_fail": _(
        "A letter in your name failed the check of its sender. If you sent it, answer YES within 72 hours."
    ),
    "A06 several_from": _(
        "A letter in your name has several senders. If you sent it, answer YES within 72 hours."
    ),
    "A07 suspended": _(
        "Your account is suspended: the matches that you play go on, but you can neither begin others nor write to "
        "anybody. Write to the organiser."
    ),
    "A09 confirm_needed": _("This has to be confirmed before it is done. Answer YES within 72 hours, or NO."),
    "A10 confirm_expired": _(
        "Your confirmation came after 72 hours, so nothing was done. Send the command again."
    ),
    "A11 unverified": _(
        "This address is not confirmed yet. Answer YES to the letter that we sent when you signed up."
    ),
    "A12 shared_mailbox": _(
        "Several players share this address; your letter does not say who wrote it. Answer this one instead."
    ),
}
# The letter was believed, but the game does not allow it.
_NOT_ALLOWED = {
    "G01 no_such_match": _("You have no match with this number. GAMES lists your matches."),
    "G02 match_over": _("This match is over, so nothing was changed. CHALLENGE starts another one."),
    "G03 not_your_turn": _("It is your opponent's turn. Wait for the letter that brings you the next move."),
    "G04 stale_turn": _(
        "You answered an older board, so the move was not played. Look at the board of now and move again."
    ),
    "G06 illegal_move": _("The rules do not allow this move. The reason is below; choose another move."),
    "G07 deadline_passed": _(
        "Your time was over before this letter arrived, so it was not carried out. "
        "The result comes by itself, once all earlier letters are read."
    ),
    "G08 offer_gone": _("There is no such offer or challenge any more. Make one yourself, or go on playing."),
    "G09 match_paused": _(
        "This match is paused, so the move was not played. Send it again when the match goes on."
    ),
    "G10 no_such_turn": _("The match has not come that far. SHOW with a smaller number, or with none."),
    "G11 not_begun": _("This match has not begun: the challenge is still open. ACCEPT or DECLINE it first."),
    "G12 own_move_first": _(
        "A conditional line begins with a reply of your opponent, but it is your turn. "
        "Send your move, and the line below it in the same letter."
    ),
    "G13 overtaken": _(
        "Your opponent has moved meanwhile, and not as your conditional line expects, so it was not kept. "
        "Look at the board of now."
    ),
    "G14 impossible_line": _(
        "This conditional line was not kept: it has a move that cannot be played. "
        "The move and the reason are below; send the line again without the slip."
    ),
    "G15 no_takeback": _(
        "No move can be taken back here: there is none of yours, or this match was agreed without takebacks."
    ),
    "G16 too_many_lines": _("You have as many conditional lines as can be kept. IFS CLEAR takes some away."),
    "G17 no_such_line": _("You have no such conditional line in this match. IFS lists those that wait."),
    "G18 resignation_overtaken": _(
        "A move has been played since you asked to resign, so the match goes on. RESIGN again if you mean it."
    ),
    "G19 too_many_draws": _(
        "You have offered a draw three times in this match, and nobody may do it more often. Play on, or RESIGN."
    ),
}
# The command was believed, but it asks for something that is not there.
_NOT_THERE = {
    # The same words whether the name or the address is unknown or silent: nobody learns who is registered.
    "C01 no_such_player": _("Nobody can be challenged by this name or address. Look at how it is written."),
    "C02 no_such_game": _("There is no game or variant of this name. GAMES lists what can be played."),
    "C03 against_yourself": _("Nobody plays against himself here. CHALLENGE another player."),
    "C04 bad_name": _(
        "This name cannot be used. Take one word of 2 to 24 letters or digits that begins with a letter."
    ),
    "C05 name_taken": _("This name is not free. REGISTER with another one."),
    "C06 bad_setup": _("A match cannot begin from this set-up. Look at how the rules of the game write it."),
    "C07 already_registered": _("You are registered already. CHALLENGE somebody, or write HELP."),
    "C08 no_such_address": _("This is not one of your addresses. ADDRESSES lists them."),
    "C09 only_address": _("This is your only address, so it stays. ADD ADDRESS another one first."),
    "C10 too_many_addresses": _("You have as many addresses as anybody may have. REMOVE ADDRESS one first."),
}
# The letter was believed, but time cannot be had in this way.
_NO_TIME = {
    "K10 offer_stands": _("You have an offer open already. Wait for the answer, or write NO to withdraw it."),
    "K13 no_gifts": _("In this match nobody gives the other time, as was agreed; you have to move in time."),
    "K14 bad_absence": _(
        "An absence lies ahead, at most a year, and does not end before it begins. Write for instance "
        "AWAY 3 August TO 20 August."
    ),
    "K15 no_days_left": _(
        "You have not so many days of absence left this year. Write AWAY for what you have, "
        "or take a shorter one."
    ),
    "K16 too_many_absences": _(
        "Three absences may lie ahead; BACK and the first day takes one of them back."
    ),
    "K17 not_away": _("You are not away then. AWAY lists what you have announced."),
    "K18 bad_gift": _("Give between an hour and thirty days. More can be given later."),
    "K11 bad_pause": _("A pause lasts from 1 to 60 days. Ask for one of another length."),
    "K12 no_absence": _("In this match no clock rests for anybody, as was agreed; you have to move in time."),
}
# Who would play with whom, and how often he may ask.
_NO_MATCH = {
    # The same words for a refusal, a block and a limit that is reached: why not is nobody's business.
    "C11 not_now": _("This player takes no such challenge at present. OPEN lists who looks for an opponent."),
    "C12 too_many_refused": _("You refuse as many players as anybody may refuse. ALLOW one of them first."),
    "C13 too_many_challenges": _(
        "You have challenged as many players today as anybody may. CHALLENGE the next one tomorrow."
    ),
    "C14 too_many_offers": _("You have as many open offers as anybody may have. CLOSE one of them first."),
    "C15 no_such_offer": _(
        "There is no open offer with this number for you. OPEN lists those that you can take."
    ),
    "C16 joined_already": _(
        "You are playing a match of this offer already. JOIN it again when that one is over."
    ),
    "C17 invited_already": _(
        "You have invited this address, and it has not answered yet. Wait for its answer."
    ),
    "C18 too_many_invitations": _(
        "You have written to as many addresses today as anybody may. CHALLENGE the next one tomorrow."
    ),
    "C19 not_over": _("This match is not over yet, so there is no return match. Finish it first."),
    "C20 no_swap": _("Sides are not changed in this match now. Answer with your move."),
    "C22 invitation_over": _(
        "This invitation was answered already, or is too old. REGISTER and a name brings you in."
    ),
    "C21 no_offer_of_yours": _("You have no open offer with this number. OPEN lists the offers, yours too."),
}
# The command was believed, but the clock does not allow it.
_NOT_NOW = {
    "K01 bad_clock": _(
        "No clock can run like this. Write for instance 10d+36h<=10d (ten days, 36 hours more for each move, "
        "never more than ten days) or 3d/move."
    ),
    "K02 no_clock": _("Nobody's time is limited in this match. Take as much as you need."),
    "K03 nothing_to_claim": _(
        "Your opponent's time is not over, so there is nothing to claim. CLOCK shows it."
    ),
    "K04 organiser_decides": _(
        "Your time was over before this letter arrived, so it was not carried out. "
        "The organiser decides how the match goes on, and you both hear of it."
    ),
    "K05 calendar_kept": _(
        "You have changed your time zone, weekend or night less than 30 days ago, so they stay as they are."
    ),
    "K06 bad_night": _("A night lasts ten hours at the most. Write for instance 23:00-07:00."),
    "K08 holiday_too_near": _(
        "This day may have begun somewhere on earth, so it stays as it is. Choose one from the day after tomorrow on."
    ),
    "K07 bad_weekend": _("Two days of the week may be free, not more. Write for instance SATURDAY SUNDAY."),
}
# The letter was believed, but a player cannot choose this.
_NO_CHOICE = {
    "L01 no_such_topic": _("There is nothing of this name to be chosen. SET alone lists all that there is."),
    "L02 no_such_value": _("This cannot be chosen. Write the line again with another value."),
    "L03 which_match": _(
        "Your letter has a move, but not of which match. Write its number first, as in 1: and then the move."
    ),
}
# Looking on, notes, and what players say to each other.
_TALK = {
    "V01 no_ratings": _("There are no ratings and no standings here yet. GAMES lists your matches."),
    "V02 not_watchable": _(
        "No match with this number can be watched: it is private, over, or not there. Ask its players."
    ),
    "V03 own_match": _("You play this match yourself, so its letters come anyway. SHOW brings its board."),
    "V04 too_many_watched": _(
        "You watch as many matches as anybody may, or this one has enough watchers. UNWATCH another one first."
    ),
    "V05 not_watching": _("You do not watch this match, so nothing was changed. GAMES lists what you watch."),
    "V06 too_many_notes": _(
        "You have as many notes on this match as anybody may. NOTE CLEAR makes room for others."
    ),
    # The same words whether the name is unknown, or whoever bears it wants to hear nothing.
    "V07 no_such_reader": _("Nobody of this name takes messages from you. Look at how it is written."),
    "V08 too_many_messages": _("You have written to enough players today. Send the message again tomorrow."),
    "V09 too_much_talk": _(
        "You have said enough in this match today, so this was not passed on. Say it again tomorrow."
    ),
}
# The fault is ours, and the letter has to wait for us.
_OURS = {
    "S02 poison": _(
        "Your letter stopped our program three times. "
        "It is kept, and the organiser looks at it; you need do nothing."
    ),
    "S03 engine_error": _(
        "Our program failed on your move; the fault is ours. The organiser looks at it; you need do nothing."
    ),
}
# The fault is ours, and it mends itself.
_OURS_UNSEEN = {
    "S01 transient": _("Something was not available. The letter is tried again by itself."),
    "S04 render_failed": _(
        "The picture of the board could not be drawn. The letter went out with the board in text."
    ),
}
# The organiser asks at the desk for what cannot be; he reads it there.
_AT_THE_DESK = {
    "D05 bad_line": _("This line is no pairing. Write two names, parted by a comma, and perhaps a game."),
    "D06 gets_no_letters": _(
        "This player gets no letters: suspended, unsubscribed, or without an address that works."
    ),
    "D07 repeated_line": _("The same pairing stands in an earlier line. Leave one of them out."),
    "D08 shared_address": _("Several players share this address. Write the name of one."),
    "D09 tournament_exists": _("There is a tournament of this name. Choose another name."),
    "D10 too_few_players": _("A round robin needs two players at least. Choose more."),
    "D11 not_next_round": _("This round has begun already, or there is none of this number."),
    "D12 stopped_already": _("The clocks of this match are stopped already."),
    "D13 not_stopped": _("The clocks of this match were not stopped by the organiser."),
    "D15 bad_record": _(
        "This is no record of a game that can be played here. What is wrong with it stands beside it."
    ),
    "D16 imported_already": _("A match with these players, these moves and this date is here already."),
    "D14 no_letter": _("No letter about this match was written to this player yet."),
}
# Letters that leave.
_OUTBOUND = {
    "O01 soft": _("The mail server asks to wait. The letter is sent again later."),
    "O02 hard": _("The address does not exist. The player has to give another one."),
    "O03 policy": _(
        "The mail server refuses letters from us; the address is not to blame. The operator has to look at it."
    ),
    "O04 mailbox_full": _("The mailbox is full. The letter is sent again later."),
    "O05 suppressed": _("The letter was not sent: a later one says more, or the address gets none."),
    "O06 expired": _("The letter could not be delivered for five days. It is not tried again."),
    "O07 unknown_reply": _("Nobody knows whether the letter was taken. It is sent again."),
    "O08 letter": _("The mail server refuses this letter, for its size or its contents. Look at its answer."),
}


_TABLES = (
    (Told.NOBODY, _SILENT),
    (Told.SENDER, _UNREAD),
    (Told.PLAYER, _NOT_BELIEVED),
    (Told.PLAYER, _NOT_ALLOWED),
    (Told.SENDER, _NOT_THERE),
    (Told.PLAYER, _NO_TIME),
    (Told.PLAYER, _NO_MATCH),
    (Told.PLAYER, _NOT_NOW),
    (Told.NOBODY, _AT_THE_DESK),
    (Told.PLAYER, _NO_CHOICE),
    (Told.PLAYER, _TALK),
    (Told.PLAYER, _OURS),
    (Told.NOBODY, _OURS_UNSEEN),
    (Told.NOBODY, _OUTBOUND),
)


def _refusals() -> Iterator[Refusal]:
    for title, reply in _TRANSPORT.items():
        code, name = title.split()
        yield Refusal(code, name, Told.RELAY, _TRANSPORT_LATER.get(code, reply.split(" ", 2)[2]), reply)
    for told, table in _TABLES:
        for title, sentence in table.items():
            code, name = title.split()
            yield Refusal(code, name, told, sentence)


REFUSALS: Mapping[str, Refusal] = {refusal.code: refusal for refusal in _refusals()}


class Refused(Exception):
    """A service says no. `code` is a key of REFUSALS, `facts` what the letter shows beside the sentence:

    `match`, `text` (as written), `objection`, `readings`, `nearest`, `name`, `number`, `why` (in a game's own
    words, which are English).
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(f"{REFUSALS[code].name}: {facts}")
        self.code = code
        self.facts = {name: fact for name, fact in facts.items() if fact not in (None, "", ())}


def sentence(code: str) -> str:
    """What the refusal says, in the active language."""
    return str(REFUSALS[code].sentence)
