"""Which rings leave the game after a placement, with the marbles on them.

Newsletter 56: the groups without an empty ring; one that has an empty ring stays in play. The
reading of Fogliaccio 6 in addition sends away whatever is cut off from the main group, here the
largest; groups of the same largest size all stay, since neither is cut off from the other.
"""

from games.kit.hexagon import Hexagon
from games.zertz.variants import Islands


def isolated(board: Hexagon, rings: int, empty: int, islands: Islands) -> int:
    """The rings that leave: all of them, when no empty ring is left."""
    open_rings = board.connected(empty, rings)
    gone = rings & ~open_rings
    if islands == "any":
        groups = list(board.groups(open_rings))
        largest = max((group.bit_count() for group in groups), default=0)
        gone |= sum(group for group in groups if group.bit_count() < largest)
    return gone
