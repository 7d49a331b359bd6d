"""Registers the kinds of letters and sections, with their labels, subscriptions and traits."""

# The template of a kind in `templates/mail` has its name, with the blocks of `pbem.outbox.rendering.links`;
# its context is built in `pbem.outbox.rendering.sections`.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING, Any, TypedDict, cast

from django.utils.translation import gettext_lazy as _

from pbem.players.subscriptions import EVERYTHING, NUMBERS, Subscription

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


CLOCK_RUNS = "clock_runs"  # to a player who has stopped turn letters while a clock runs


class Trait(Flag):
    """Traits of kinds."""

    WAITS = auto()  # kept for the reader's digest; other kinds leave at once
    SHOWS_TURNS = auto()  # withdrawn when the turns are taken back before it leaves
    SHOWS_BOARD = auto()  # shows the current board: makes older turn letters obsolete
    BRINGS_TURN = auto()  # announces a turn or a resumed clock: starts the clock
    IN_RESULT = auto()  # replaced by the result, which shows the last move as well
    STANDS = auto()  # redelivered even after the board has changed
    SENT_AGAIN = auto()  # redelivered unchanged: about no match
    BOARDLESS = auto()  # a short receipt without a board
    SPEAKS = auto()  # contains words of the opponent
    WHOLE = auto()  # answered as a whole, even if it covers several matches


@dataclass(frozen=True)
class Kind:
    """A kind. With `subscription` None it is always sent: it answers the player or asks for confirmation."""

    label: StrPromise
    subscription: Subscription | None
    traits: Trait


# fmt: off
# The facts of a section as JSON stores them. Each kind has its own; under the keys of the last row they differ in type.
Section = TypedDict("Section", {  # noqa: UP013 - a line for each would be a hundred and thirty
    "kind": str,
    "announcement": int, "attempt": int, "change": int, "closed": int, "delay": int, "edition": int, "entrant": int,
    "event": int, "invitation": int, "made": int, "match": int, "number": int, "offer": int, "player": int,
    "resigns": int, "round": int, "stage": int, "step": int, "streak": int, "study": int, "tournament": int,
    "absence": str, "absent": str, "agrees": str, "alarm": str, "at": str, "called": str, "cap": str, "code": str,
    "desk": str, "due": str, "email": str, "free": str, "friend": str, "game": str, "held": str, "host": str,
    "letters": str,
    "move": str, "name": str, "named": str, "note": str, "pool": str, "reads_no": str, "reason": str, "reply": str,
    "reply_to": str, "reported": str, "rest": str, "said": str, "solution": str, "taken": str, "text": str, "to": str,
    "topic": str, "unknown": str, "until": str, "usage": str, "verb": str, "why": str, "wrote": str, "wrote_at": str,
    "again": bool, "agreed": bool, "anew": bool, "answers": bool, "asks": bool, "begun": bool, "brief": bool,
    "doubted": bool, "erased": bool, "erases": bool, "example": bool, "explains": bool, "for_others": bool,
    "forever": bool, "gives": bool, "guide": bool, "heard": bool, "hint": bool, "in_subject": bool, "is_actor": bool,
    "joined": bool, "late": bool, "more": bool, "organiser": bool, "otherwise": bool, "played": bool, "proposed": bool,
    "ran": bool, "restored": bool, "rests": bool, "robots": bool, "several": bool, "stands_still": bool,
    "stranger": bool, "to_move": bool, "unclear": bool, "unheard": bool, "unplayed": bool, "unread": bool,
    "waits": bool,
    "does": list[str], "own": list[str], "unmoved": list[str], "ways": list[str], "zones": list[str],
    "lines": Sequence[str], "moves": Sequence[str], "others": Sequence[str], "readings": Sequence[str],
    "absences": list["Section"], "news": list["Section"],
    "away": Sequence[Any], "cells": Sequence[Any], "chapters": Sequence[Any], "contents": Sequence[Any],
    "essentials": Sequence[Any], "groups": Sequence[Any], "objection": Sequence[Any], "questions": Sequence[Any],
    "seat": Sequence[Any], "shown": Sequence[Any],
    "matches": list[int],
    "words": Mapping[str, Any],
    "asked": Any, "before": Any, "changed": Any, "done": Any, "first": Any, "last": Any, "left": Any, "limit": Any,
    "lost": Any, "message": Any, "near": Any, "nearest": Any, "only": Any, "ply": Any, "since": Any, "unsure": Any,
    "wishes": Any,
}, total=False)
# fmt: on


