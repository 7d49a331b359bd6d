"""Two versions are held side by side by what their journeys write, and not where one of them has not played."""

from __future__ import annotations

from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

import pytest

from tests.correspondence import Journey, Played, found, keyed, objections, shown, write
from tests.mail_fixtures import Mailboxes

ONE, OTHER, THIRD = (Journey(f"tests/journeys/test_{name}.py::test_yes[{name}]", "passed") for name in "abc")


def test_a_letter_is_its_headers_its_words_and_the_hash_of_each_file() -> None:
    letter = EmailMessage()
    letter["Subject"] = "Move 1"
    letter.set_content("È il tuo turno.\n", cte="base64")
    letter.add_attachment(b"\x89PNG", maintype="image", subtype="png")
    lines = shown(letter.as_bytes()).splitlines()
    assert "Subject: Move 1" in lines
    assert "È il tuo turno." in lines
    assert lines[-1] == sha256(b"\x89PNG").hexdigest()


def test_a_journey_that_was_moved_has_the_key_that_it_had() -> None:
    before, after = keyed([ONE], [Journey("tests/journeys/yes/test_all.py::test_yes[a]", "passed")])
    assert [*before] == [*after] == ["test_yes[a]"]


def test_journeys_of_one_name_are_told_apart_by_their_files_in_both_trees() -> None:
    same = [Journey(f"tests/journeys/test_{name}.py::test_no[x::y/z.py]", "passed") for name in "ab"]
    before, after = keyed(same, same[:1])
    assert [*before] == ["test_a::test_no[x::y/z.py]", "test_b::test_no[x::y/z.py]"]
    assert [*after] == ["test_a::test_no[x::y/z.py]"]


def played(*journeys: Journey, status: int = 0) -> Played:
    (by_key,) = keyed(journeys)
    return Played(by_key, status)


FAILED, SKIPPED = (Journey(OTHER.node, outcome) for outcome in ("failed", "skipped"))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (played(ONE, OTHER), played(ONE, OTHER), []),
        (played(ONE), played(ONE, OTHER), []),
        (played(ONE, OTHER), played(ONE, THIRD), []),  # the letters say so
        (played(ONE, SKIPPED), played(ONE), []),
        (played(ONE, FAILED, status=1), played(ONE, OTHER), ["test_yes[b] fails there"]),
        (played(ONE, OTHER), played(ONE, FAILED, status=1), ["test_yes[b] fails here"]),
        (played(ONE), played(ONE, status=2), ["pytest ends with 2 here"]),
        (
            played(ONE, OTHER),
            played(ONE, SKIPPED),
            ["2 journeys ran there, 1 here", "test_yes[b] ran there alone"],
        ),
        (
            played(status=5),
            played(status=5),
            ["pytest ends with 5 there", "pytest ends with 5 here"],
        ),
    ],
)
def test_what_makes_it_red(before: Played, after: Played, said: list[str]) -> None:
    assert list(objections(before, after)) == said


def test_each_journey_with_letters_has_a_file_however_long_its_name(tmp_path: Path) -> None:
    letters = {
        name: Journey(f"test_it.py::test_it[{name}]", "passed", ["one", "other"])
        for name in ("è" * 300, "è" * 299, "a/b", "a b")
    }
    write(tmp_path / "kept", {**letters, "silent": ONE})
    kept = list((tmp_path / "kept").iterdir())
    assert [path.read_text() for path in kept] == ["one\n\nother"] * len(letters)


def test_a_helper_is_found_under_the_name_that_it_has() -> None:
    assert (
        found("tests.no.such.Thing", "tests.mail_fixtures.Post0ffice", "tests.mail_fixtures.Mailboxes")
        is Mailboxes
    )
    with pytest.raises(pytest.UsageError, match=r"None of these is here: tests\.posts\.Mailboxes, os\.no$"):
        found("tests.posts.Mailboxes", "os.no")
