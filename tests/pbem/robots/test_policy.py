"""What a robot does beside moving."""

import pytest

from games.engine.search import PROVEN, WIN
from pbem.robots.engine import EngineMove
from pbem.robots.services import Deed, choose


@pytest.mark.parametrize(
    ("deed", "score", "chance", "facts"),
    [
        (Deed.MOVE, 0, 0.5, {}),
        (Deed.RESIGN, 3 - WIN, 0.0, {}),
        (Deed.MOVE, 3 - WIN, 0.0, {"level": 2}),
        (Deed.RESIGN, -900, 0.02, {"before": [0.02, 0.01]}),
        (Deed.MOVE, -900, 0.02, {"before": [0.02]}),
        (Deed.MOVE, -900, 0.02, {"before": [0.02, 0.04]}),
        (Deed.MOVE, -PROVEN, 0.02, {}),
        (Deed.SWAP, -1, 0.49, {"may_swap": True, "ply": 1}),
        (Deed.MOVE, 0, 0.5, {"may_swap": True, "ply": 1}),
        (Deed.ACCEPT_DRAW, 0, 0.5, {"draw_offered": True, "ply": 40}),
        (Deed.ACCEPT_DRAW, -500, 0.1, {"draw_offered": True, "ply": 41}),
        (Deed.MOVE, 200, 0.7, {"draw_offered": True, "ply": 41}),
        (Deed.MOVE, 0, 0.5, {"draw_offered": True, "ply": 39}),
        (Deed.END, 900, 0.9, {"alone": True, "ply": 300}),
        (Deed.MOVE, 900, 0.9, {"ply": 300}),
    ],
)
def test_it_chooses(deed: Deed, score: int, chance: float, facts: dict[str, object]) -> None:
    told = {"level": 3, "ply": 20, "before": [], **facts}
    assert choose(EngineMove("a1", score, chance), **told) is deed
