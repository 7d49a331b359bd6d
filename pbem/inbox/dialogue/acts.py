"""Dialogue acts: what an answer to a waiting question does. Each kind of question has a table (state, act) -> action,
`ANSWERS` in `confirmation_replies`, `newcomers.sign_up` and `newcomers.invitation_replies`.
"""

from __future__ import annotations

from enum import Enum, auto


class State(Enum):
    OPEN = auto()
    OVER = auto()  # answered, expired or withdrawn


class Act(Enum):
    AFFIRM = auto()
    DENY = auto()
    MOVE = auto()  # a move on the board that was asked about
    TERMS = auto()  # a yes with other terms
    NAME = auto()  # another name or match than was asked about
    RULES = auto()  # a request for the rules alone
    REQUEST = auto()  # a request for something else
    LEAVE = auto()  # no more letters
    OTHER = auto()  # neither a sufficient YES nor a NO
