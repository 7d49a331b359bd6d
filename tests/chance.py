"""Games played at random, as two players would write them."""

from __future__ import annotations

from random import Random

from games.protocol import Notation
from games.registry import find

# How a player writes REGISTER, CHALLENGE and the wish to begin.
WORDS = {"en": ("REGISTER", "CHALLENGE", "first"), "it": ("ISCRIVIMI", "SFIDA", "primo")}


def random_game(name: str, languages: tuple[str, str], plies: int, rng: Random) -> tuple[str, ...]:
    """The first `plies` moves; a game that is over earlier, or in which somebody passes, will not do."""
    game, rules = find(name)
    while True:
        position, written = game.start(rules, ""), list[str]()
        while len(written) < plies and position.outcome() is None:
            move = position.sample(rng)
            if move == game.forced_pass:
                break
            written.append(game.write(position, move, Notation(languages[position.to_move])))
            position = position.play(move)
        if len(written) == plies and position.outcome() is None:
            return tuple(written)
