"""What the moves of a match do not show, in a line of its record: what the organiser did, and a change of sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.move_numbers import mark


def remarks(
    entered: Sequence[int],
    replaced: Iterable[tuple[int, str, str]],
    *,
    swapped: bool = False,
    hinted: Sequence[int] = (),
) -> str:
    """`entered` are plies from 0; `replaced` says after how many turns who gave their place to whom.

    `swapped`: the second player has taken the first move over. Before the plies `hinted` a robot was asked for a hint.
    """
    sentences = ["Move 1 was the other player's; then sides were changed."] if swapped else []
    sentences += [f"The organiser entered {_numbers(entered)} for the player."] if entered else []
    sentences += [
        f"From move {mark(ply)} on {after} played in the place of {before}."
        for ply, before, after in replaced
    ]
    sentences += [f"A robot was asked for a hint before {_numbers(hinted)}."] if hinted else []
    return " ".join(sentences)


def _numbers(plies: Sequence[int]) -> str:
    *others, last = map(mark, plies)
    return f"moves {', '.join(others)} and {last}" if others else f"move {last}"