TURNS, RECEIPTS, MESSAGES = Subscription.TURNS, Subscription.RECEIPTS, Subscription.MESSAGES
CHALLENGES, NEWS, DIGESTS = Subscription.CHALLENGES, Subscription.NEWS, Subscription.DIGESTS
ALWAYS, NOTHING = None, Trait(0)
WAITS, SHOWS_TURNS, SHOWS_BOARD, BRINGS_TURN, IN_RESULT, STANDS, SENT_AGAIN, BOARDLESS, SPEAKS, WHOLE = Trait
PLAYED = WAITS | SHOWS_TURNS | SHOWS_BOARD | BRINGS_TURN

# fmt: off
# What is always sent and has no trait: answers, and questions of ours
ANSWERS = {
    "about": _("what this is"), "absences": _("absences announced"), "address": _("new address asked"),
    "addresses": _("addresses"), "analysis": _("analysis of a match"), "answered": _("question answered already"),
    "at_the_desk": _("notice of a message from a person"), "clock": _("clock"),
    "complained": _("why letters had stopped"), "conditionals": _("conditional moves"),
    "confirm": _("question to confirm"), "contest_entry": _("entry in a competition"),
    "contest_table": _("table of a competition"), "contests": _("list of competitions"),
    "description": _("board in words"), "digested": _("digest answered"),
    "forgotten": _("letter no longer kept"), "game": _("what a game is about"),
    "games": _("matches and games"), "goodbye": _("goodbye to a stranger"), "help": _("help"), "hint": _("hint"),
    "history": _("list of moves"), "invitation": _("how to sign up"), "invited": _("invitation sent"),
    "last": _("last answer of the day"), "letters": _("kinds of letters"), "limits": _("limits"),
    "my_data": _("everything we keep about a player"), "notes": _("notes"), "notice": _("stolen reply address"),
    "open": _("open offers"), "passed_on": _("message sent"), "players": _("list of players"),
    "preferences": _("preferences"), "print_name": _("name in print"),
    "probe": _("question whether the address works"), "puzzles": _("requests about puzzles"),
    "rating": _("ratings of a player"), "ratings": _("list of ratings"), "record": _("record"),
    "reconsidered": _("answer to second thoughts"), "refused": _("refusal"), "renamed": _("name changed"),
    "renewed": _("new reply address"), "restored": _("board after a restore"), "sign_in": _("code to sign in"),
    "signup": _("question to sign up"),
    "strip": _("film strip"), "takes_part": _("entry in a tournament"), "told_before": _("stranger answered before"),
    "to_organiser": _("message passed to the organiser"), "tokens": _("tokens for the API"),
    "tried": _("line tried"), "unsaid": _("message not sent"),
    "unwatched": _("no longer watched"), "watching": _("matches watched"), "welcome": _("welcome"),
}
KINDS: Mapping[str, Kind] = {
    **{name: Kind(label, ALWAYS, NOTHING) for name, label in ANSWERS.items()},
    "after_all":    Kind(_("second thoughts of a guest"),          CHALLENGES, SENT_AGAIN),
    "analysed":     Kind(_("match being analysed"),                ALWAYS,     BOARDLESS),
    "announcement": Kind(_("letter to all of a tournament"),       NEWS,       SENT_AGAIN | WHOLE),
    "asked":        Kind(_("offer sent"),                      ALWAYS,     BOARDLESS),
    "asks":         Kind(_("the opponent's offer"),              TURNS,      NOTHING),
    "away":         Kind(_("opponent away"),                       NEWS,       NOTHING),
    "back":         Kind(_("opponent can be reached"),             NEWS,       STANDS),
    "board":        Kind(_("board shown"),                         ALWAYS,     SHOWS_BOARD),
    "browser_asks": Kind(_("question about a browser's request"), ALWAYS, WHOLE),
    "cascade":      Kind(_("moves by themselves"),                 TURNS,      PLAYED | SPEAKS),
    "challenge":    Kind(_("challenge"),                           CHALLENGES, NOTHING),
    "challenged":   Kind(_("challenge sent"),                      ALWAYS,     BOARDLESS),
    "clock_runs":   Kind(_("no letters, but the clock runs"),      ALWAYS,     WHOLE),
    "contest_begins": Kind(_("round of a competition"),                TURNS,      SENT_AGAIN),
    "contest_over": Kind(_("competition over"),                        NEWS,       SENT_AGAIN),
    "contest_withdrawn": Kind(_("withdrawal from a competition"),      TURNS,      SENT_AGAIN),
    "day_taken":    Kind(_("day of absence used"),                TURNS,      NOTHING),
    "declined":     Kind(_("challenge declined"),                  CHALLENGES, STANDS | BOARDLESS),
    "denied":       Kind(_("offer declined or withdrawn"),          TURNS,      BOARDLESS),
    "digest":       Kind(_("digest"),                              DIGESTS,    WHOLE),
    "entered":      Kind(_("move entered"),                        ALWAYS,     SHOWS_TURNS | BRINGS_TURN),
    "event":        Kind(_("invitation to a tournament"),          NEWS,       SENT_AGAIN | WHOLE),
    "gave":         Kind(_("time given"),                          RECEIPTS,   BOARDLESS),
    "given":        Kind(_("time received"),                       TURNS,      NOTHING),
    "goes_on":      Kind(_("clocks go on"),                        TURNS,      BRINGS_TURN),
    "here_again":   Kind(_("opponent back"),                 NEWS,       NOTHING),
    "imported":     Kind(_("match imported"),                      TURNS,      BRINGS_TURN),
    "invites":      Kind(_("challenge to a stranger"),             CHALLENGES, SENT_AGAIN),
    "leaving":      Kind(_("question how to leave"),               ALWAYS,     WHOLE),
    "message":      Kind(_("message of the opponent"),             MESSAGES,   WAITS | STANDS | SPEAKS),
    "new_address":  Kind(_("change of address"),                   ALWAYS,     WHOLE),
    "offer":        Kind(_("draw offered"),                        TURNS,      WAITS | SHOWS_TURNS),
    "offered":      Kind(_("draw offer sent"),                     ALWAYS,     WAITS | SHOWS_TURNS | BOARDLESS),
    "organiser":    Kind(_("letter of the organiser"),             ALWAYS,     STANDS | SENT_AGAIN | WHOLE),
    "overstepped":  Kind(_("time up"),                           TURNS,      BOARDLESS),
    "parted":       Kind(_("seat given up"),                       TURNS,      STANDS | BOARDLESS),
    "paused":       Kind(_("pause"),                               TURNS,      BOARDLESS),
    "played":       Kind(_("receipt"),                             RECEIPTS,   PLAYED | IN_RESULT),
    "print_asks":   Kind(_("question about the name in print"),    ALWAYS,     WHOLE),
    "puzzle":       Kind(_("puzzle"),                              ALWAYS,     WHOLE),
    "rejected":     Kind(_("draw declined"),                       TURNS,      WAITS),
    "relayed":      Kind(_("message of a player"),                 MESSAGES,   SENT_AGAIN),
    "reminder":     Kind(_("reminder"),                            TURNS,      NOTHING),
    "replaced":     Kind(_("player replaced"),                     TURNS,      BRINGS_TURN),
    "result":       Kind(_("result"),                              TURNS,      SHOWS_TURNS | SHOWS_BOARD | STANDS),
    "resumed":      Kind(_("address works again"),                 TURNS,      NOTHING),
    "said":         Kind(_("message to the opponent"),             ALWAYS,     WAITS | BOARDLESS),
    "site_asks":    Kind(_("question about the site"),             NEWS,       WHOLE),
    "stopped":      Kind(_("clocks stopped"),                      TURNS,      NOTHING),
    "swapped":      Kind(_("sides swapped"),                       TURNS,      BRINGS_TURN),
    "turn":         Kind(_("turn letter"),                         TURNS,      PLAYED | IN_RESULT | SPEAKS),
    "undone":       Kind(_("moves taken back"),                    TURNS,      SHOWS_BOARD | BRINGS_TURN),
    "uninvited":    Kind(_("no more invitations"),                 CHALLENGES, SENT_AGAIN),
    "unreachable":  Kind(_("opponent cannot be reached"),          NEWS,       STANDS),
    "voided":       Kind(_("match void"),                          TURNS,      STANDS),
    "watched":      Kind(_("board for watchers"),                  NEWS,       STANDS),
}
# fmt: on


def refusal(code: str, facts: Mapping[str, Any]) -> Section:
    """Returns the section of a refusal, with the facts of `pbem.refusals.Refused`."""
    return cast(Section, {"kind": "refused", "code": code, **facts})


# Letters that wait, or are sent again, may have these: each is now one of the other kinds.
FORMERLY = {
    "clocks": "clock",
    "erased": "forgotten",
    "extended": "given",
    "status": "games",
    "withdrawn": "denied",
}


def kinds(trait: Trait) -> frozenset[str]:
    """Returns the kinds with the trait."""
    return frozenset(name for name, kind in KINDS.items() if trait in kind.traits)


def subscription_of(kind: str) -> Subscription | None:
    return KINDS[FORMERLY.get(kind, kind)].subscription


def number_of(kind: str) -> int:
    """Returns the number in the unsubscribe address. That of an answer covers all letters."""
    subscription = subscription_of(kind)
    return NUMBERS[subscription] if subscription else EVERYTHING


def in_words(kind: str) -> str:
    """Returns the label for the organiser."""
    kind = FORMERLY.get(kind, kind)
    return str(KINDS[kind].label) if kind in KINDS else kind
