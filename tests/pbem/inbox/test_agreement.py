"""YES and NO in other words: a line says one of them with all that it says, or neither."""

import pytest

from pbem.inbox.commands.agreement import agrees


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        (
            True,
            "Yes, let's do it! / yes lets / yep, you're on / sì, buona partita! / Sì, nessun problema. / ok, grazie",
        ),
        (False, "no thanks, too early! / no, never mind / no grazie, gioco ancora / Lascia stare."),
        (
            None,
            "good luck / No problem / Nessun problema! / Yes, but I play White / buona partita! / let's / yes?",
        ),
    ],
)
def test_a_line_says_one_of_them_or_neither(agreed: bool | None, lines: str) -> None:
    assert {line: agrees(line) for line in lines.split(" / ")} == dict.fromkeys(lines.split(" / "), agreed)
