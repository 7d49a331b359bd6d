"""What of a letter the opponent hears."""

import pytest

from pbem.mail.parsing.reply_text import talk


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["Nice move!", "", "Best regards,", "Alice"], ["Nice move!"]),
        (["Bella mossa!", "", "Cordiali saluti,", "Bruno"], ["Bella mossa!"]),
        (["- one", "- two"], ["- one", "- two"]),
        (["Grazie mille!", "ancora una cosa"], ["Grazie mille!", "ancora una cosa"]),
        (["", " "], []),
        ([], []),
    ],
)
def test_closing_formulas_are_not_relayed(lines, said):
    assert list(talk(lines)) == said


def test_a_flood_is_cut():
    assert len("\n".join(talk(["On a b wrote " * 100] * 1_000))) <= 4_000


def test_what_is_drawn_keeps_its_place():
    drawn = ("    a   b   c", " 1  o   .   x", "   2  .   o")
    assert talk(drawn) == drawn
