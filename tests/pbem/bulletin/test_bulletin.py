"""What stands in a number, what never does, and the same files from the same rows."""

import json
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from PIL import Image

from games.export import from_text
from pbem.analysis.models import Puzzle
from pbem.bulletin.archive import archive
from pbem.bulletin.issue import issue_of, next_bulletin, printed_in
from pbem.bulletin.models import Commentary
from pbem.matches.models import Match, Tournament
from pbem.players.models import PrintName
from tests.pbem.admin.conftest import NOON
from tests.pbem.bulletin.conftest import commented, player

LATER = NOON + timedelta(days=10)


def files(cup: Tournament, language: str = "it", words: str = "") -> dict[str, bytes]:
    issue = issue_of(next_bulletin(cup, language=language, words=words, now=LATER))
    with ZipFile(BytesIO(archive(issue))) as folder:
        return {name: folder.read(name) for name in folder.namelist()}


def test_the_archive_has_pages_diagrams_tables_and_scores(cup: Tournament) -> None:
    match = cup.matches.order_by("pk")[0]
    commented(match, "Un *finale*", "Parola **d'autore**. <b>no</b>", {0: "Si comincia", 5: "E qui?"}, NOON)
    found = files(cup, words="# Cari amici\n\n<script>alert(1)</script> ![x](https://example.org/x.png)")
    name = f"zertz-{match.pk}"
    diagrams = {f"diagrams/{name}-{plies}.{kind}" for plies in (0, 5) for kind in ("svg", "png")}
    texts = {"bulletin.html", "bulletin.md", "table.csv", "results.csv", "scores.txt", "scores.jsonl"}
    assert found.keys() == diagrams | texts
    picture = Image.open(BytesIO(found[f"diagrams/{name}-5.png"]))
    assert (picture.width, round(picture.info["dpi"][0])) == (900, 300)
    page = found["bulletin.html"].decode()
    assert "<h3>Cari amici</h3>" in page
    assert "<script>" not in page
    assert "<b>no</b>" not in page
    assert 'src="https' not in page, "nothing is fetched from elsewhere"
    assert f'src="diagrams/{name}-5.svg"' in page
    assert "E qui?" in page
    assert "Un \\*finale\\*" in found["bulletin.md"].decode()
    assert found["table.csv"].startswith(b"\xef\xbb\xbf")
    assert files(cup) == files(cup)


def test_scores_and_moves_are_in_the_notation_of_the_language(cup: Tournament) -> None:
    match = cup.matches.order_by("pk")[0]
    commented(match, "", "", {3: ""}, NOON)
    sheets = {}
    for language in ("en", "it"):
        found = files(cup, language)
        sheets[language] = found["scores.txt"].decode()
        assert f'[Notation "{language} seed"]' in sheets[language]
        first = from_text(sheets[language].split("\n\n[")[0] + "\n")
        assert first.moves == match.record().moves
        opening = sheets[language].split("\n\n")[1].splitlines()[0].split()[1]
        assert f"1. {opening}" in found["bulletin.html"].decode()
    assert sheets["en"] != sheets["it"]
    assert len(found["scores.jsonl"].splitlines()) == 4
    assert "Risultati" in found["bulletin.md"].decode()


def test_the_next_number_begins_where_the_last_one_ends(cup: Tournament) -> None:
    first = next_bulletin(cup, language="it", words="", now=NOON + timedelta(days=1, hours=1))
    first.save()
    second = next_bulletin(cup, language="it", words="", now=LATER)
    early, late = cup.matches.order_by("pk")[0], cup.matches.order_by("pk")[1]
    commented(early, "Late words", "", {}, NOON + timedelta(days=5))
    commented(late, "Early words", "", {}, NOON)
    one, two = issue_of(first), issue_of(second)
    assert (one.number, two.number) == (1, 2)
    assert (len(one.results), len(two.results)) == (2, 2)
    assert [game.title for game in one.comments] == ["Early words"]
    assert [game.title for game in two.comments] == ["Late words"], "comments on an older game are news"
    assert sum(row.played for row in one.table) == 2 * one.over == 4, "the table is of that moment"
    assert (two.over, two.going_on) == (4, 2)


