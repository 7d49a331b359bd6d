"""Kinds of commands that a sentence may state."""

from pbem.inbox.commands.account.grammar import Register
from pbem.inbox.commands.conditional.grammar import If, Next
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.notes.grammar import Note
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.reports.grammar import Report
from pbem.inbox.commands.takeback.grammar import Undo
from pbem.inbox.commands.variations.grammar import Try

OF_MATCHES = (Challenge, Offer)
DEEDS = (*OF_MATCHES, Move, Draw, Resign, Undo, If)
SAID_PLAINLY = (Move, If, Next, Try, Note, Report, Register)  # in words that say little else
