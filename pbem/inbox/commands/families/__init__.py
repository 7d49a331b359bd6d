"""All families of verbs, in the chapters of HELP."""

from collections.abc import Sequence

from pbem.inbox.commands.families import (
    absence,
    account,
    clocks,
    conditional,
    general,
    letters,
    matchmaking,
    notes,
    offers,
    playing,
    preferences,
    refusing,
    takeback,
    talking,
    testing,
    trying,
    views,
    watching,
)
from pbem.inbox.commands.verb import Chapter, Verb

CHAPTERS: Sequence[Chapter] = (
    Chapter(
        {"en": "To begin with", "it": "Per cominciare"},
        (general.VERBS,),
    ),
    Chapter(
        {"en": "Whom to play with", "it": "Con chi giocare"},
        (
            matchmaking.VERBS,
            offers.VERBS,
            refusing.VERBS,
        ),
    ),
    Chapter(
        {"en": "At the board", "it": "Al tavoliere"},
        (
            playing.VERBS,
            takeback.VERBS,
            conditional.VERBS,
        ),
    ),
    Chapter(
        {"en": "What a match looks like", "it": "Che aspetto ha una partita"},
        (
            trying.VERBS,
            views.VERBS,
            notes.VERBS,
            watching.VERBS,
        ),
    ),
    Chapter(
        {"en": "Time", "it": "Il tempo"},
        (
            clocks.VERBS,
            absence.VERBS,
        ),
    ),
    Chapter(
        {"en": "Words", "it": "Le parole"},
        (talking.VERBS,),
    ),
    Chapter(
        {"en": "Your letters", "it": "Le tue lettere"},
        (
            letters.VERBS,
            preferences.VERBS,
            testing.VERBS,
            account.VERBS,
        ),
    ),
)
VERBS: Sequence[Verb] = tuple(verb for chapter in CHAPTERS for verb in chapter.verbs)
