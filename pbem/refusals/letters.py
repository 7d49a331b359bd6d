"""Reasons that lie in a letter: how it came, whether it can be read, who wrote it, and what became of ours."""

from django.utils.translation import gettext_lazy as _

# Said while the other server still has the letter; servers speak English.
TRANSPORT = {
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
TRANSPORT_LATER = {
    "T02": _("Your letter is larger than 10 MiB. Send it without attachments."),
    "T03": _("Your letter has too many headers or parts. Send it as plain text."),
}
# An answer would help nobody, or start a loop.
SILENT = {
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
UNREAD = {
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
NOT_BELIEVED = {
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
# It answers what is in no row of ours any more, or what none of ours knows the writer of.
UNDONE_BY_RESTORE = {
    "A30 lost": _(
        "A backup had to be restored, and what you answer is not in it. Nothing was done; here is what you play now."
    ),
}
UNKNOWN_SINCE_RESTORE = {
    "A31 lost_sign_up": _(
        "A backup had to be restored, and this address is not in it. Please sign up again: REGISTER and your name."
    ),
}
# Whoever wrote was told something else; this is for the organiser.
FOR_THE_DESK = {
    "A13 lost_player": _(
        "Somebody asks for the name of a player whose letters come back. If it is he, give him this address."
    ),
}
# The fault is ours, and the letter has to wait for us.
OURS = {
    "S02 poison": _(
        "Our program could not deal with your letter; the fault is ours. "
        "It is kept, and the organiser looks at it; you need do nothing."
    ),
    "S03 engine_error": _(
        "Our program failed on your move; the fault is ours. The organiser looks at it; you need do nothing."
    ),
}
# The fault is ours, and it mends itself.
OURS_UNSEEN = {
    "S01 transient": _("Something was not available. The letter is tried again by itself."),
    "S04 render_failed": _(
        "The picture of the board could not be drawn. The letter went out with the board in text."
    ),
}
# Letters that leave.
OUTBOUND = {
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
    "O09 replies_lost": _(
        "Handed over three times, and no reply ever came: perhaps it was taken. Send it again, or drop it."
    ),
}
