"""Refusals of requests, by players and by the organiser at the desk."""

from django.utils.translation import gettext_lazy as _

from pbem.refusals.codes import Code

# Not allowed by the game
NOT_ALLOWED = {
    Code.NO_SUCH_MATCH: _("You have no match with this number. GAMES lists your matches."),
    Code.MATCH_OVER: _("This match is over, so nothing was changed. CHALLENGE starts another one."),
    Code.NOT_YOUR_TURN: _("It is your opponent's turn. Wait for the letter with their move."),
    Code.STALE_TURN: _("You answered an older board. Look at the current one and move again."),
    Code.ILLEGAL_MOVE: _("That move is not legal: the reason is below. Choose another move."),
    Code.DEADLINE_PASSED: _(
        "Your time ran out before this email arrived, so it was not carried out. The result comes as soon "
        "as all earlier emails are read."
    ),
    Code.OFFER_GONE: _("That offer has expired or was withdrawn. GAMES lists what is still open."),
    Code.MATCH_PAUSED: _(
        "This match is paused, so the move was not played. Send it again when the match goes on."
    ),
    Code.NO_SUCH_TURN: _("The match has not got that far. Write SHOW with a smaller number, or with none."),
    Code.NOT_BEGUN: _("This match has not begun: the challenge is still open. ACCEPT or DECLINE it first."),
    Code.OWN_MOVE_FIRST: _(
        "A conditional line begins with your opponent's reply, but it is your turn. Send your move, and the "
        "line below it in the same email."
    ),
    Code.OVERTAKEN: _(
        "Your opponent has since moved, and not as your conditional line expects, so it was not kept. Look "
        "at the current board."
    ),
    Code.IMPOSSIBLE_LINE: _(
        "This conditional line was not kept: it has a move that cannot be played. The move "
        "and the reason are below; correct the line and send it again."
    ),
    Code.NO_TAKEBACK: _(
        "No move can be taken back here: you have made none, or this match was agreed without takebacks."
    ),
    Code.TOO_MANY_LINES: _(
        "You have %(limit)s conditional lines in this match, which is the limit; each counts until it is played. "
        "IFS CLEAR removes some."
    ),
    Code.NO_SUCH_LINE: _("You have no such conditional line in this match. IFS lists those that wait."),
    Code.RESIGNATION_OVERTAKEN: _(
        "A move has been played since you asked to resign, so the match goes on. RESIGN again if you mean it."
    ),
    Code.TOO_MANY_DRAWS: _(
        "You have offered a draw three times in this match, and that is the limit. Play on, or RESIGN."
    ),
}
# Unknown names and numbers
NOT_THERE = {
    # The same words for an unknown and a silent name or address, so that they do not reveal who is registered
    Code.NO_SUCH_PLAYER: _(
        "There is no player of this name. Check the spelling, or invite them by email address."
    ),
    Code.NO_SUCH_GAME: _("There is no game or variant of this name. GAMES lists what can be played."),
    Code.AGAINST_YOURSELF: _("You cannot play against yourself here. CHALLENGE another player."),
    Code.BAD_NAME: _(
        "This name cannot be used. Choose one word of 2 to 24 letters or digits that begins with a letter."
    ),
    Code.NAME_TAKEN: _("This name is taken. Write the same line with another."),
    Code.RENAMED_LATELY: _("You can change your name once in thirty days, and have done so already."),
    Code.BAD_SETUP: _("A match cannot begin from this set-up. The rules of the game show how to write it."),
    Code.ALREADY_REGISTERED: _("You are already registered. CHALLENGE somebody, or write HELP."),
    Code.NOT_YOUR_ADDRESS: _("This is not one of your addresses. ADDRESSES lists them."),
    Code.ONLY_ADDRESS: _("This is your only address, so it stays. ADD ADDRESS another one first."),
    Code.TOO_MANY_ADDRESSES: _(
        "You have %(limit)s addresses, which is the limit. REMOVE ADDRESS makes room."
    ),
    Code.OUR_OWN_ADDRESS: _(
        "That is an address of this service, and nobody reads it. Write the address of a person."
    ),
    Code.BAD_ADDRESS: _(
        "There is no such email address, so nothing was sent. Write one like friend@example.org."
    ),
}
# Studies by robots
NO_HELP = {
    Code.ANALYSED_AT_THE_END: _("A robot analyses a match only when it is over. Write ANALYSE again then."),
    Code.TOO_SHORT_TO_ANALYSE: _(
        "There is too little to analyse: this match ended before it had really begun."
    ),
    Code.TOO_MANY_ANALYSES: _(
        "You have asked for %(limit)s analyses today, which is the limit. Ask for this one tomorrow."
    ),
    Code.NO_HINTS: _(
        "This match has no hints. They are for unrated matches against a robot, or matches agreed as "
        "learning: CHALLENGE Bruno loa learning."
    ),
    Code.HINT_FOR_ANOTHER: _(
        "Another of your matches has the same position, and a hint would help you there. Move there first."
    ),
    Code.TOO_MANY_HINTS: _("You have had three hints in this match, and that is the limit."),
    Code.NO_PUZZLE: _(
        "We have no puzzle left for you. More come from other players' matches, as robots analyse them."
    ),
    Code.TOO_MANY_PUZZLES: _("You have had ten puzzles within a day. Ask for the next one tomorrow."),
    Code.NO_SOLUTION: _(
        "That cannot be played in your puzzle, so nothing was changed. Write SOLVE and a move."
    ),
    Code.NO_OPEN_PUZZLE: _("You have no puzzle to solve. PUZZLE sends one."),
}
# Time
NO_TIME = {
    Code.OFFER_STANDS: _("You have already made an offer. Wait for the answer, or write NO to withdraw it."),
    Code.NO_GIFTS: _("In this match nobody gives the other time, as agreed; you must move in time."),
    Code.BAD_ABSENCE: _(
        "An absence begins today or later, at most a year ahead, and does not end before it "
        "begins. Write for instance AWAY 3 August TO 20 August."
    ),
    Code.NO_SUCH_DAY: _("The calendar has no such day, so nothing was changed."),
    Code.NO_DAYS_LEFT: _(
        "You do not have that many days of absence left this year. Write AWAY to see how "
        "many, or announce a shorter absence."
    ),
    Code.TOO_MANY_ABSENCES: _(
        "You have announced %(limit)s absences, which is the limit. Each counts until it is over, or you cancel it: "
        "BACK and its first day."
    ),
    Code.NOT_AWAY: _("You have no absence on that day. AWAY lists your absences."),
    Code.BAD_GIFT: _("Give between an hour and thirty days. More can be given later."),
    Code.TOO_MUCH_ASKED: _(
        "In this match you have asked for pauses and takebacks or given time %(limit)s times today, which is the "
        "limit. Go on tomorrow."
    ),
    Code.TOO_OFTEN_AWAY: _(
        "You have announced absences %(limit)s times today, which is the limit. Announce this one tomorrow; BACK "
        "ends one at any time."
    ),
    Code.BAD_PAUSE: _("A pause lasts from 1 to 60 days. Ask for one of another length."),
    Code.NO_ABSENCE: _("In this match clocks never stop, as agreed; you must move in time."),
}
# Challenges and their limits
NO_MATCH = {
    # The same words for a refusal, a block and a limit: the reason is private
    Code.NOT_NOW: _(
        "This player is not accepting such challenges at present. OPEN lists players who "
        "look for an opponent."
    ),
    Code.TOO_MANY_REFUSED: _(
        "You refuse %(limit)s players, which is the limit. ALLOW and a name makes room."
    ),
    Code.TOO_MANY_CHALLENGES: _(
        "You have challenged players and joined offers %(limit)s times today, which is the limit. Go on tomorrow."
    ),
    Code.TOO_MANY_OFFERS: _(
        "You have %(limit)s open offers, which is the limit. Each counts until somebody takes it, or you CLOSE it."
    ),
    Code.TOO_MANY_ROBOTS: _(
        "You play %(limit)s matches with robots, which is the limit. Each counts until it is over: finish one, or "
        "RESIGN it."
    ),
    Code.NO_SUCH_CONTEST: _(
        "There is no such competition here. COMPETITIONS lists them, with their numbers."
    ),
    Code.ENTRIES_CLOSED: _("This competition no longer takes entries. COMPETITIONS lists those that do."),
    Code.ENTERED_ALREADY: _(
        "You have entered this competition already. COMPETITIONS shows what you take part in."
    ),
    Code.NOT_ENTERED: _(
        "You do not take part in this competition. COMPETITIONS shows what you take part in."
    ),
    Code.CONTEST_NOT_BEGUN: _(
        "This competition has not begun, so there is no table yet. COMPETITIONS shows when it does."
    ),
    Code.WRONG_NUMBER: _("This competition cannot begin: it has too few players, or too many."),
    Code.CONTEST_FULL: _("This competition is full. COMPETITIONS lists others."),
    Code.TOO_FAR_ABOVE: _("You can challenge only players a few places above you. LADDER shows which."),
    Code.AWAY_FROM_LADDER: _(
        "One of you is away, and an absence freezes the ladder. Challenge again afterwards."
    ),
    Code.CHALLENGE_RUNNING: _(
        "One of you has an unfinished challenge on the ladder. Each has one at a time: challenge again later."
    ),
    Code.CHALLENGED_LATELY: _("You two met on the ladder a short while ago. LADDER shows who is free."),
    Code.NO_SUCH_OFFER: _(
        "There is no open offer with this number for you. OPEN lists those that you can take."
    ),
    Code.JOINED_ALREADY: _(
        "You are playing a match of this offer already. JOIN it again when that one is over."
    ),
    Code.INVITED_ALREADY: _(
        "You have invited this address, and it has not answered yet. Wait for its answer."
    ),
    Code.EXAMPLE_ADDRESS: _(
        "That address was an example in our letter. Write your friend's own address in its place."
    ),
    Code.TOO_MANY_INVITATIONS: _(
        "You have invited addresses %(limit)s times today, which is the limit. Each counts, whatever they answer: "
        "CHALLENGE the next one tomorrow."
    ),
    Code.INVITATIONS_USED_UP: _(
        "Today's limit of invitations, from all players together, is reached. CHALLENGE this address "
        "tomorrow."
    ),
    Code.DOMAIN_USED_UP: _(
        "Today's limit of invitations to this domain is reached. CHALLENGE this address tomorrow."
    ),
    Code.NOT_OVER: _("This match is not over yet. Finish it first, then ask for a REMATCH."),
    Code.NO_SWAP: _("Sides cannot be swapped in this match now. Answer with your move."),
    Code.INVITATION_OVER: _(
        "This invitation was answered already, or has expired. To sign up, write REGISTER and a name."
    ),
    Code.NO_OFFER_OF_YOURS: _("You have no open offer with this number. OPEN lists the offers, yours too."),
}
# Clocks
NOT_NOW = {
    Code.BAD_CLOCK: _(
        "That is not a clock we can read. Write for instance 10d+36h<=10d (ten days, plus 36 hours per "
        "move, never more than ten days) or 3d/move."
    ),
    Code.NO_CLOCK: _("This match has no clock. Take as much time as you need."),
    Code.NOTHING_TO_CLAIM: _("Your opponent's time is not up, so there is nothing to claim. CLOCK shows it."),
    Code.ORGANISER_DECIDES: _(
        "Your time ran out before this email arrived, so it was not carried out. The organiser decides how "
        "the match goes on, and we write to you both."
    ),
    Code.CALENDAR_KEPT: _(
        "You have changed your time zone, weekend or night less than 30 days ago, so they stay as they are."
    ),
    Code.BAD_NIGHT: _("A night lasts at most ten hours. Write for instance 23:00-07:00."),
    Code.HOLIDAY_TOO_NEAR: _(
        "This day may have begun in some time zone already, so it stays as it is. Choose one "
        "from the day after tomorrow on."
    ),
    Code.BAD_WEEKEND: _("At most two days of the week may be free. Write for instance SATURDAY SUNDAY."),
}
# Settings
NO_CHOICE = {
    Code.NO_SUCH_TOPIC: _("There is no setting of this name. SET alone lists them all."),
    Code.NO_SUCH_VALUE: _("This setting has no such value. Write the line again with another."),
    Code.WHICH_MATCH: _(
        "Your email has a move, but does not say for which match. Write its number first, as "
        "in 1: and then the move."
    ),
    Code.WHICH_QUESTION: _(
        "Several questions need your answer. Say which one you mean, by one of the lines below."
    ),
}
# Observers, notes and messages
TALK = {
    Code.ENOUGH_FOR_ORGANISER: _(
        "The organiser has ten messages of yours from today already. Write the rest tomorrow."
    ),
    Code.TOO_MANY_EXPORTS: _(
        "You have asked for your data today, and once a day is the limit. Ask again tomorrow."
    ),
    Code.TOO_MANY_TOKENS: _(
        "You have %(limit)s tokens, which is the limit. TOKEN STOP and a number makes room."
    ),
    Code.NO_RATINGS: _(
        "No ratings yet: no rated match has ended. A challenge with the word rated begins one."
    ),
    Code.NOT_WATCHABLE: _(
        "There is no match with this number to watch: it is private, over, or does not "
        "exist. Ask its players."
    ),
    Code.OWN_MATCH: _("You play this match yourself, so its letters come anyway. SHOW sends its board."),
    Code.TOO_MANY_WATCHED: _(
        "You watch %(limit)s matches, which is the limit, or this one has enough watchers. Each counts until it is "
        "over, or you UNWATCH it."
    ),
    Code.NOT_WATCHING: _(
        "You are not watching this match, so nothing has changed. GAMES lists what you watch."
    ),
    Code.TOO_MANY_NOTES: _(
        "You have %(limit)s notes on this match, which is the limit. NOTE CLEAR removes them all."
    ),
    # The same words for an unknown name and for a player who takes no messages
    Code.NO_SUCH_READER: _(
        "There is no player of this name who takes messages from you. Check the spelling."
    ),
    Code.TOO_MANY_MESSAGES: _(
        "You have sent %(limit)s messages today outside your matches or to players new to you, which is the limit. "
        "Send this one tomorrow."
    ),
    Code.TOO_MUCH_TALK: _(
        "You have sent %(limit)s messages in this match today, which is the limit, so this one was not passed on. "
        "Send it again tomorrow."
    ),
}
# The desk
IN_THE_ADMIN = {
    Code.BAD_LINE: _(
        "This line is not a pairing. Write two names, separated by a comma, and a game if you like."
    ),
    Code.GETS_NO_LETTERS: _(
        "This player gets no letters: suspended, unsubscribed, or without an address that works."
    ),
    Code.REPEATED_LINE: _("The same pairing is on an earlier line. Leave one of them out."),
    Code.SHARED_ADDRESS: _("Several players share this address. Write the name of one."),
    Code.TOURNAMENT_EXISTS: _("There is a competition of this name. Choose another name."),
    Code.TOO_FEW_PLAYERS: _("A round robin needs two players at least. Choose more."),
    Code.NOT_NEXT_ROUND: _("This round has begun already, or there is none of this number."),
    Code.EVENT_HAS_BEGUN: _("The tournament has begun, and nobody can enter now."),
    Code.ENTRIES_CHANGED: _("Somebody has since entered or left. Look at the pairings again."),
    Code.STOPPED_ALREADY: _("The clocks of this match are stopped already."),
    Code.NOT_STOPPED: _("The clocks of this match were not stopped by the organiser."),
    Code.BAD_RECORD: _("This is not the record of a game played here. The reason is given beside it."),
    Code.IMPORTED_ALREADY: _("A match with these players, these moves and this date is already here."),
    Code.WHICH_NOTATION: _(
        "This score sheet does not say in which notation it is written. "
        "Say which: the letters of one language mean other pieces in another."
    ),
    Code.NO_LETTER: _("No letter about this match was written to this player yet."),
}
# With the name, when one was written
NAMED = {
    Code.NO_SUCH_PLAYER: _(
        "There is no player called %(name)s. Check the spelling, or invite them by email address."
    ),
    Code.BAD_ADDRESS: _(
        "%(name)s is not an email address: write one like friend@example.org, with one @ and single dots. "
        "Nothing was sent."
    ),
    Code.NO_SUCH_READER: _(
        "There is no player called %(name)s who takes messages from you. Check the spelling."
    ),
}
