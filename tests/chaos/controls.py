"""The service broken on purpose, in four ways that many a mail program is: the invariants must find each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.chaos.deaths import Death
from tests.chaos.run import Plan
from tests.chaos.speed import MARK, Hurry, open_again

LETTERS = 40
SOON = 8.0  # seconds until all should be quiet; here it never is

_QUIET = Plan(LETTERS, seed=7, dies=(), patience=SOON)
# The right service, over one of whose letters it stumbles.
SHUNTING = Plan(
    LETTERS,
    seed=7,
    dies=(),
    settings={"DJANGO_SETTINGS_MODULE": "tests.chaos.stumbling", "STUMBLES_OVER": MARK},
    story=Hurry,
    beside=(open_again,),
    breaks=0.0,
    patience=60.0,
)

# What is broken: the run, the statement that breaks the tables, and the invariant that must find it.
CONTROLS: Mapping[str, tuple[Plan, str, str]] = {
    "250 before the commit": (
        replace(
            _QUIET,
            dies=[Death("door", "keeping", 3), Death("door")],  # among the first four, who write at once
            settings={"DJANGO_SETTINGS_MODULE": "tests.chaos.hasty"},
        ),
        "",
        "acknowledged_is_kept",
    ),
    "no unique constraint": (
        replace(_QUIET, breaks=1.0),  # forty letters with few copies may all happen to come once
        "ALTER TABLE inbox_inboundmail DROP CONSTRAINT inbox_inboundmail_digest_key",
        "kept_once",
    ),
    "Celery as the only queue": (
        replace(
            _QUIET,
            dies=[
                Death("worker", "read", 2),
                Death("worker", "claimed", 3),
                Death("worker", "read"),
                Death("worker", "read"),
            ],
            beat=False,
            breaks=0.0,  # the copy of a lost email would ring for it again
        ),
        "",
        "one_verdict",
    ),
    "shunting across a deadline": (
        replace(SHUNTING, settings={**SHUNTING.settings, "HOLDS": "no"}),
        "",
        "time_is_fair",
    ),
}
