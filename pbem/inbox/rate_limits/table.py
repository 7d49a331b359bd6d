"""How much anybody may write to us, and how often we answer: the table, to be read aloud."""

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
    """`who` may have `most` in the time `within`: of what comes in, any such time; of the rest, a day of UTC. What is
    said above each table becomes of what comes on top.

    `why` is what the organiser reads where a letter got no answer.
    """

    name: str
    who: str
    most: int
    within: timedelta
    why: StrPromise | str = ""


@dataclass(frozen=True)
class Account:
    """Whose letters a letter is counted among: `cap` is a name in the table, `whom` who it is there.

    `server` is the mail server that brought it; "" where somebody can be held to it.
    """

    cap: str
    whom: object
    server: str = ""

    def __str__(self) -> str:
        return f"{self.cap}:{self.whom}"[:340]


HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)

# fmt: off
# Letters that come in, over the last sixty minutes. One more, and a mail server hears T04 and tries again
# later; a door that cannot say so (a mailbox that we fetch from, a provider's webhook) keeps the letter.
# Anyone who holds a sealed address is counted by its seat: nobody can use up what is Alice's by writing "Alice".
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
# Answers that go out, in a day of UTC; the same stranger's answer, in a week of the calendar. One more, and the
# letter that came has its verdict and no answer. Somebody is identified who uses the reply address of a seat, or
# whose provider vouches for them, and writes from an address of that player; anybody may be forged else. Where a
# player's five answers are used up, what they write is put aside and they are asked about it: a YES gives them back.
ANSWERS = (
    Cap("answers",  "an address, to letters whose writer is not identified",            5, DAY,
        _("This address was answered five times today already, to emails that anybody may have written.")),
    Cap("replies",  "an address that answers our question to it, and its provider confirms so", 8, DAY,
        _("This address was answered eight times today already, in a talk about a question of ours.")),
    Cap("unsure",   "an address, whether it has written such an email",                 5, DAY,
        _("This address was asked five times today already whether it has written what anybody may have written.")),
    Cap("code",     "an address of nobody's, the same refusal of such an email",        1, DAY,
        _("This address was told the same today already, about an email that anybody may have written.")),
    Cap("unclear",  "an address, that its answer is neither YES nor NO",                2, DAY,
        _("This address answered a question twice today already with neither YES nor NO, and was asked again.")),
    Cap("refusals", "an identified player in a match, to emails that cannot be done",  20, DAY,
        _("Twenty emails of this player for this match were refused today already, with an answer.")),
    Cap("questions", "a player, about emails that somebody else may have written",  20, DAY,
        _("This player was asked twenty times today already about emails that somebody else may have written.")),
    Cap("asked",    "a player, whose letters have us ask new addresses for a YES",      5, DAY,
        _("Five addresses were asked today already whether they are this player's.")),
    Cap("stranger", "a stranger, the same answer",                                      1, WEEK,
        _("This stranger was told the same in this week already.")),
    Cap("stranger_first", "a stranger, before one line more",                           1, DAY,
        _("This stranger was answered today already.")),
    Cap("stranger_again", "a stranger, one line to whatever else they write",           1, DAY,
        _("This stranger was answered today already, and heard in one line that their next email came.")),
    Cap("stranger_words", "a stranger, whose words go to the organiser",               3, DAY,
        _("Three emails of this stranger went to the organiser today already.")),
    Cap("strangers_day", "all strangers together",
        settings.STRANGERS_ANSWERED_PER_DAY, DAY,
        _("As many strangers as we answer in a day were answered today already.")),
    Cap("strangers_server", "the strangers who come through one mail server, where we know which",
        settings.STRANGERS_ANSWERED_PER_SERVER, DAY,
        _("As many strangers as we answer in a day were answered today already through this mail server.")),
)
# What a player can do in a day of UTC that others get letters about; one more, and they read that it was enough
# for today (C13, C18, C38, C39, H03, K19, K20). A draw can be offered three times in a match; all else needs
# somebody's YES.
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
# What players say to each other, in a day of UTC. One more is not passed on, and its writer hears so (V08, V09, D18).
TALK = (
    Cap("chat",      "a player in a match, to their opponent",                         50, DAY),
    Cap("messages",  "a player, outside their matches",                             30, DAY),
    Cap("organiser", "a player, to the organiser",                                    10, DAY),
    Cap("strangers", "a player, to those who never played with them nor wrote to them", 5, DAY),
)
# fmt: on

CAPS = {cap.name: cap for cap in (*LETTERS, *ANSWERS, *DEEDS, *TALK)}
