"""Evaluates LYNGK by stacks won, own stacks and those that could be completed; a claim is chosen before a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from games.engine.evaluation import DRAWN, LOST, WON, Children, Node
from games.lyngk.board import COLOURS, JOKER, PASS, POINTS, RAYS, Move
from games.lyngk.rules import CLAIMS, FIVE

WON_STACK = 100
OWN = (0, 3, 7, 14, 24, 60, 0)  # an own stack on the board, by height
NEXT = 70  # for the side to move, if it can complete a stack
LATER = (0, 20, 55)  # against it, by the stacks that the other side could complete
CLAIM = 12  # a claim that is left

WIDTHS = (10, 12, 14)  # turns searched, by depth
AT_ROOT = 48
LIKELY = 2  # claims searched below the root

# A stack is its top, a colour or 5 for a joker, the bits of its colours, and its height.
_TOP, _COLOURS, _HEIGHT = 7, 0xF8, 8
_JOKERS = 1 << len(COLOURS)

Board = tuple[int, ...]
Way = tuple[int, int]


class LyngkEvaluator:
    """Searches LYNGK.

    A node has the stacks, the colours that the side to move and the other have claimed, as bits, the stacks that each
    has won, and whether the last move completed a stack of six; an action is the bit of a colour to claim or 0, an
    origin and a target, or nothing for the pass.
    """

    man: ClassVar[int] = 30
    scale: ClassVar[int] = 120
    budgets: ClassVar[Mapping[int, int]] = {3: 6_000, 4: 60_000}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = True
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._highest = position.rules.stack
        self._values: dict[Node, int] = {}

    def node(self, position: Any) -> Node:
        board = tuple(map(_coded, position.board))
        claims, won = [], []
        for side in (position.to_move, position.to_move.other):
            claims.append(sum(1 << COLOURS.index(colour) for colour in position.claims[side]))
            won.append(sum(map(position.fives, position.claims[side])))
        six = self._highest > FIVE and won[1] > 0
        return board, *claims, *((0, 0) if self._highest > FIVE else won), six

    def result(self, node: Node) -> int | None:
        return LOST if node[5] else None

    def stuck(self, node: Node) -> int:
        board, mine, theirs, won, lost, _ = node
        for height in range(FIVE, 0, -1):
            ahead = won - lost if height == FIVE else 0
            for stack in board:
                if stack >> _HEIGHT == height:
                    bit = 1 << (stack & _TOP)
                    ahead += bool(bit & mine) - bool(bit & theirs)
            if ahead:
                return WON if ahead > 0 else LOST
        return DRAWN

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        claims = sorted(self._claims(node), key=lambda claimed: -self._standing(claimed[1]))
        likely = [(0, node), *(claims if not ply else claims[:LIKELY])]
        found = [turn for claimed in likely for turn in self._standings(*claimed)]
        if not found:
            found = [turn for claimed in claims[LIKELY:] for turn in self._standings(*claimed)]
        if not found:
            other = _turned(node)
            able = any(True for claimed in ((0, other), *self._claims(other)) for _ in self._ways(claimed[1]))
            return [((), other)] if able else []
        found.sort(key=lambda one: -one[0])
        width = WIDTHS[min(depth, len(WIDTHS)) - 1] if ply else AT_ROOT
        after = dict(claims) | {0: node}
        return [((claim, *way), self._moved(after[claim], *way)) for _, claim, way in found[:width]]

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            known = self._standing(node)
            known += NEXT if self._completions(node, 1) else 0
            known -= LATER[self._completions(_turned(node), len(LATER) - 1)]
            self._values[node] = known
        return known

    def move(self, position: Any, action: Any) -> Any:
        if not action:
            return PASS
        claim, origin, target = action
        return Move(COLOURS[claim.bit_length() - 1] if claim else "", POINTS[origin], POINTS[target])

    def _standing(self, node: Node) -> int:
        """Returns what is on the board and won, whatever the next move."""
        board, mine, theirs, won, lost, six = node
        if six:
            return -10 * WON_STACK
        standing: int = WON_STACK * (won - lost) + CLAIM * (theirs.bit_count() - mine.bit_count())
        for stack in board:
            if stack:
                bit = 1 << (stack & _TOP)
                if bit & mine:
                    standing += OWN[stack >> _HEIGHT]
                elif bit & theirs:
                    standing -= OWN[stack >> _HEIGHT]
        return standing

    def _claims(self, node: Node) -> Iterator[tuple[int, Node]]:
        """Yields each colour that the side to move may claim, and the node after it, with the same side to move."""
        board, mine, theirs, won, lost, six = node
        if mine.bit_count() == CLAIMS:
            return
        for colour in range(len(COLOURS)):
            bit = 1 << colour
            if not bit & (mine | theirs):
                after = board
                waiting = FIVE << _HEIGHT
                if self._highest == FIVE and any(
                    stack >= waiting and stack & _TOP == colour for stack in board
                ):
                    after = tuple(
                        0 if stack >= waiting and stack & _TOP == colour else stack for stack in board
                    )
                yield bit, (after, mine | bit, theirs, won + after.count(0) - board.count(0), lost, six)

    def _standings(self, claim: int, node: Node) -> Iterator[tuple[int, int, Way]]:
        """Yields how the turns with this claim stand for the mover, the claim, and the turns."""
        board, mine, theirs = node[:3]
        before = self._standing(node)
        for origin, target in self._ways(node):
            stack, there = board[origin], board[target]
            low, tall = there >> _HEIGHT, (stack >> _HEIGHT) + (there >> _HEIGHT)
            own, covered = 1 << (stack & _TOP) & mine, 1 << (there & _TOP)
            standing = before - (OWN[low] if covered & mine else -OWN[low] if covered & theirs else 0)
            if own:
                standing += (WON_STACK if tall == self._highest else OWN[tall]) - OWN[stack >> _HEIGHT]
                if tall == self._highest > FIVE:
                    standing = 10 * WON_STACK
            yield standing, claim, (origin, target)

    def _moved(self, node: Node, origin: int, target: int) -> Node:
        """Returns the node after a move."""
        board, mine, theirs, won, lost, _ = node
        stack, there = board[origin], board[target]
        tall = (stack >> _HEIGHT) + (there >> _HEIGHT)
        complete = tall == self._highest and bool(1 << (stack & _TOP) & mine)
        gone, after = complete and tall == FIVE, list(board)
        after[origin] = 0
        after[target] = 0 if gone else stack & _TOP | (stack | there) & _COLOURS | tall << _HEIGHT
        return tuple(after), theirs, mine, lost, won + gone, complete and not gone

    def _ways(self, node: Node) -> Iterator[Way]:
        """Yields origins and targets without a claim, as the rules do."""
        board, mine, theirs = node[:3]
        barred = theirs | _JOKERS
        for origin, stack in enumerate(board):
            bit = 1 << (stack & _TOP)
            if stack and not bit & barred:
                tall, colours = stack >> _HEIGHT, stack & _COLOURS
                own = bit & mine
                room = self._highest - tall if own else min(self._highest - tall, tall)
                for target in _turned_to(board, origin, stack & _TOP) if own else _reached(board, origin):
                    there = board[target]
                    if there >> _HEIGHT <= room and not there & colours:
                        yield origin, target

    def _completions(self, node: Node, enough: int) -> int:
        """Counts the stacks with which the side to move could complete one, with a claim too, up to `enough`."""
        board, mine, theirs = node[:3]
        barred = theirs | _JOKERS if mine.bit_count() < CLAIMS else ~mine
        tallest = max(board) >> _HEIGHT
        least, count = self._highest - tallest, 0
        for origin, stack in enumerate(board):
            tall = stack >> _HEIGHT
            if tall >= least > 0 and not 1 << (stack & _TOP) & barred:
                lacking, colours = self._highest - tall, stack & _COLOURS
                for target in _turned_to(board, origin, stack & _TOP):
                    if board[target] >> _HEIGHT == lacking and not board[target] & colours:
                        count += 1
                        if count == enough:
                            return count
                        break
        return count


def _coded(stack: str) -> int:
    if not stack:
        return 0
    colours = sum(1 << COLOURS.index(piece) for piece in stack if piece != JOKER)
    top = len(COLOURS) if stack[-1] == JOKER else COLOURS.index(stack[-1])
    return top | colours << 3 | len(stack) << _HEIGHT


def _turned(node: Node) -> Node:
    """Returns the node with the other side to move."""
    board, mine, theirs, won, lost, six = node
    return board, theirs, mine, lost, won, six


def _reached(board: Board, origin: int) -> Iterator[int]:
    for ray in RAYS[origin]:
        for point in ray:
            if board[point]:
                yield point
                break


def _turned_to(board: Board, origin: int, colour: int) -> Iterator[int]:
    """Yields what an own stack reaches over stacks with its colour on top."""
    came, left = {origin}, [origin]
    for here in left:
        for ray in RAYS[here]:
            for point in ray:
                if stack := board[point]:
                    if point not in came:
                        came.add(point)
                        yield point
                        if stack & _TOP == colour:
                            left.append(point)
                    break


EVALUATOR = LyngkEvaluator
