"""What can be wrong with a written move or name. Each says what was written."""

from games.protocol import Objection, Outcome


class UnreadableMove(ValueError):
    """The text is not a move in this game's notation."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a move in this notation")
        self.text = text


class AmbiguousMove(ValueError):
    """The text fits several legal moves; `readings` are their canonical forms."""

    def __init__(self, text: str, readings: tuple[str, ...]) -> None:
        super().__init__(f"{text!r} may be {' or '.join(readings)}")
        self.text = text
        self.readings = readings


class IllegalMove(ValueError):
    """The text is a move, but the rules forbid it here; `objection` says why."""

    def __init__(self, text: str, objection: Objection) -> None:
        super().__init__(f"{text!r} is illegal: {objection}")
        self.text = text
        self.objection = objection


class GameOver(ValueError):
    """The text comes after the end of the game; `outcome` says how that came."""

    def __init__(self, text: str, outcome: Outcome) -> None:
        super().__init__(f"{text!r} comes after the end of the game: {outcome.score} {outcome.reason}")
        self.text = text
        self.outcome = outcome


class UnknownName(ValueError):
    """No game or variant is called `text`; `nearest` are names that exist."""

    def __init__(self, text: str, why: str, nearest: tuple[str, ...] = ()) -> None:
        advice = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"{text!r}: {why}{advice}")
        self.text = text
        self.nearest = nearest
