"""The operator's command: a letter in, a line of JSON out, from the real pipeline in a database in memory."""

import json
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code

MAIL = Path(__file__).parents[2] / "mail"
pytestmark = pytest.mark.django_db

KEYS = [
    *(
        "file",
        "verdict",
        "commands",
        "asks",
        "automatic",
        "from",
        "recipients",
        "subject",
        "new_text",
        "chat",
    ),
    *("defects", "milliseconds"),
]
NO_MOVES = {
    *("absent_exchange_en.eml", "absent_it.eml", "calendar_it.eml", "receipt_en.eml"),
    *("quoted_only_en.eml", "overflowing_quote_en.eml"),  # the latter answers another letter
}


def read(*arguments):
    out = StringIO()
    call_command("read_letter", *map(str, arguments), stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def read_one(tmp_path, letter, *arguments):
    file = tmp_path / "letter.eml"
    file.write_bytes(letter if isinstance(letter, bytes) else letter.encode())
    [reading] = read(*arguments, file)
    assert list(reading) == KEYS
    return reading


def test_a_reply_with_a_move():
    [reading] = read("--game", "zertz", "--sent", MAIL / "turn_letter.en.txt", MAIL / "gmail_top_en.eml")

    assert reading.pop("milliseconds") > 0
    assert reading == {
        "file": str(MAIL / "gmail_top_en.eml"),
        "verdict": None,
        "commands": [{"verb": "MOVE", "text": "Nd2,b1"}],
        "asks": [],
        "automatic": None,
        "from": "alice@example.net",
        "recipients": ["m+aaaq4tq7vd2nzc5e6jlmwxy3fgb2kphs@pbem.example"],
        "subject": "Re: [105] Zèrtz: Alice - Bruno",
        "new_text": "Nd2,b1\n\nNice ring, I had not seen that coming!",
        "chat": "Nice ring, I had not seen that coming!",
        "defects": [],
    }


@pytest.mark.parametrize(("language", "move"), [("en", ("Nd2,b1", "Gc3,f3")), ("it", ("d4xd2",))])
def test_every_reply_in_the_folder_is_one_move_whatever_program_wrote_it(language, move):
    files = [path for path in sorted(MAIL.glob(f"*_{language}.eml")) if path.name not in NO_MOVES]
    sent = MAIL / f"turn_letter.{language}.txt"
    assert len(files) > 20
    for reading in read("--game", "zertz", "--language", language, "--sent", sent, *files):
        [command] = reading["commands"]
        assert command["verb"] == "MOVE", reading
        assert command["text"].casefold().replace(" ", "").replace("×", "x") in map(str.casefold, move), (
            reading
        )
        assert reading["verdict"] in (None, Code.ILLEGAL_MOVE)  # `d4xd2` needs a later position


def test_the_letter_answered_may_be_given_whole(tmp_path):
    ours = tmp_path / "ours.eml"
    ours.write_bytes(b"From: play@pbem.example\n\n" + (MAIL / "turn_letter.en.txt").read_bytes())
    reply = MAIL / "webmail_rewrapped_bottom_en.eml"

    assert read("--sent", ours, reply)[0]["new_text"] == "Nd2,b1"
    assert read("--sent", MAIL / "turn_letter.en.txt", reply)[0]["new_text"] == "Nd2,b1"


def test_without_a_game_nothing_is_a_move():
    [reading] = read(MAIL / "gmail_top_en.eml")
    assert (reading["verdict"], reading["commands"]) == (Code.NO_MOVE_FOUND, [])


def test_moves_are_read_in_the_language_asked_for():
    [english] = read("--game", "zertz", MAIL / "fine_it.eml")
    [italian] = read("--game", "zertz", "--language", "it", MAIL / "fine_it.eml")
    assert english["commands"] == italian["commands"] == [{"verb": "MOVE", "text": "d4xd2"}]


def test_one_line_for_each_letter_in_their_order_whatever_is_there(tmp_path):
    readings = read(MAIL / "bounce_qmail.eml", tmp_path, tmp_path / "nowhere", MAIL / "proton_en.eml")
    assert [reading["verdict"] for reading in readings] == [
        Code.BOUNCE,
        Code.UNREADABLE,
        Code.UNREADABLE,
        Code.NO_MOVE_FOUND,
    ]
    assert all(list(reading) == KEYS for reading in readings)


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO((MAIL / "calendar_it.eml").read_bytes())))
    [reading] = read("-")
    assert (reading["file"], reading["verdict"], reading["automatic"]) == (
        "-",
        Code.CALENDAR_ONLY,
        "calendar",
    )