def test_private_matches_are_never_in_it(cup: Tournament) -> None:
    match = cup.matches.order_by("pk")[0]
    commented(match, "Segreto", "Segreto", {2: ""}, NOON)
    Match.objects.filter(pk=match.pk).update(terms={"private": True})
    issue = issue_of(next_bulletin(cup, language="it", words="", now=LATER))
    assert (issue.private, len(issue.results), issue.comments) == (1, 3, [])
    assert sum(row.played for row in issue.table) == 6
    assert not any(b"Segreto" in content for content in files(cup).values())


def test_real_names_are_printed_with_consent_alone(cup: Tournament) -> None:
    PrintName.objects.create(player=player("Alice"), name="Alice <Rossi>", agreed_at=NOON)
    PrintName.objects.create(player=player("Bruno"), name="Bruno Bianchi", asked_at=NOON)
    found = files(cup)
    everything = b"".join(found.values()).decode("utf-8", "replace")
    assert "Bianchi" not in everything
    assert "Alice &lt;Rossi&gt; – Bruno" in found["bulletin.html"].decode()
    assert "Alice \\<Rossi\\>" in found["bulletin.md"].decode()
    assert json.loads(found["scores.jsonl"].splitlines()[0])["first"] == "Alice <Rossi>"


def test_the_command_writes_it_and_remembers_when(cup: Tournament, tmp_path: Path) -> None:
    words, file, told = tmp_path / "words.md", tmp_path / "bulletin.zip", StringIO()
    words.write_text("Ciao *a tutti*", "utf-8")
    call_command("bulletin", cup.name, language="it", draft=True, output=file, stdout=told)
    assert not cup.bulletins.exists()
    call_command(
        "bulletin", str(cup.pk), f"--words={words}", f"--output={file}", "--language=it", stdout=told
    )
    kept = cup.bulletins.get()
    assert (kept.number, kept.words) == (1, "Ciao *a tutti*")
    again = tmp_path / "again.zip"
    call_command("bulletin", cup.name, "--number=1", f"--output={again}", stdout=told)
    assert again.read_bytes() == file.read_bytes()
    assert "4 results" in told.getvalue()
    with pytest.raises(CommandError, match="no tournament 'Elsewhere'"):
        call_command("bulletin", "Elsewhere", output=file)
    with pytest.raises(CommandError, match="no bulletin 7"):
        call_command("bulletin", cup.name, "--number=7", output=file)


def test_a_puzzle_stands_in_one_number_with_its_solution_at_the_end(
    cup: Tournament, desk: Client, tmp_path: Path
) -> None:
    match, file = cup.matches.order_by("pk")[0], tmp_path / "bulletin.zip"
    with pytest.raises(CommandError, match="no new puzzle"):
        call_command("bulletin", cup.name, "--puzzle", output=file)
    assert not cup.bulletins.exists()
    moves, positions = match.record().moves, list(match.live_turns().values_list("position", flat=True))
    facts = {"match": match, "game_name": match.game_name, "created_at": NOON}
    line = {"accepted": [[moves[1]], [moves[3]]], "replies": [moves[2]]}
    puzzle = Puzzle.objects.create(ply=1, position=positions[0], **line, **facts)
    Puzzle.objects.create(ply=3, position=positions[2], accepted=[[moves[3]]], **facts | {"game_name": "loa"})
    where = reverse("admin:matches_tournament_press", args=[cup.pk, "bulletin"])
    sent = desk.post(where, {"language": "it", "words": "", "puzzle": "on", "publish": "on"})
    call_command("bulletin", cup.name, "--number=1", output=file, stdout=StringIO())
    assert file.read_bytes() == sent.content
    with ZipFile(file) as folder:
        assert {f"diagrams/puzzle-{puzzle.pk}.{kind}" for kind in ("svg", "png")} < set(folder.namelist())
        for name in ("bulletin.html", "bulletin.md"):
            page = folder.read(name).decode()
            before, _, solution = page.rpartition("Soluzione del problema:")
            assert f"diagrams/puzzle-{puzzle.pk}" in before
            assert "muove e vince in 2 mosse al massimo" in before
            assert "1... " in solution
            assert "2. " in solution
    refused = desk.post(where, {"language": "it", "words": "", "puzzle": "on", "publish": "on"})
    assert "Non c&#x27;è nessun problema inedito" in refused.content.decode()
    assert cup.bulletins.count() == 1
    Match.objects.filter(pk=match.pk).update(status="playing")
    assert not printed_in(cup.bulletins.get())


