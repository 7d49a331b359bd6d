import pytest

from games.kit.words import euphonic

SAID = {
    "Tocca a(d) Ada": "Tocca ad Ada",
    "Tocca a(d) àgata.": "Tocca ad àgata.",
    "Tocca a(d) Emma": "Tocca a Emma",
    "Bruno e(d) Emma, Emma e(d) Ada": "Bruno ed Emma, Emma e Ada",
    "arriva a(d)\nada@example.org": "arriva ad\nada@example.org",
    "a(d)": "a",
    "a (d) casa": "a (d) casa",
}


@pytest.mark.parametrize("text", SAID)
def test_a_d_stands_between_equal_vowels_alone(text: str) -> None:
    assert euphonic(text) == SAID[text]
