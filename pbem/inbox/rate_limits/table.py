"""The table of rate limits: incoming letters, answers, actions and messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


@dataclass(frozen=True)
class Cap:
    """`who` may have `most` within `within`: a sliding window for incoming letters, a day of UTC for the
    rest; for requests a minute.

    `why` is shown to the organiser when a letter got no answer.
    """

    name: str
    who: str
    most: int
    within: timedelta
    why: StrPromise | str = ""


@dataclass(frozen=True)
class Account:
    """The account that a letter is counted in: `cap` is a name in the table, `whom` its key.

    `server` is the mail server that delivered it; "" when the sender is accountable.
    """

    cap: str
    whom: object
    server: str = ""

    def __str__(self) -> str:
        return f"{self.cap}:{self.whom}"[:340]


MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
DAY, WEEK = timedelta(days=1), timedelta(weeks=1)

# fmt: off
# Incoming letters, in the last sixty minutes. Above the limit a mail server gets T04 and tries again later;
# an IMAP mailbox or a webhook, which cannot be told so, keeps the letter. The holder of a sealed address is
# counted by seat, so that a forged From does not use up the player's limit.
LETTERS = (
    Cap("seat",     "a player who answers our letter from their own address",         300, HOUR),
    Cap("player",   "a player whose provider confirms them",                       300, HOUR),
    Cap("holders",  "all others who know the reply address of a seat",                 20, HOUR),
    Cap("question", "all who answer one question of ours",                             20, HOUR),
    Cap("message",  "all who answer what a player wrote",                              20, HOUR),
    Cap("bounces",  "the bounces of one letter of ours; an honest server sends few",   20, HOUR),
    Cap("goodbye",  "all who unsubscribe one player or stranger",                      20, HOUR),
    Cap("sender",   "anybody else, by the address in From",                            20, HOUR),
    Cap("server",    "anybody else, all who come through one mail server",
        settings.STRANGERS_PER_HOUR, HOUR),
)
# Answers, in a day of UTC (to one stranger: in a calendar week). Above the limit the letter gets a verdict
# and no answer. A sender is identified by the reply address of a seat, or by a provider's authentication,
# from an address of that player. When a player's answers are used up, commands are put aside until a YES,
# which also frees the answers.
ANSWERS = (
    Cap("answers",  "an address, to letters whose writer is not identified",            5, DAY,
        _("This address has been answered five times today, about emails that anybody may have written.")),
    Cap("replies",  "an address that answers our question to it, and its provider confirms so", 8, DAY,
        _("This address has been answered eight times today, while discussing a question of ours.")),
    Cap("unsure",   "an address, whether it has written such an email",                 5, DAY,
        _("This address has been asked five times today whether it wrote what anybody may have written.")),
    Cap("code",     "an address of nobody's, the same refusal of such an email",        1, DAY,
        _("This address has been told the same today, about an email that anybody may have written.")),
    Cap("unclear",  "an address, that its answer is neither YES nor NO",                2, DAY,
        _("This address has twice answered a question today with neither YES nor NO, and was asked again.")),
    Cap("refusals", "an identified player in a match, to emails that cannot be done",  20, DAY,
        _("Twenty emails from this player for this match were refused today, with an answer.")),
    Cap("questions", "a player, about emails that somebody else may have written",  20, DAY,
        _("This player has been asked twenty times today about emails that somebody else may have written.")),
    Cap("asked",    "a player, whose letters have us ask new addresses for a YES",      5, DAY,
        _("Five addresses have been asked today whether they are this player's.")),
    Cap("stranger", "a stranger, the same answer",                                      1, WEEK,
        _("This stranger has been told the same this week.")),
    Cap("stranger_first", "a stranger, before one line more",                           1, DAY,
        _("This stranger has been answered today.")),
    Cap("stranger_again", "a stranger, one line to whatever else they write",           1, DAY,
        _("This stranger has been answered today, and told in one line that their next email came.")),
    Cap("stranger_words", "a stranger, whose words go to the organiser",               3, DAY,
        _("Three emails from this stranger went to the organiser today.")),
    Cap("strangers_day", "all strangers together",
        settings.STRANGERS_ANSWERED_PER_DAY, DAY,
        _("Today's limit of answers to strangers is used up.")),
    Cap("strangers_server", "the strangers who come through one mail server, where we know which",
        settings.STRANGERS_ANSWERED_PER_SERVER, DAY,
        _("Today's limit of answers to strangers through this mail server is used up.")),
)
# Actions that cause letters to other players, in a day of UTC. Above the limit the player is refused (C13,
# C18, C38, C39, H03, K19, K20). Draws are limited to three offers per match; other actions need a YES.
DEEDS = (
    Cap("challenges",  "a player, those whom they challenge or whose offers they take", 30, DAY),
    Cap("invitations", "a player, the addresses to which they have us write",           3, DAY),
    Cap("invitations_day", "all players together, the addresses to which they have us write",
        settings.INVITATIONS_PER_DAY, DAY),
    Cap("invitations_domain", "the same, to addresses of one domain and those below it",
        settings.INVITATIONS_PER_DOMAIN_PER_DAY, DAY),
    Cap("asks",        "a player in a match, pauses and takebacks asked for, gifts",   20, DAY),
    Cap("exports",     "a player, all that is kept of them",                           1, DAY),
    Cap("analyses",    "a player, matches that a robot looks through for them",         5, DAY),
    Cap("absences",    "a player, that they go away",                                 10, DAY),
)
# Messages between players, in a day of UTC. Above the limit they are refused (V08, V09, D18).
TALK = (
    Cap("chat",      "a player in a match, to their opponent",                         50, DAY),
    Cap("messages",  "a player, outside their matches",                             30, DAY),
    Cap("organiser", "a player, to the organiser",                                    10, DAY),
    Cap("strangers", "a player, to those who never played with them nor wrote to them", 5, DAY),
)
# Codes to sign in at the site, in a day of UTC. Above the limit the page says so, as for any address.
CODES = (
    Cap("codes",      "a mailbox, the codes that we send to it",                        5, DAY),
    Cap("codes_from", "a visitor of the site, the codes that they ask for",            20, DAY),
)
# Requests to the API, in a minute of the clock, in each process of the web. Above the limit they get 429; the first
# in a minute for the turns of a token is always answered.
REQUESTS = (
    Cap("token",     "a token, requests to the API",                                  300, MINUTE),
    Cap("visitor",   "an address without one",                                         60, MINUTE),
)
# fmt: on

CAPS = {cap.name: cap for cap in (*LETTERS, *ANSWERS, *DEEDS, *TALK, *CODES, *REQUESTS)}
