"""Tournaments at the desk: begun, looked at, written to, downloaded, in both languages."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from pbem.admin.models import AuditEntry
from pbem.competitions.models import Competition
from pbem.matches.models import Announcement, Match, Tournament
from pbem.matches.services import resign
from pbem.outbox.models import OutboundMail
from pbem.players.blocks import refuse
from pbem.players.models import Player
from pbem.players.services import register
from tests.examples import first
from tests.mail_fixtures import MORNING
from tests.pbem.competitions.played import opened

ADD = "/admin/contests/competition/add/?kind=pairings"
ROBIN = "/admin/contests/competition/add/?kind=single"
IMPORT = "/admin/matches/match/import/"
COMMON = {
    "name": "Autumn cup",
    "game": "loa",
    "clock": "10d + 36h <= 10d",
    "policy": "claim",
    "absence": "on",
}


@pytest.fixture
def four(alice: Player, bruno: Player) -> list[Player]:
    more = [register(name=n, email=f"{n}@example.org", language="en", now=MORNING) for n in ("Dora", "Emil")]
    return [alice, bruno, *more]


@pytest.fixture
def robin(desk: Client, four: list[Player]) -> Tournament:
    """Round by round."""
    sent = {"players": "Alice\nbruno@example.it, Dora\nEmil", "system": "single", "begin": "first"}
    begin(desk, ROBIN, **sent)
    return Tournament.objects.get()


def begin(desk: Client, where: str, **sent: Any) -> Any:
    """After a look at what will follow."""
    shown = desk.post(where, COMMON | sent)
    assert not AuditEntry.objects.filter(named=(COMMON | sent)["name"]).exists()
    again = {**shown.context["adminform"].form.data, "sure": shown.context["sure"]}
    return desk.post(where, {name: value for name, value in again.items() if value is not None})


def page(tournament: Tournament) -> str:
    return f"/admin/matches/tournament/{tournament.pk}/change/"


def press(desk: Client, tournament: Tournament, verb: str, **answers: Any) -> Any:
    return desk.post(f"/admin/matches/tournament/{tournament.pk}/press/{verb}/", answers)


def errors(response: Any, field: str) -> list[str]:
    return list(response.context["adminform"].errors[field])


def test_a_pasted_list_begins_a_tournament(desk: Client, four: list[Player]) -> None:
    assert desk.get(f"{ADD}&game=loa").status_code == 200
    response = begin(desk, ADD, pairings="Alice;Bruno\nDora;Emil;zertz:+11")
    tournament = Tournament.objects.get()
    assert response.headers["location"] == page(tournament)
    assert [(m.players, m.game_name) for m in tournament.matches.order_by("pk")] == [
        (("Alice", "Bruno"), "loa"),
        (("Dora", "Emil"), "zertz:+11"),
    ]
    terms = tournament.agreed
    assert (terms.clock, terms.policy, terms.absence, terms.automatic) == (
        "10d+36h<=10d",
        "claim",
        True,
        False,
    )
    assert Match.objects.filter(deadline__isnull=False).count() == 2
    assert OutboundMail.objects.filter(kind="turn").count() == 4
    assert AuditEntry.objects.get().named == "Autumn cup"


def test_a_tournament_has_another_number_than_its_competition(desk: Client, four: list[Player]) -> None:
    opened("league").delete()
    begin(desk, ADD, pairings="Alice;Bruno")
    assert Tournament.objects.get().pk != Competition.objects.get().pk
    assert AuditEntry.objects.get().named == "Autumn cup"


def test_what_begins_is_shown_first(desk: Client, four: list[Player], language: str) -> None:
    """And begins as it was shown: after a change it is shown anew."""
    sent = COMMON | {"players": "Alice, Bruno, Dora, Emil", "system": "single", "begin": "all"}
    shown = desk.post(ROBIN, sent)
    said = shown.content.decode()
    assert {"en": "6 matches in 3 rounds", "it": "6 partite in 3 turni"}[language] in said
    assert "&amp;#" not in said
    assert not Tournament.objects.exists()
    sure = {"sure": shown.context["sure"]}
    assert desk.post(ROBIN, sent | sure | {"players": "Alice, Bruno, Dora"}).status_code == 200
    assert desk.post(ROBIN, sent | sure | {"clock": "1d/move"}).status_code == 200
    assert not Tournament.objects.exists()
    assert desk.post(ROBIN, sent | sure).status_code == 302
    first = [match.players for match in Match.objects.filter(round=1).order_by("pk")]
    assert "; ".join(f"{one} – {other}" for one, other in first) in said


def test_the_organiser_is_told_who_does_not_want_to_meet_whom(
    desk: Client, four: list[Player], language: str
) -> None:
    """Before, while nobody has moved, and where something begins by itself."""
    alice, bruno, dora, emil = four
    refuse(bruno, alice, blocked=True, now=MORNING)
    refuse(dora, emil, game="zertz", now=MORNING)
    told = {"en": "takes no challenges from the other", "it": "non accetta sfide dell"}[language]
    listed = {"pairings": "Alice,Dora\nDora,Emil"}
    assert told not in desk.post(ADD, COMMON | listed).content.decode()
    shown = desk.post(ADD, COMMON | {"pairings": "Alice,Bruno\nDora,Emil"})
    assert told in shown.content.decode()
    assert "Bruno – Alice." in shown.content.decode()
    assert "Dora – Emil." in desk.post(ADD, COMMON | listed | {"game": "zertz"}).content.decode()
    begin(desk, ADD, pairings="Alice,Bruno\nDora,Emil")
    assert told in desk.get(page(Tournament.objects.get())).content.decode()
    waiting = "/admin/matches/match/?wish=against"
    assert [match.players for match in desk.get(waiting).context["cl"].result_list] == [("Alice", "Bruno")]
    assert waiting.replace("&", "&amp;") in desk.get("/admin/").content.decode()
    Match.objects.update(ply=2)
    assert list(desk.get(waiting).context["cl"].result_list) == []


def test_a_list_comes_in_a_file_too(desk: Client, four: list[Player]) -> None:
    sheet = SimpleUploadedFile("pairings.csv", "\ufefffirst,second\r\nAlice,Bruno\r\n".encode())
    assert begin(desk, ADD, sheet=sheet).status_code == 302
    assert Match.objects.get().players == ("Alice", "Bruno")


def test_every_line_that_is_wrong_is_named_and_nothing_begins(
    desk: Client, four: list[Player], language: str
) -> None:
    response = desk.post(ADD, COMMON | {"pairings": "Alice,Bruno\nAlise,Dora\nDora\nAlice,Bruno"})
    wrong = errors(response, "pairings")
    assert [line.split(":")[0] for line in wrong] == ["2", "3", "4"]
    assert "Alice" in wrong[0]  # whom Alise may mean
    assert {"en": "is not a pairing", "it": "non è un abbinamento"}[language] in wrong[1]
    assert errors(desk.post(ADD, COMMON | {"pairings": " "}), "pairings")
    assert errors(desk.post(ADD, COMMON | {"pairings": "Alice,Bruno", "clock": "soon"}), "clock")
    assert not Tournament.objects.exists()
    assert not OutboundMail.objects.exists()


def test_a_name_is_taken_once(desk: Client, robin: Tournament) -> None:
    response = desk.post(ADD, COMMON | {"pairings": "Alice,Bruno"})
    assert errors(response, "name")


def test_a_round_robin_goes_on_round_by_round(desk: Client, robin: Tournament) -> None:
    assert robin.matches.count() == 2
    html = desk.get(page(robin)).content.decode()
    assert "press/begin-2/" in html
    assert html.count("Emil") >= 4  # in the table, and in each round
    assert press(desk, robin, "begin-2").status_code == 302
    assert press(desk, robin, "begin-2").status_code == 404  # a second click
    assert press(desk, robin, "begin-3").status_code == 302
    assert robin.matches.count() == 6
    assert "press/begin-" not in desk.get(page(robin)).content.decode()


def test_the_organiser_says_whether_matches_are_rated(desk: Client, four: list[Player]) -> None:
    for name, rated in (("Rated cup", {"rated": "on"}), ("Friendly cup", {})):
        form = {"players": "Alice, Bruno", "system": "single", "begin": "all", "name": name}
        assert begin(desk, ROBIN, **form, **rated).status_code == 302
        assert Match.objects.latest("pk").agreed.rated is bool(rated)


@pytest.mark.parametrize(
    "players",
    ["", "Alice", "Alice\nAlice", "Alice\nNobody"],
    ids=["nobody", "one", "one twice", "a stranger"],
)
def test_a_round_robin_wants_two_who_are_known(desk: Client, four: list[Player], players: str) -> None:
    response = desk.post(ROBIN, COMMON | {"players": players, "system": "single", "begin": "all"})
    assert errors(response, "players")
    assert not Tournament.objects.exists()


def test_the_page_has_the_table_of_the_moment(desk: Client, robin: Tournament) -> None:
    match = robin.matches.order_by("pk")[0]
    resign(match.seated[1], now=MORNING)
    winner = match.players[0]
    html = desk.get(page(robin)).content.decode()
    table = html[html.index("desk-cross") : html.index("</table>", html.index("desk-cross"))]
    assert table.index(winner) < table.index(match.players[1])
    assert f'<a href="/admin/matches/match/{match.pk}/change/">1</a>' in table
    assert f'<a href="/admin/matches/match/{match.pk}/change/">0</a>' in table


def test_tables_matches_and_records_are_downloaded(desk: Client, robin: Tournament, language: str) -> None:
    table = press(desk, robin, "table-csv")
    assert table.headers["content-disposition"] == 'attachment; filename="autumn-cup-table.csv"'
    assert {"en": "Points", "it": "Punti"}[language] in table.content.decode()
    matches = press(desk, robin, "matches-csv").content.decode().splitlines()
    assert len(matches) == 3
    for verb, points in (("table-ods", "0"), ("matches-ods", "loa")):
        sheet = press(desk, robin, verb)
        assert sheet.headers["content-type"] == "application/vnd.oasis.opendocument.spreadsheet"
        with ZipFile(BytesIO(sheet.content)) as folder:
            assert folder.infolist()[0].filename == "mimetype"
            assert f"<text:p>{points}</text:p>" in folder.read("content.xml").decode()
    records = [json.loads(line) for line in press(desk, robin, "records-jsonl").content.decode().splitlines()]
    assert [record["game"] for record in records] == ["loa", "loa"]
    assert press(desk, robin, "records-txt").content.decode().count("[Game ") == 2


def test_everybody_is_written_to(desk: Client, robin: Tournament) -> None:
    empty = press(desk, robin, "announce", en=" ", it="")
    assert empty.context["adminform"].form.non_field_errors()
    words = {"en": "Good luck.", "it": "Buona fortuna.", "standings": "on"}
    seen = press(desk, robin, "announce", **words)
    assert not OutboundMail.objects.filter(kind="announcement").exists(), "it was only shown"
    press(desk, robin, "announce", **words, sure=seen.context["sure"])
    letters = OutboundMail.objects.filter(kind="announcement")
    assert sorted(letter.player.name for letter in letters if letter.player) == [
        "Alice",
        "Bruno",
        "Dora",
        "Emil",
    ]
    assert Announcement.objects.get().words == {"en": "Good luck.", "it": "Buona fortuna."}
    html = desk.get(page(robin)).content.decode()
    assert "Good luck." in html or "Buona fortuna." in html


def test_more_pairings_are_one_more_round(desk: Client, four: list[Player]) -> None:
    begin(desk, ADD, pairings="Alice,Bruno")
    tournament = Tournament.objects.get()
    wrong = press(desk, tournament, "pairings-2", pairings="Alice,Nobody")
    assert errors(wrong, "pairings")
    more = {"pairings": "Alice,Dora\nEmil,Bruno"}
    shown = press(desk, tournament, "pairings-2", **more)
    assert "Alice – Dora\nEmil – Bruno" in shown.content.decode()
    assert tournament.matches.count() == 1
    assert press(desk, tournament, "pairings-2", **more, sure="x").status_code == 200
    assert press(desk, tournament, "pairings-2", **more, sure=shown.context["sure"]).status_code == 302
    assert sorted(tournament.matches.values_list("round", flat=True)) == [1, 2, 2]


def test_records_are_imported(desk: Client, robin: Tournament, language: str) -> None:
    records = press(desk, robin, "records-jsonl").content.decode()
    again = desk.post(IMPORT, {"records": records})
    assert [line.split(":")[0] for line in errors(again, "records")] == ["1", "2"]
    Match.objects.all().delete()
    sent = SimpleUploadedFile("records.jsonl", records.encode())
    assert desk.post(IMPORT, {"file": sent, "tournament": robin.pk}).status_code == 302
    assert robin.matches.count() == 2
    assert AuditEntry.objects.filter(kind="matches.match").count() == 2


RECORD = {
    "layout": "pbem-record 1",
    **{
        "game": "loa",
        "rules": "1",
        "first": "Alice",
        "second": "Bruno",
        "result": "1-0",
        "reason": "resigned",
    },
    "moves": ["b1-b3"],
}


@pytest.mark.parametrize(
    "records",
    first(
        [
            *(
                "[" * 100_000,
                '{"a":' * 100_000,
                '[Game "' + "[" * 100_000 + '"]\n\n',
                "{",
                "{}",
                "\0",
                "\ud7ff",
            ),
            *(
                json.dumps(RECORD | {name: value})
                for name in (
                    "game",
                    "setup",
                    "first",
                    "second",
                    "result",
                    "reason",
                    "remarks",
                    "started",
                    "rules",
                )
                for value in ("\ud800", "\0", "", "9" * 5000, "a\nb", "0001-01-01", "9999-12-31")
            ),
            *(json.dumps(RECORD | {"moves": [move]}) for move in ("\ud800", "\0", "", "z", "b1-b3@")),
            *(
                f'[Game "loa"]\n[Rules "1"]\n[Result "*"]\n[First "{name}"]\n\n1. b1-b3'
                for name in ("\\ud800", "\\u0000")
            ),
        ],
        quick=20,
    ),
)
def test_what_is_no_record_is_said_to_be_none(desk: Client, four: list[Player], records: str) -> None:
    """Each is a mistake on the page, or a match whose page can be looked at."""
    desk.raise_request_exception = False
    answer = desk.post(IMPORT, {"records": records})
    assert answer.status_code in (200, 302)
    assert (answer.status_code == 302) == Match.objects.exists()
    for match in Match.objects.all():
        assert desk.get(f"/admin/matches/match/{match.pk}/change/").status_code == 200
        assert desk.get("/admin/matches/match/").status_code == 200


@pytest.mark.parametrize("records", ["[" * 100_000, "\0", "\ud7ff", json.dumps(RECORD | {"game": "\ud800"})])
def test_a_file_that_is_no_record_is_said_to_be_none(desk: Client, four: list[Player], records: str) -> None:
    """A field leaves out what a file may hold."""
    desk.raise_request_exception = False
    file = SimpleUploadedFile("records.json", records.encode("utf-8", "surrogatepass"))
    assert desk.post(IMPORT, {"file": file}).status_code == 200
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "\ud800,\0", "\0", "Alice,Bruno,loa:" + "[" * 5000, "a" * 100_000]
)
def test_what_is_no_list_of_players_is_said_to_be_none(desk: Client, four: list[Player], text: str) -> None:
    desk.raise_request_exception = False
    sheet = SimpleUploadedFile("pairings.csv", text.encode("utf-8", "surrogatepass"))
    text = text.encode("utf-8", "replace").decode()
    players = {"players": text, "system": "single", "begin": "first"}
    for where, sent in (
        (ADD, {"pairings": text}),
        (ADD, {"sheet": sheet}),
        (ROBIN, players),
        (ADD, {"clock": "(" * 5000, "pairings": "Alice,Bruno"}),
        (ADD, {"game": "(" * 5000, "pairings": "Alice,Bruno"}),
    ):
        assert desk.post(where, COMMON | sent).status_code == 200


@pytest.mark.parametrize(
    "asked", ["[" * 5000, '["\\ud800", "1"]', '["\\u0000", "1"]', "[1e999, 1]", "{}", "[[], []]"]
)
def test_a_page_that_nobody_linked_to_is_the_first(desk: Client, robin: Tournament, asked: str) -> None:
    desk.raise_request_exception = False
    for table in (
        "matches/match",
        "matches/event",
        "inbox/inboundmail",
        "outbox/outboundmail",
        "players/player",
    ):
        assert desk.get(f"/admin/{table}/", {"p": f">{asked}"}).status_code in (200, 302)


def test_the_list_asks_few_questions_and_leads_everywhere(
    desk: Client, robin: Tournament, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        html = desk.get("/admin/contests/competition/").content.decode()
    here = f"/admin/contests/competition/{robin.competition_id}/change/"
    for where in ("/admin/contests/competition/add/", here):
        assert f'href="{where}' in html
    assert desk.get(here).headers["location"] == page(robin)
    with django_assert_max_num_queries(26):  # type: ignore[operator]
        desk.get(page(robin))


def test_charlie_begins_and_sees_nothing(charlie: Client, four: list[Player]) -> None:
    sent = COMMON | {"pairings": "Alice,Bruno"}
    for where in (ADD, ROBIN, IMPORT):
        assert charlie.get(where).status_code == 403
        assert charlie.post(where, sent).status_code == 403
    assert charlie.get("/admin/contests/competition/").status_code == 403
    assert not Tournament.objects.exists()
