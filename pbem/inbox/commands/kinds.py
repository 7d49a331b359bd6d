"""Kinds of commands that a sentence may state."""

from __future__ import annotations

from pbem.inbox.commands.clocks.grammar import Clock
from pbem.inbox.commands.conditional.grammar import If
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.commands.general.grammar import Games, Help
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.offers.grammar import Offer, Open
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.preferences.grammar import Preferences
from pbem.inbox.commands.ratings.grammar import Rating, Ratings
from pbem.inbox.commands.takeback.grammar import Undo
from pbem.inbox.commands.views.grammar import Describe, History, RecordOf, Show, Status

OF_MATCHES = (Challenge, Offer)
DEEDS = (*OF_MATCHES, Move, Draw, Resign, Undo, If)
# Read-only commands, done without a question.
HARMLESS = (
    Help,
    Players,
    Open,
    Games,
    Rating,
    Ratings,
    Show,
    History,
    Describe,
    RecordOf,
    Status,
    Clock,
    Preferences,
    Letters,
)
