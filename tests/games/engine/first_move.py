"""An engine of the simplest kind, as somebody might write one: it plays the first of the moves, without thinking."""

import json
import sys

from games.registry import find

asked = json.loads(sys.stdin.readline())
game, rules = find(asked["game"])
print(json.dumps({"move": str(next(iter(game.position(rules, asked["position"]).moves())))}))
