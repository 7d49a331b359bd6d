"""What python-chess says of a position, held against what we say with the trap switched off."""

import chess

from games.trapdoor_chess.rules import QUIET


def agreed(ours, theirs):
    """The legal moves, on which both programs agree, as on everything that the position says."""
    assert str(ours) == f"{theirs.fen(en_passant='fen')} -"
    passed = theirs.fen(en_passant="legal").split()[3]
    assert ours.key().split()[3] == passed
    assert ours.checked == theirs.is_check()
    moves = {str(move): move for move in ours.moves()}
    captures = {chess.Move.from_uci(uci(text)) for text, move in moves.items() if move.capture}
    assert sorted(map(uci, moves)) == sorted(move.uci() for move in theirs.legal_moves)
    assert captures == set(theirs.generate_legal_captures())
    assert ours.count() == len(moves)
    return sorted(moves)


def uci(text):
    return text.replace("-", "").replace("x", "").replace("=", "").lower()


def end(theirs):
    if theirs.is_checkmate():
        return "mate"
    if theirs.is_stalemate():
        return "stalemate"
    if chess.popcount(theirs.occupied) == 2:
        return "dead"
    return "fifty" if theirs.halfmove_clock >= QUIET else None
