"""Reasons that lie in what is asked for: by players, and by the organiser at the desk."""

from django.utils.translation import gettext_lazy as _

# The letter was believed, but the game does not allow it.
NOT_ALLOWED = {
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
NOT_THERE = {
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
    "C23 our_own_address": _(
        "Nobody reads letters at an address of this service. Write the address of a person."
    ),
}
# The letter was believed, but time cannot be had in this way.
NO_TIME = {
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
    "K19 too_much_asked": _(
        "You have asked for enough, or given enough, in this match today. Do it again tomorrow."
    ),
    "K20 too_often_away": _(
        "You have gone away or come back as often today as anybody may. Write it again tomorrow."
    ),
    "K11 bad_pause": _("A pause lasts from 1 to 60 days. Ask for one of another length."),
    "K12 no_absence": _("In this match no clock rests for anybody, as was agreed; you have to move in time."),
}
# Who would play with whom, and how often they may ask.
NO_MATCH = {
    # The same words for a refusal, a block and a limit that is reached: why not is nobody's business.
    "C11 not_now": _("This player takes no such challenge at present. OPEN lists who looks for an opponent."),
    "C12 too_many_refused": _("You refuse as many players as anybody may refuse. ALLOW one of them first."),
    "C13 too_many_challenges": _(
        "You have challenged as many players today, or joined their offers, as anybody may. Go on tomorrow."
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
NOT_NOW = {
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
NO_CHOICE = {
    "L01 no_such_topic": _("There is nothing of this name to be chosen. SET alone lists all that there is."),
    "L02 no_such_value": _("This cannot be chosen. Write the line again with another value."),
    "L03 which_match": _(
        "Your letter has a move, but not of which match. Write its number first, as in 1: and then the move."
    ),
}
# Looking on, notes, and what players say to each other.
TALK = {
    "D18 enough_for_organiser": _(
        "The organiser has ten messages of yours from today already. Write the rest tomorrow."
    ),
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
# The organiser asks at the desk for what cannot be; they read it there.
AT_THE_DESK = {
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
    "D17 which_notation": _(
        "This score sheet does not say in which notation it is written. "
        "Say which: the letters of one language mean other pieces in another."
    ),
    "D14 no_letter": _("No letter about this match was written to this player yet."),
}
