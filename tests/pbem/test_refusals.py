"""Every reason to say no is complete: a code, somebody or nobody told, a sentence that helps."""

import re
from collections import Counter

import pytest
from django.utils.translation import override

from pbem.refusals import REFUSALS, Code, Refusal, Refused, Told, name_of, sentence

CODES = """
T01 T02 T03 T04 T05 T06 T07 T08
H01 H02 H03 H04 H05 H06 H07 H08 H09 H10
I01 I02 I03 I04 I05 I06 I07 I08 I09 I10
P01 P02 P03 P04 P05 P06 P07 P08 P09 P10 P11
A02 A03 A04 A05 A06 A07 A09 A10 A11 A12 A13 A30 A31
G01 G02 G03 G04 G06 G07 G08 G09 G10 G11 G12 G13 G14 G15 G16 G17 G18 G19
C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C23 C24
K01 K02 K03 K04 K05 K06 K07 K08 K10 K11 K12 K13 K14 K15 K16 K17 K18 K19 K20 K21
C11 C12 C13 C14 C15 C16 C17 C18 C19 C20 C21 C22 C25 C26 C27 C28 C29 C30 C31 C32 C33 C34 C35 C36 C37
C38 C39 C40
D05 D06 D07 D08 D09 D10 D11 D12 D13 D14 D15 D16 D17 D18 D30 D31
L01 L02 L03 L04 L05 L06
S01 S02 S03 S04
V01 V02 V03 V04 V05 V06 V07 V08 V09
O01 O02 O03 O04 O05 O06 O07 O08 O09
"""
EACH = pytest.mark.parametrize("refusal", REFUSALS.values(), ids=list(REFUSALS))


def test_no_code_was_lost_and_none_was_given_twice() -> None:
    assert sorted(REFUSALS) == sorted(CODES.split())
    names = Counter((refusal.code[0], refusal.name) for refusal in REFUSALS.values())
    assert set(names.values()) == {1}


@EACH
def test_a_sentence_says_what_was_wrong_and_what_to_do(refusal: Refusal) -> None:
    said = str(refusal.sentence)
    assert 20 < len(said) < 150
    assert said[0].isupper()
    assert "  " not in said
    if refusal.answered:
        assert said.endswith(".")
        assert len(re.split(r"[.;:,] ", said)) >= 2, "the reason and the way out"


@EACH
def test_only_a_relay_gets_a_reply_in_session(refusal: Refusal) -> None:
    assert (refusal.told is Told.RELAY) == bool(refusal.smtp) == refusal.code.startswith("T")
    if refusal.smtp:
        basic, enhanced, text = refusal.smtp.split(" ", 2)
        assert re.fullmatch(r"[45][0-9][0-9]", basic)
        assert re.fullmatch(basic[0] + r"\.[0-9]\.[0-9]{1,2}", enhanced)
        assert text[0].isupper()
        assert refusal.smtp.isascii()


def test_what_the_other_server_may_try_again_is_temporary() -> None:
    """A permanent reply loses the letter: only what will never change deserves one."""
    passing = {code for code, refusal in REFUSALS.items() if refusal.smtp.startswith("4")}
    assert passing == {"T04", "T05", "T06", "T08"}


def test_doubts_about_who_wrote_are_told_to_the_registered_address_only() -> None:
    told = {code: refusal.told for code, refusal in REFUSALS.items() if code.startswith("A")}
    assert told.pop("A13") is Told.NOBODY, "he hears C05"
    assert told.pop("A31") is Told.SENDER, "nobody is registered there"
    assert set(told.values()) == {Told.PLAYER}


def test_automatic_mail_is_never_answered() -> None:
    assert not any(refusal.answered for code, refusal in REFUSALS.items() if code[0] in "IO")


def test_a_refusal_carries_what_its_letter_shows() -> None:
    refused = Refused("G06", text="b1-b9", objection=None, nearest=())
    assert refused.facts == {"text": "b1-b9"}
    assert "illegal_move" in str(refused)
    assert sentence(refused.code).startswith("That move is not legal")


def test_an_unknown_code_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Refused("X99")


def test_every_code_has_a_name_in_each_language() -> None:
    for language, names in {
        "en": ("no move found", "expired"),
        "it": ("nessuna mossa trovata", "scaduta"),
    }.items():
        with override(language):
            assert (name_of(Code.NO_MOVE_FOUND), name_of(Code.DELIVERY_EXPIRED)) == names
            assert all(name_of(code) for code in Code)
    with override("en"):
        assert all(name_of(code) == code.word.replace("_", " ") for code in Code)
