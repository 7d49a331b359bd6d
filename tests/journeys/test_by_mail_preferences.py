"""What players choose with SET and IMPOSTA, and what their next letters look like: bytes in, bytes out."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from urllib.parse import quote

import pytest
from PIL import Image

from games.kit.drawing import THEMES
from pbem.inbox.commands.topics import FIRST, TOPICS
from pbem.inbox.models import OK
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Delivery, Post, registered

MOST_OF_A_SHORT_LETTER = 5000


def picture(letter: Delivery) -> Image.Image | None:
    parts = [part for part in letter.message.walk() if part.get_content_type() == "image/png"]
    return Image.open(BytesIO(bytes(parts[0].get_payload(decode=True)))) if parts else None


def is_dark(letter: Delivery) -> bool:
    shown = picture(letter)
    assert shown is not None
    paper = THEMES["dark"].paper
    return shown.convert("RGB").getpixel((0, 0)) == THEMES["dark"].rgb("paper") and paper in letter.html


def is_large(letter: Delivery) -> bool:
    return picture(letter) is not None and 'width="640"' in letter.html


def is_text(letter: Delivery) -> bool:
    return letter.html == "" and picture(letter) is None and letter.message.get_content_type() == "text/plain"


def is_short(letter: Delivery) -> bool:
    return is_text(letter) and len(letter.raw) <= MOST_OF_A_SHORT_LETTER


# What Alice writes, what Bruno writes, and what is true of the board that SHOW brings then.
SEEN: tuple[tuple[str, str, Callable[[Delivery], bool]], ...] = (
    ("SET THEME dark", "IMPOSTA TEMA scuro", is_dark),
    ("SET SIZE large", "IMPOSTA GRANDEZZA grande", is_large),
    ("SET LETTERS text", "IMPOSTA LETTERE testo", is_text),
    ("SET BANDWIDTH low", "IMPOSTA LINEA lenta", is_short),
    ("SET COORDINATES gipf", "IMPOSTA COORDINATE gipf", lambda letter: "A1" in letter.text.upper()),
)


@pytest.mark.parametrize(("english", "italian", "seen"), SEEN, ids=[line for line, _, _ in SEEN])
def test_the_next_board_looks_as_it_was_wished(
    post: Post,
    zertz: Match,
    alice: Correspondent,
    bruno: Correspondent,
    english: str,
    italian: str,
    seen: Callable[[Delivery], bool],
) -> None:
    for who, wish, show in ((alice, english, "SHOW"), (bruno, italian, "MOSTRA")):
        assert who.answers(who.letter, wish).verdict == OK
        [answer] = who.reads()
        assert answer.kind == "preferences"
        verb, name, value = wish.split()
        assert f"{name}: {value}" in answer.text
        was = answer.text.split(f"{verb} {name} ")[-1].split()[0]
        assert was != value
        who.writes(show)
        assert seen(who.letter)
        if seen is is_dark:
            who.writes({"SHOW": "HELP loa", "MOSTRA": "AIUTO loa"}[show])
            assert seen(who.letter)
        who.writes(f"{verb} {name} {was}")
        who.reads()
        who.writes(show)
        assert not is_text(who.letter)
    assert Match.objects.get(pk=zertz.pk).ply == 0


@pytest.mark.parametrize("everything", [False, True])
def test_alone_set_lists_the_topics_with_their_values(
    alice: Correspondent, bruno: Correspondent, everything: bool
) -> None:
    alice.writes("SET ALL" if everything else "SET", subject="")
    bruno.writes("", subject="Imposta tutto" if everything else "Imposta")
    for who, language in ((alice, "en"), (bruno, "it")):
        assert who.letter.kind == "preferences"
        for topic in TOPICS:
            told = everything or topic.key in FIRST
            assert (f"    {topic.name(language)}: " in who.letter.text) == told
            assert (
                f"<dt>{topic.name(language)}</dt>" in re.sub("<dt[^>]*>", "<dt>", who.letter.html)
            ) == told
        lines = who.letter.text.splitlines()
        assert max(len(line) for line in lines if "http" not in line) <= 72
        body = who.letter.text.partition("=====")[0].strip().splitlines()
        assert len(body) <= (40 if everything else 24)
        assert ("SET ALL" in who.letter.text or "IMPOSTA TUTTO" in who.letter.text) != everything
    for who, theme, dark in ((alice, "SET THEME", "dark"), (bruno, "IMPOSTA TEMA", "scuro")):
        tap = f"body={quote(f'{theme} {dark}', safe='')}"
        assert 'class="chip" href="mailto:' in who.letter.html
        assert tap in who.letter.html
        assert who.letter.html.count('class="chip on"') == (len(TOPICS) if everything else len(FIRST))
    assert "CADENCE: move" in alice.letter.text
    assert "CADENZA: mossa" in bruno.letter.text


def test_whoever_changes_the_language_is_answered_in_it(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("SET LANGUAGE italian")
    bruno.writes("IMPOSTA LINGUA inglese")
    assert "LINGUA: italiano" in alice.letter.text
    assert "IMPOSTA LINGUA inglese" in alice.letter.text
    assert "LANGUAGE: english" in bruno.letter.text


def test_typos_and_impossible_values_are_answered_with_what_there_is(
    alice: Correspondent, bruno: Correspondent
) -> None:
    for who, line, code, hint in (
        (alice, "SET TEHME dark", Code.NO_SUCH_TOPIC, "SET THEME"),
        (bruno, "IMPOSTA GRANDEZA grande", Code.NO_SUCH_TOPIC, "IMPOSTA GRANDEZZA"),
        (alice, "SET THEME mauve", Code.NO_SUCH_VALUE, "SET THEME light | dark | print"),
        (bruno, "IMPOSTA FUSO Europe/Rme", Code.NO_SUCH_VALUE, "IMPOSTA FUSO Europe/Rome"),
    ):
        assert who.writes(line).verdict == code
        assert hint in who.letter.text
    assert not Player.objects.exclude(theme="default").exists()


def test_hours_can_be_changed_once_in_thirty_days(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    for who, weekend, other, zone in (
        (alice, "SET WEEKEND sat sun", "SET NIGHT 22-7", "SET ZONE Tokyo"),
        (bruno, "IMPOSTA FINESETTIMANA sabato domenica", "IMPOSTA NOTTE 22-7", "IMPOSTA FUSO Tokyo"),
    ):
        assert who.writes(zone).verdict == OK  # as long as the clocks never rest
        assert who.writes(weekend).verdict == OK
        post.wait(hours=20)
        assert who.writes(other).verdict == OK  # on second thoughts
        post.wait(days=28)
        assert who.writes(zone.replace("Tokyo", "Lima")).verdict == Code.CALENDAR_KEPT
        assert who.writes(weekend).verdict == OK  # as it is
        post.wait(days=2)
        assert who.writes(zone.replace("Tokyo", "Lima")).verdict == OK
        assert (who.player.free_weekdays, who.player.zone) == ("56", "America/Lima")


def test_a_clock_that_runs_goes_on_by_the_new_hours(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("CHALLENGE Bruno loa first 3d/move")
    bruno.answers(bruno.letter, "SÌ")
    alice.writes("CHALLENGE Bruno loa second 3d/move")
    bruno.answers(bruno.letter, "SÌ")
    mine, theirs = Match.objects.order_by("pk")
    assert mine.deadline == theirs.deadline == post.now + timedelta(days=3)  # Thursday, 11:00 in Rome
    alice.writes("SET WEEKEND tue wed")
    bruno.writes("IMPOSTA FINESETTIMANA martedì")
    post.wait(hours=1)
    bruno.writes("IMPOSTA NOTTE 22-8")
    mine.refresh_from_db(), theirs.refresh_from_db()
    assert mine.deadline == MORNING + timedelta(days=5)
    # On Monday 11 hours count, on Tuesday none, then 14 a day, and the last 5 on Sunday until 13:00 in Rome.
    assert theirs.deadline == datetime(2026, 5, 10, 11, 0, tzinfo=UTC)


def test_hours_that_cannot_be_are_explained(alice: Correspondent, bruno: Correspondent) -> None:
    for who, line, code, hint in (
        (alice, "SET NIGHT 18-7", Code.BAD_NIGHT, "SET NIGHT 22-7 | off"),
        (bruno, "IMPOSTA RIPOSO ven sab dom", Code.BAD_WEEKEND, "IMPOSTA FINESETTIMANA sabato domenica | no"),
    ):
        assert who.writes(line).verdict == code
        assert hint in who.letter.text


def test_zone_night_calendar_links_and_receipts_are_kept(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    assert "36 legal moves" in alice.letter.text
    alice.writes("SET ZONE new york\nSET NIGHT 22-7\nSET CALENDAR on\nSET LINKS off\nSET RECEIPTS off")
    bruno.writes(
        "IMPOSTA FUSO Londra\nIMPOSTA NOTTE 23-6\nIMPOSTA CALENDARIO sì\nIMPOSTA COLLEGAMENTI no\n"
        "IMPOSTA RICEVUTE no"
    )
    assert alice.player.zone == "America/New_York"
    assert bruno.player.zone == "Europe/London"
    for who in (alice, bruno):
        player = who.player
        assert player.night is not None
        assert (player.calendar_files, player.move_links, player.receipts) == (True, False, False)
        assert len(who.reads()) == 1  # one answer to five lines
    alice.writes(f"MOVE {loa.pk} b1-b3")
    assert (alice.kinds(), bruno.kinds()) == ([], ["turn"])
    assert "mosse possibili" not in bruno.letter.text
    assert "mailto:m" not in bruno.letter.html


def test_the_subject_says_whose_turn_it_is_to_who_asked_for_it(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    constant, thread = alice.letter.subject, alice.letter.message["References"]
    assert constant == f"[{loa.pk}] Lines of Action: Alice - Bruno"
    alice.writes("SET SUBJECT status")
    alice.writes(f"SHOW {loa.pk}")
    assert alice.letter.subject == f"Your turn: Lines of Action with Bruno [{loa.pk}]"
    bruno.writes("IMPOSTA OGGETTO stato")
    alice.answers(alice.letter, "b1-b3")
    assert alice.letter.subject == f"Bruno to move: Lines of Action with Bruno [{loa.pk}]"
    assert bruno.letter.subject == f"Tocca a te: Lines of Action con Alice [{loa.pk}]"
    alice.writes("SET SUBJECT constant")
    bruno.answers(bruno.letter, "a2-c2")
    assert bruno.letter.subject == f"Tocca ad Alice: Lines of Action con Alice [{loa.pk}]"
    assert alice.letter.subject == constant
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    assert (alice.letter.kind, alice.letter.subject) == ("result", constant)
    assert bruno.letter.subject == f"Hai vinto: Lines of Action con Alice [{loa.pk}]"
    for who in (alice, bruno):
        assert {letter.message["References"] for letter in who.letters if letter.message["References"]} == {
            thread
        }


def test_charlie_hears_nothing_of_it(alice: Correspondent, charlie: Correspondent) -> None:
    alice.writes("SET THEME dark")
    assert charlie.letters == []
    assert charlie.player.theme == "default"


RECEIPTS = {
    "en": (
        "SET THEME dark",
        "SET CADENCE daily",
        "NOTE {match} keep the edge",
        "AWAY 10 May",
        "START ALL",
        "STOP NEWS",
    ),
    "it": (
        "IMPOSTA TEMA scuro",
        "IMPOSTA CADENZA giornaliera",
        "NOTA {match} tieni il bordo",
        "ASSENTE 10 maggio",
        "RIPRENDO TUTTO",
        "BASTA NOTIZIE",
    ),
}


@pytest.mark.parametrize("language", RECEIPTS)
def test_a_receipt_is_twelve_lines_at_most(post: Post, language: str) -> None:
    """What says that something is as it was asked for; the lines at the end are those of each letter."""
    carla, other = registered(post, "Carla", language), registered(post, "Doris", language)
    carla.writes({"en": "CHALLENGE Doris loa", "it": "SFIDA Doris loa"}[language])
    other.answers(other.letter, "OK")
    carla.reads()
    match = Match.objects.get()
    for line in RECEIPTS[language]:
        assert carla.writes(line.format(match=match.pk)).verdict == "ok", line
        [receipt] = carla.reads()
        said = receipt.text.partition("=====")[0].strip().splitlines()
        assert len(said) <= 12, receipt.text