def test_at_the_desk_a_match_gets_its_words_and_the_next_number_is_downloaded(
    cup: Tournament, desk: Client
) -> None:
    match = cup.matches.order_by("pk")[0]
    commentary = reverse("admin:matches_match_press", args=[match.pk, "commentary"])
    asked = {"title": "Un finale", "words": "Ecco.", "positions": "2... E adesso?\n3\n0 Si comincia"}
    for wrong in ("99. x", "no number", "1. a\n1. b"):
        assert desk.post(commentary, asked | {"positions": wrong}).status_code == 200
    assert desk.post(commentary, asked).status_code == 302
    positions = match.commentary.positions.values_list("plies", "caption")
    assert list(positions) == [(0, "Si comincia"), (4, "E adesso?"), (6, "")]
    assert "2... E adesso?" in desk.get(commentary).content.decode()
    where = reverse("admin:matches_tournament_press", args=[cup.pk, "bulletin"])
    draft = desk.post(where, {"language": "it", "words": "*Ciao*"})
    assert draft["Content-Disposition"] == 'attachment; filename="coppa-dinverno-bulletin-1.zip"'
    assert not cup.bulletins.exists()
    desk.post(where, {"language": "it", "words": "*Ciao*", "publish": "on"})
    again = desk.post(reverse("admin:matches_tournament_press", args=[cup.pk, "bulletin-1"]))
    with ZipFile(BytesIO(b"".join([again.content]))) as folder:
        assert b"<em>Ciao</em>" in folder.read("bulletin.html")
        assert any(name.endswith("-4.svg") for name in folder.namelist())
    desk.post(commentary, {"title": "", "words": "", "positions": ""})
    assert not Commentary.objects.exists()


def test_nothing_is_said_of_a_private_match(cup: Tournament, desk: Client, charlie: Client) -> None:
    match = cup.matches.order_by("pk")[0]
    where = reverse("admin:matches_match_press", args=[match.pk, "commentary"])
    assert charlie.get(where).status_code == 403
    Match.objects.filter(pk=match.pk).update(terms={"private": True})
    assert desk.get(where).status_code == 404


def test_the_results_since_the_last_number_are_counted(cup: Tournament, desk: Client) -> None:
    page = f"/admin/matches/tournament/{cup.pk}/change/"
    assert "4 risultati dall&#x27;ultimo bollettino" in desk.get(page).content.decode()
    assert "4 risultati dall&#x27;ultimo bollettino" in desk.get("/admin/").content.decode()
    next_bulletin(cup, language="it", words="", now=NOON + timedelta(days=2)).save()
    assert "1 risultato dall&#x27;ultimo bollettino" in desk.get("/admin/").content.decode()
    next_bulletin(cup, language="it", words="", now=LATER).save()
    assert "0 risultati dall&#x27;ultimo bollettino" in desk.get(page).content.decode()
    assert "dall&#x27;ultimo bollettino" not in desk.get("/admin/").content.decode()
