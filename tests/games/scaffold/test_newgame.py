"""The tests that a new game begins with hold for what it begins as."""

from games.scaffold.tests.test_perft import *  # noqa: F403
from games.scaffold.tests.test_rules import *  # noqa: F403
