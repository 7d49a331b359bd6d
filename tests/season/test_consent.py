"""What YES a letter asks for, as it stands in its text, and how people write it."""

from random import Random

import pytest

from tests.season.consent import WAYS, Wanted, a_yes, wanted


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Answer YES, and your opponent wins. With NO the match goes on.", Wanted()),
        ("Answer YES to agree or NO to decline.\n\nYES\nNO\n", Wanted()),
        ("Un SÌ ti manda le istruzioni. Rispondi SÌ per farlo.", Wanted()),
        ("To do it, answer just YES\nRESIGN.", Wanted(named="RESIGN")),
        ("Answer:\n\n    YES STOP ALL\n\nWith NO nothing happens.", Wanted(named="STOP ALL")),
        ("Rispondi SÌ, PATTA per accettarla o NO per rifiutarla.", Wanted(named="PATTA")),
        ("A draw is offered: answer 105: YES to agree or 105: NO to decline.", Wanted(number="105")),
        ("We read:\n\n    105: YES\n\nAnswer YES to do it.", Wanted()),
        ("Bruno writes:\n\n  | Answer YES DRAW!\n\nAnswer YES to agree.", Wanted()),
        ("Answer YES.\n\n===== answer above this line =====\nYES NEVER", Wanted()),
    ],
)
def test_the_yes_of_a_letter(text: str, asked: Wanted) -> None:
    assert wanted(text) == asked


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("asked", [Wanted(), Wanted(named="RESIGN")])
def test_twelve_ways_that_differ(asked: Wanted, language: str) -> None:
    ways = dict(a_yes(asked, language, "Emma Clarke", Random(seed)) for seed in range(300))
    assert sorted(ways) == list(range(WAYS))
    assert len(set(ways.values())) == WAYS
    assert all(asked.named.lower() in " ".join(lines).lower() for lines in ways.values())
