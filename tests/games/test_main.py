"""`python -m games`: what it prints, and what it leaves as exit status."""

import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from games.__main__ import main
from games.export import to_json, to_text
from games.kit.drawing import DARK
from games.record import Record
from games.registry import names


@pytest.fixture
def run(capsys, monkeypatch):
    """Runs the tool: its exit status and what it printed."""

    def run(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        status = main(arguments)
        return status, capsys.readouterr().out

    return run


@pytest.fixture
def refused(capsys, monkeypatch):
    """Runs the tool on what makes no sense: what it said, on standard error alone."""

    def refused(*arguments):
        try:
            status = main(arguments)
        except SystemExit as exit:
            status = exit.code
        said = capsys.readouterr()
        assert (status, said.out) == (2, "")
        return said.err

    return refused


def test_it_is_a_program():
    done = subprocess.run([sys.executable, "-m", "games", "list"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == list(names())


# list


@pytest.mark.usefixtures("nim")
def test_list_prints_a_name_per_line(run):
    status, out = run("list")
    assert status == 0
    assert out.splitlines() == list(names())
    assert "nim:misere" in out.splitlines()


# perft


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [("loa", 0, 1), ("loa", 1, 36), ("loa", 2, 1244), ("loa:scrambled", 2, 992), ("zertz", 1, 1944)],
)
def test_perft_counts_the_sequences_of_turns(run, name, depth, count):
    assert run("perft", name, str(depth)) == (0, f"{count}\n")


def test_perft_begins_where_it_is_told(run):
    assert run("perft", "loa", "2", "--position", "1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1 o") == (
        0,
        "1244\n",
    )


def test_a_finished_game_has_no_continuation(run):
    assert run("perft", "loa", "1", "--position", "8/8/8/2ooo3/8/x6x/8/8 x") == (0, "0\n")


@pytest.mark.usefixtures("nim")
def test_perft_counts_to_the_end_of_the_game_and_not_beyond(run):
    # Four stones: 1111, 112, 121, 13, 211, 22, 31.
    counts = [run("perft", "nim", str(depth), "--setup", "4")[1] for depth in range(6)]
    assert counts == ["1\n", "3\n", "6\n", "4\n", "1\n", "0\n"]


# replay


@pytest.mark.usefixtures("nim")
def test_replay_tells_each_ply_and_the_end(run):
    assert run("replay", "nim", stdin="setup 7\n3\n2\n02\n") == (
        0,
        "0\t3\n1\t2\n2\t2\nresult\t1-0\tlast_stone\nposition\t0 1\n\n",
    )


def test_replay_counts_the_legal_moves(run):
    opening = "Wd4,a1\nBd6,a2\nBd2,a3\nBf4,a4\nWg5,c1\ng5xe3\n"
    status, out = run("replay", "zertz", "--counts", stdin=opening)
    assert status == 0
    assert out.splitlines()[:7] == [
        "0\t1944\tWd4,a1",
        "1\t1734\tBd6,a2",
        "2\t1632\tBd2,a3",
        "3\t1530\tBf4,a4",
        "4\t1428\tWg5,c1",
        "5\t1\tg5xe3",
        "result\t*\t-",
    ]


@pytest.mark.parametrize("order", ["before", "after"])
def test_replay_reads_the_notation_it_is_told(run, order):
    options = ["--language", "it", "--coordinates", "gipf"]
    arguments = [*options, "replay", "zertz"] if order == "before" else ["replay", "zertz", *options]
    status, out = run(*arguments, stdin="Bd4, a1\nNf2, g1\n")
    assert status == 0
    assert out.splitlines()[:2] == ["0\tWd4,a1", "1\tBf4,g4"]


def test_replay_judges_repetition(run):
    there_and_back = "d1-d3\na4-c4\nd3-d1\nc4-a4\n"
    status, out = run("replay", "loa", stdin=there_and_back * 2)
    assert status == 0
    assert out.splitlines()[-3] == "result\t1/2\trepetition"


def test_replay_stops_a_game_at_what_cannot_be_played_and_goes_on_with_the_next(run):
    status, out = run("replay", "loa", stdin="d1-d3\nd3-d5\n\ncheese\n\nD1d3\n")
    assert status == 1
    after_d3 = "position\t1oooooo1/x6x/x6x/x6x/x6x/x2o3x/x6x/1oo1ooo1 x"
    assert out.splitlines() == [
        "0\td1-d3",
        "illegal\t1\td3-d5\tThe man on d3 is your opponent's.",
        "result\t*\t-",
        after_d3,
        "",
        "illegal\t0\tcheese\t'cheese' is not a move in this notation",
        "result\t*\t-",
        "position\t1oooooo1/x6x/x6x/x6x/x6x/x6x/x6x/1oooooo1 o",
        "",
        "0\td1-d3",
        "result\t*\t-",
        after_d3,
        "",
    ]


@pytest.mark.usefixtures("nim")
def test_a_move_after_the_end_is_illegal(run):
    status, out = run("replay", "nim", "--language", "it", stdin="setup 1\n1\n1\n")
    assert status == 1
    assert out.splitlines()[1:3] == [
        "illegal\t1\t1\tVince primo: non restano pietre.",
        "result\t1-0\tlast_stone",
    ]


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("first", ["setup 99", "3"])
def test_without_its_setup_a_game_cannot_be_replayed(run, first):
    status, out = run("replay", "nim", stdin=f"{first}\n1\n")
    assert status == 1
    assert out.startswith(f"illegal\t0\t{first}\t'")
    assert out.count("\n") == 2


def test_nothing_to_replay_is_no_mistake(run):
    assert run("replay", "loa", stdin="\n\n") == (0, "")


# show


def test_show_draws_the_start_as_text(run):
    status, out = run("show", "loa")
    assert status == 0
    assert "8 |   | X | X | X | X | X | X |   |\n" in out
    assert "6 | O |   |   |   |   |   |   | O |\n" in out


def test_show_draws_any_position_in_words(run):
    status, out = run(
        "show", "loa", "--format", "words", "--language", "it", "--position", "o7/8/8/3x4/8/8/8/o6x x"
    )
    assert status == 0
    assert "a8" in out
    assert "d5" in out


def test_show_draws_svg_in_the_chosen_coordinates(run):
    status, out = run("show", "zertz", "--format", "svg", "--coordinates", "gipf")
    assert status == 0
    assert ElementTree.fromstring(out).tag == "{http://www.w3.org/2000/svg}svg"


def test_show_writes_a_file(run, tmp_path):
    picture = tmp_path / "board.render_png"
    assert run("show", "zertz", "--format", "png", "-o", str(picture)) == (0, "")
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")


def test_show_writes_a_picture_to_standard_output(capsysbinary):
    assert main(["show", "loa", "--format", "png"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"\x89PNG\r\n")


@pytest.mark.usefixtures("nim")
def test_show_draws_a_game_after_its_setup(run):
    status, out = run("show", "nim", "--setup", "5", "--format", "words")
    assert status == 0
    assert out.startswith("5 stones: a1, a2, a3, a4 and a5.\n")


def test_show_draws_as_wide_and_in_the_theme_it_is_told(capsysbinary):
    assert main(["show", "loa", "--format", "png", "--theme", "dark", "--width", "1280"]) == 0
    image = Image.open(BytesIO(capsysbinary.readouterr().out))
    assert image.width == 1280
    assert image.convert("RGB").getpixel((0, 0)) == DARK.rgb("paper")


@pytest.fixture(params=[to_text, to_json])
def score(request, tmp_path):
    """The file of a game of two moves."""
    file = tmp_path / "game"
    file.write_text(request.param(Record("loa", 1, ("d1-d3", "a4-c4"), players=("Alice", "Bruno"))), "utf-8")
    return str(file)


def test_show_draws_how_a_record_stands(run, score):
    status, out = run("show", "--record", score)
    assert status == 0
    assert "4 |[ ]|   |[O]|" in out


@pytest.mark.parametrize(("format", "kind", "width"), [("gif", "GIF", 300), ("strip", "PNG", 640)])
def test_show_makes_a_film_of_a_record(run, score, tmp_path, format, kind, width):
    film = tmp_path / "film"
    assert run("show", "--record", score, "--format", format, "-o", str(film)) == (0, "")
    image = Image.open(BytesIO(film.read_bytes()))
    assert (image.format, image.width) == (kind, width)


def test_a_film_needs_a_record(refused):
    assert "--record" in refused("show", "loa", "--format", "gif")


def test_a_record_has_its_own_position(refused, score):
    assert "its own" in refused("show", "--record", score, "--position", "8/8/8/8/8/8/8/8 x")


def test_what_is_no_record_is_told(refused, tmp_path):
    (tmp_path / "game").write_text("cheese", "utf-8")
    assert "not a record" in refused("show", "--record", str(tmp_path / "game"))


# gallery


def test_gallery_tells_what_it_wrote(run, tmp_path, monkeypatch):
    monkeypatch.setattr("games.__main__.names", lambda: ("loa",))
    status, out = run("gallery", "-o", str(tmp_path))
    assert status == 0
    themes = ("default", "dark", "print")
    assert out.splitlines() == [
        str(tmp_path / f"{name}.{theme}.png") for name in ("loa", "sheet") for theme in themes
    ]


# new


def test_new_tells_what_it_wrote_and_what_to_do_next(run, tmp_path):
    status, out = run("new", "merels", "--into", str(tmp_path))
    files, _, then = out.partition("\n\n")
    assert status == 0
    assert all(Path(file).is_file() for file in files.splitlines())
    assert str(tmp_path / "merels" / "rules.py") in files.splitlines()
    assert "python -m games show merels" in then.splitlines()


@pytest.mark.parametrize("name", ["loa", "Merels"])
def test_new_refuses_a_name_that_will_not_do(refused, name):
    assert repr(name) in refused("new", name)


# what makes no sense


@pytest.mark.parametrize("command", [["perft", "zrtz", "1"], ["replay", "zrtz"], ["show", "zrtz"]])
def test_an_unknown_name_is_answered_with_the_nearest(refused, command):
    assert refused(*command) == "python -m games: 'zrtz': no such game; nearest: zertz\n"


@pytest.mark.parametrize("command", [["perft", "loa", "1"], ["show", "loa"]])
def test_a_bad_position_is_refused(refused, command):
    assert refused(*command, "--position", "8/8 o") == "python -m games: '8/8' is not 8 rows of 8 cells\n"


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("command", [["perft", "nim", "1"], ["show", "nim"]])
def test_a_missing_setup_is_told(refused, command):
    assert refused(*command) == "python -m games: '' is not a heap of 1 to 29 stones\n"


def test_a_setup_may_begin_with_a_hyphen(refused):
    answer = refused("perft", "loa", "1", "--setup", "-|")
    assert answer == "python -m games: there is no set-up to choose, not even '-|'\n"


def test_a_file_that_cannot_be_written_is_told(refused, tmp_path):
    assert "No such file or directory" in refused("show", "loa", "-o", str(tmp_path / "none" / "board.txt"))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["play"],
        ["list", "loa"],
        ["perft", "loa"],
        ["perft", "loa", "-1"],
        ["perft", "loa", "two"],
        ["perft", "nim", "1", "--setup", "4", "--position", "4 0"],
        ["--language", "fr", "list"],
        ["show", "loa", "--format", "jpeg"],
        ["show", "loa", "--theme", "pink"],
        ["show", "loa", "--width", "10"],
        ["show", "loa", "--record", "game.txt"],
        ["show", "--record", "game.txt", "--setup", "4", "--position", "4 0"],
        ["show"],
        ["gallery"],
        ["new"],
    ],
)
def test_arguments_that_make_no_sense_are_answered_with_the_usage(refused, arguments):
    assert refused(*arguments).startswith("usage: python -m games")
