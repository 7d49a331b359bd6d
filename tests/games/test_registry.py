"""Games are found where they lie, and their variants have one name each."""

from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from games import registry
from games.protocol import UnknownName
from games.registry import canonical, find, games, heard, names


def test_every_folder_with_a_game_is_found():
    assert {"loa", "zertz"} <= games().keys()


def test_neither_the_kit_nor_what_a_new_game_begins_with_is_a_game():
    assert not {"kit", "scaffold", "newgame"} & games().keys()


def test_names_are_those_of_all_presets_by_key():
    assert list(games()) == sorted(games())
    lines = [name for name in names() if name.startswith("loa")]
    assert lines == ["loa", "loa:scrambled", "loa:6x6", "loa:6x6-scrambled"]
    assert {"zertz", "zertz:blitz"} <= set(names())


@pytest.mark.parametrize(
    ("said", "name", "rest"),
    [
        ("Lines of Action first", "loa", ["first"]),
        ("LINES OF ACTION:Scrambled white", "loa:scrambled", ["white"]),
        ("linee d’azione", "loa", []),
        ("LOA", "loa", []),
        ("Zèrtz+11 blitz", "zertz+11", ["blitz"]),
        ("Trapdoor Chess white", "trapdoor", ["white"]),
        ("trapdoor-chess", "trapdoor", []),
        ("Scacchi Trabocchetto", "trapdoor", []),
        ("trabocchetto bianco", "trapdoor", ["bianco"]),
        ("lines of actions", None, []),
        ("chess", None, []),
        ("", None, []),
    ],
)
def test_a_game_is_called_as_people_call_it_in_every_language(said, name, rest):
    assert heard(said.split()) == (None if name is None else (name, rest))


def test_what_a_game_is_called_finds_it():
    assert find("Lines of Action:scrambled") == find("loa:scrambled")
    assert find("scacchi TRABOCCHETTO") == find("Trapdoor Chess") == find("trapdoor")


@pytest.mark.usefixtures("nim")
def test_an_installed_game_is_found_without_touching_a_file():
    game, rules = find("nim:misere")
    assert game is games()["nim"]
    assert rules.misere
    assert {"nim", "nim:misere", "nim:tall"} <= set(names())


@pytest.mark.usefixtures("nim")
def test_two_games_of_one_key_are_a_mistake_that_is_told_at_once(monkeypatch):
    twice = [EntryPoint("nim", "nim:GAME", registry.PLUGINS)] * 2
    monkeypatch.setattr(registry, "entry_points", lambda group: twice)
    with pytest.raises(ValueError, match=r"two games have the same key: .*'nim', 'nim'"):
        games()


@pytest.mark.parametrize("name", names())
def test_a_listed_name_is_canonical(name):
    assert canonical(*find(name)) == name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ZERTZ", "zertz"),
        (" zertz : blitz ", "zertz:blitz"),
        ("zertz:", "zertz"),
        ("zertz:marbles=24", "zertz"),
        ("zertz:marbles=21,goals=short", "zertz:blitz"),
        ("zertz:islands=any,blitz", "zertz:blitz,islands=any"),
        ("Zertz:Islands=Any,Goals=Short", "zertz:goals=short,islands=any"),
        ("zertz:blitz,marbles=24", "zertz:goals=short"),
        ("zertz:Obiettivi=Brevi,isole=tutte", "zertz:goals=short,islands=any"),
    ],
)
def test_however_written_there_is_one_name_with_the_fewest_parts_sorted(written, name):
    assert canonical(*find(written)) == name


@pytest.mark.usefixtures("nim")
def test_presets_that_say_different_things_can_be_joined():
    _, rules = find("nim:tall,misere")
    assert (rules.most, rules.misere) == (5, True)
    assert canonical(games()["nim"], rules) == "nim:misere,most=5"


@pytest.fixture
def wide(monkeypatch):
    """Zèrtz with a preset whose name begins with a plus sign, among others of its kind."""
    zertz = games()["zertz"]
    default = zertz.presets[""]
    board = {"+1": replace(default, islands="any")}
    monkeypatch.setattr(registry, "games", lambda: {"zertz": replace(zertz, presets=zertz.presets | board)})


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("written", ["zertz+1", "zertz:+1", "ZERTZ+1", "zertz:islands=any"])
def test_a_plus_sign_needs_no_colon(written):
    assert canonical(*find(written)) == "zertz:+1"


@pytest.mark.usefixtures("wide")
def test_more_parts_may_follow_the_plus_sign():
    assert canonical(*find("zertz+1,blitz")) == "zertz:+1,blitz"


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("zrtz", "zertz"),
        ("zertz:blits", "zertz:blitz"),
        ("loa:scrambeld", "loa:scrambled"),
        ("zertz:marbles=25", "zertz:marbles=24"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(written, nearest):
    with pytest.raises(UnknownName) as refused:
        find(written)
    assert refused.value.text == written
    assert nearest in refused.value.nearest
    assert repr(written) in str(refused.value)
    assert nearest in str(refused.value)


def test_a_name_like_no_other_is_answered_with_all():
    with pytest.raises(UnknownName) as refused:
        find("quux")
    assert refused.value.nearest == tuple(games())
    with pytest.raises(UnknownName) as refused:
        find("quux:corge")
    assert refused.value.nearest == names()


def test_the_variants_of_a_game_are_not_offered_to_whoever_asks_for_none():
    with pytest.raises(UnknownName) as refused:
        find("zrtz")
    assert refused.value.nearest == ("zertz",)
    with pytest.raises(UnknownName) as refused:
        find("zrtz:blitz")
    assert refused.value.nearest[0] == "zertz:blitz"


@pytest.mark.parametrize(
    "written", ["", ":", "+", "blitz", "zertz,blitz", "zertz:loa", "loa:blitz", "zertz+99"]
)
def test_what_is_no_name_is_refused(written):
    with pytest.raises(UnknownName):
        find(written)


@pytest.mark.parametrize("written", ["zertz:marbles=21,marbles=24", "zertz:goals=long,blitz,goals=short"])
def test_parts_that_contradict_each_other_are_refused(written):
    with pytest.raises(UnknownName, match="contradict"):
        find(written)


@pytest.mark.usefixtures("nim")
def test_presets_that_contradict_each_other_are_refused(monkeypatch):
    nim = games()["nim"]
    small = replace(nim.presets[""], most=4)
    monkeypatch.setattr(
        registry, "games", lambda: {"nim": replace(nim, presets=nim.presets | {"small": small})}
    )
    with pytest.raises(UnknownName, match="contradict"):
        find("nim:small,tall")


def test_rules_that_no_name_reaches_have_none():
    game, rules = find("loa")
    with pytest.raises(ValueError, match="no name of loa means"):
        canonical(game, replace(rules, size=26))
