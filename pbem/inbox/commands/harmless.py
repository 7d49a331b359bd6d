"""The read-only commands that are executed without a question."""

from pbem.inbox.commands.clocks.grammar import Clock
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.commands.general.grammar import Games, Help
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.offers.grammar import Open
from pbem.inbox.commands.preferences.grammar import Preferences
from pbem.inbox.commands.ratings.grammar import Rating, Ratings
from pbem.inbox.commands.views.grammar import Describe, History, RecordOf, Show, Status

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
