"""The tables of dialogue acts have a row for each answer, while a question waits and when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from pbem.inbox.dialogue import confirmation_replies
from pbem.inbox.dialogue.acts import Act, State
from pbem.inbox.newcomers import invitation_replies, sign_up

YES_OR_NO = {Act.AFFIRM, Act.DENY, Act.OTHER}


@pytest.mark.parametrize(
    ("answers", "acts"),
    [
        (confirmation_replies.ANSWERS, YES_OR_NO | {Act.MOVE, Act.REQUEST, Act.TERMS}),
        (sign_up.ANSWERS, YES_OR_NO | {Act.NAME, Act.TERMS, Act.LEAVE}),
        (invitation_replies.ANSWERS, YES_OR_NO | {Act.MOVE, Act.RULES, Act.LEAVE}),
    ],
)
def test_each_act_has_a_row_in_each_state(answers: Mapping[tuple[State, Act], Any], acts: set[Act]) -> None:
    late_requests = {(State.OVER, Act.REQUEST)}  # they are told that the question is over
    assert set(answers) | late_requests == set(product(State, acts)) | late_requests