@pytest.mark.parametrize(
    ("letter", "verdict"),
    [
        (b"", Code.NO_SENDER),
        (b"From: alice@example.net\n\n", Code.EMPTY),
        (b"From: alice@example.net\n\n" + b"a" * 10 * 1024 * 1024, Code.TOO_LARGE),
        (b"From: alice@example.net\n" + b"X-A: a\n" * 100_000 + b"\nNd2,b1", Code.TOO_COMPLEX),
        (b"From: alice@example.net\n\nNd2,b1\nGc3,f3", Code.SEVERAL_MOVES),
        (b"From: alice@example.net\nAuto-Submitted: auto-replied\n\nNd2,b1", Code.AUTO_REPLY),
        (b"From: alice@example.net\n\nHow are you?", None),  # the opponent hears it
        (b"From: alice@example.net\n\nd4xd2", Code.ILLEGAL_MOVE),
        (b"From: alice@example.net\n\n> Nd2,b1", Code.QUOTED_ONLY),
    ],
)
def test_verdicts(tmp_path, letter, verdict):
    reading = read_one(tmp_path, letter, "--game", "zertz")
    assert reading["verdict"] == verdict
    assert bool(reading["commands"]) == (verdict in (Code.SEVERAL_MOVES, Code.ILLEGAL_MOVE))


@pytest.mark.parametrize(
    ("headers", "acts"),
    [
        ("To: play@pbem.example\nSubject: GAMES", True),
        ("To: play@pbem.example\nSubject: Re: GAMES", False),
        ("To: play@pbem.example\nSubject: GAMES\nIn-Reply-To: <1@pbem.example>", False),
        ("To: m+aaaq4tq7vd2nzc5e6jlmwxy3fgb2kphs@pbem.example\nSubject: GAMES", False),
    ],
)
def test_the_subject_counts_only_in_a_new_letter_to_play(tmp_path, headers, acts):
    reading = read_one(tmp_path, f"From: alice@example.net\n{headers}\n\nGood morning", "--game", "loa")
    assert reading["commands"] == ([{"verb": "GAMES", "text": "GAMES"}] if acts else [])
    assert (reading["verdict"], reading["chat"]) == (None, "Good morning")


def test_what_is_asked_stands_apart_and_acts_only_after_a_yes(tmp_path):
    letter = "From: alice@example.net\nTo: play@pbem.example\n\nCHALLENGE Bruno zertz"
    reading = read_one(tmp_path, letter)
    assert (reading["verdict"], reading["asks"]) == (Code.CONFIRM_NEEDED, ["CHALLENGE Bruno zertz"])


def test_nothing_is_stored_and_nothing_leaves(tmp_path):
    read("--game", "zertz", "--sent", MAIL / "turn_letter.en.txt", MAIL / "gmail_top_en.eml")
    assert not any(model.objects.exists() for model in (InboundMail, OutboundMail, Match))


@pytest.mark.parametrize("arguments", [("--game", "tarot"), ("--sent", "/nowhere")])
def test_a_mistake_of_the_operator_is_said(arguments):
    with pytest.raises(CommandError, match=r"tarot|/nowhere"):
        read(*arguments, MAIL / "proton_en.eml")


@pytest.mark.parametrize(
    "octets", [b"\xed\xa0\x80\xe2\x80\xae\0Nd2,b1", b"\xff\xfe\xfd", b"=?utf-8?q?=ED=A0=80?="]
)
def test_the_line_is_always_text(tmp_path, octets):
    letter = b"From: " + octets + b" <alice@example.net>\nSubject: " + octets + b"\n\n" + octets
    reading = read_one(tmp_path, letter)
    json.dumps(reading, ensure_ascii=False).encode("utf-8")
