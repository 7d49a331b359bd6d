"""A second opinion on the trap: a slow referee who has python-chess and no bitboards of ours."""

from random import Random

import chess
import pytest

from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules
from tests.examples import first

AFTER = Rules(incheck="after")
# Both sides may castle, promote and take en passant soon; the trap is near all of it.
CASTLES = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 b3"
PAWNS = "4k3/P1p1p1p1/8/1P1P1P2/1p1p1p2/8/p1P1P1P1/4K3 w - - 0 1 e3"


@pytest.mark.parametrize("rules", [Rules(), AFTER], ids=lambda rules: rules.incheck)
@pytest.mark.parametrize("text", [str(GAME.start(Rules(), "")), CASTLES, PAWNS])
@pytest.mark.parametrize("seed", first(range(2)))
def test_the_referee_agrees(rules, text, seed):
    rng, position = Random(seed), GAME.position(rules, text)
    for _ in range(60):
        if position.outcome():
            break
        ours = {str(move) for move in position.moves()}
        assert ours == set(turns(str(position), rules)), position
        assert position.count() == len(ours)
        position = position.play(position.sample(rng))


def turns(text, rules):
    """Every legal turn in canonical form."""
    fen, _, name = text.rpartition(" ")
    board, trap = chess.Board(fen), None if name == "-" else chess.parse_square(name)
    still = rules.incheck == "before" and attacked(board, board.turn, trap)
    for move in steps(board, trap):
        after = made(board, move, trap)
        if attacked(after, board.turn, trap):
            continue
        if still:
            yield written(board, move)
            continue
        empty = [square for square in chess.SQUARES if square != trap and not after.piece_at(square)]
        safe = [square for square in empty if not attacked(after, board.turn, square)]
        for square in safe or [trap]:
            yield f"{written(board, move)}@{chess.square_name(square)}"


def attacked(board, side, trap):
    """Whether that side's king is, no line passing the trap."""
    walls = board.occupied | (0 if trap is None else chess.BB_SQUARES[trap])
    return bool(board.attackers_mask(not side, board.king(side), walls))


def steps(board, trap):
    """A friend on the trap stops every line; an enemy there shows who could fall."""
    for move in with_pawn(board, trap, board.turn).generate_pseudo_legal_moves():
        if move.from_square != trap:
            yield move
    if trap is None:
        return
    for move in with_pawn(board, trap, not board.turn).generate_pseudo_legal_moves():
        if move.to_square == trap and board.piece_type_at(move.from_square) not in (chess.PAWN, chess.KING):
            yield move
    ahead, home = (8, 1) if board.turn else (-8, 6)
    for pawn in board.pieces(chess.PAWN, board.turn):
        double = chess.square_rank(pawn) == home and not board.piece_at(pawn + ahead)
        takes = trap == board.ep_square and trap in board.attacks(pawn)
        if trap == pawn + ahead or (double and trap == pawn + 2 * ahead) or takes:
            yield chess.Move(pawn, trap)


def with_pawn(board, trap, side):
    board = board.copy(stack=False)
    if trap is not None:
        board.set_piece_at(trap, chess.Piece(chess.PAWN, side))
    return board


def made(board, move, trap):
    board = board.copy(stack=False)
    board.push(move)
    if move.to_square == trap:
        board.remove_piece_at(trap)
    return board


def written(board, move):
    origin, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    promotion = f"={chess.piece_symbol(move.promotion).upper()}" if move.promotion else ""
    return f"{origin}{'x' if board.is_capture(move) else '-'}{target}{promotion}"
