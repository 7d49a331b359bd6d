"""YES and NO in other words: a line says one of them with all that it says, or neither."""

import pytest

from pbem.inbox.commands.agreement import agrees, answer_in, answers


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        (
            True,
            "Yes, let's do it! / yes lets / yep, you're on / sì, buona partita! / "
            "Sì, nessun problema. / ok, grazie",
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


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        (
            True,
            "y / Ok dai, ci sto! ma vincerò io / Sure, I'm in! But I'll win / Ok ho capito, gioco! / sì gioca / "
            "Ma certo! Ci provo / Yes, it's me / yes please do / sì, sono io / sì sì, confermo / "
            "Yes, that was me, thanks.",
        ),
        (
            False,
            "no wait, I changed my mind / No dai, sto vincendo! giochiamo ancora / n / "
            "No, only the challenge please / no way, I'm just getting started! / "
            "No I'd rather go on with it / "
            "No thanks Nora, play on! / no, ho cambiato idea / No, mi diverto troppo / "
            "No grazie Nora, gioca pure!",
        ),
        (
            None,
            "Yes, but later / I'll win / Ok, but not today, I'll win / sì, ma solo domani / "
            "yes if you go first / No problem at all / No, that's fine / "
            "No, b8-b6 was not forced / No, wait, yes! / No, non mi dispiace, accetto / "
            "No one told me / No, why? / "
            "Yes, what a goal that was / Sì, bel tempo qui / No worries Nora, play on / No, you are right",
        ),
    ],
)
def test_a_reason_turns_no_answer(agreed: bool | None, lines: str) -> None:
    """Of a yes only what says the same as that it is one."""
    assert {line: answers(line) for line in lines.split(" / ")} == dict.fromkeys(lines.split(" / "), agreed)


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        (
            True,
            "Yes, I really want to resign / Sì, voglio abbandonare / yes I do want to resign / Yes that's the one / "
            "yes mate / Yes, sadly. / yes, thats what I meant / Sì, proprio lui / Sì giocala",
        ),
        (None, "Yes, a draw / Yes, I want the board / Great move! / Yes, but not yet / Good luck!"),
    ],
)
def test_a_yes_to_our_question_may_repeat_it(agreed: bool | None, lines: str) -> None:
    about = ["RESIGN", "ABBANDONO"]
    assert {line: answers(line, about) for line in lines.split(" / ")} == dict.fromkeys(
        lines.split(" / "), agreed
    )


def test_only_the_first_line_has_a_reason() -> None:
    said = answer_in(["Hello,", "", "No way, I like it here!", "Not a chance.", "How is Milan?"])
    assert (said.agreed, said.line) == (False, "No way, I like it here!")
    assert said.rest == ("Hello,", "", "No way, I like it here!", "How is Milan?")
    assert answer_in(["What a week.", "No, I have not been there."]).agreed is None
    assert answer_in(["No, not now.", "Yes please."]).agreed is None
