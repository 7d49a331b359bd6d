"""SET: every topic and value, in both languages, however it is written; and what only looks like it."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest

from games.protocol import LANGUAGES
from pbem.inbox.commands.command import Preferences, Set
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.topics import TOPIC_OF, TOPICS, Choice, Topic
from pbem.players.models import Player
from pbem.players.zones import ABBREVIATIONS, find_zone, near_zones

EACH = pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.key)
IN_EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
IN_A_REPLY = 105


def read(line: str, own: int | None = None) -> Any:
    return read_line(line, lambda text, match: False, own)


def chosen(line: str, own: int | None = None) -> dict[str, Any]:
    command = read(line, own)
    assert isinstance(command, Set), line
    return dict(command.wishes)


@EACH
@IN_EACH_LANGUAGE
def test_what_a_list_shows_can_be_written_back(topic: Topic, language: str) -> None:
    verb = {"en": "SET", "it": "IMPOSTA"}[language]
    player = Player(language=language, zone="Europe/Rome")
    wishes = {column: getattr(player, column) for column in topic.columns}
    line = f"{verb} {topic.name(language)} {topic.value.write(wishes, language)}"
    for own in (None, IN_A_REPLY):
        assert wishes.items() >= chosen(line.lower(), own).items(), line


@EACH
@IN_EACH_LANGUAGE
def test_every_value_that_is_offered_can_be_written(topic: Topic, language: str) -> None:
    verb = {"en": "SET", "it": "IMPOSTA"}[language]
    offered = topic.value.usage(language).partition(",")[0].split(" | ")
    assert len(offered) >= 1
    for value in offered:
        wishes = chosen(f"{verb} {topic.name(language)} {value}")
        assert set(wishes) <= set(topic.columns)
        player = Player(**{**{"zone": "UTC"}, **wishes})
        player.clean_fields(exclude={"name", "folded", "language"} - set(wishes))


@EACH
def test_choices_are_those_of_the_player(topic: Topic) -> None:
    if isinstance(topic.value, Choice):
        field = Player._meta.get_field(topic.value.column)
        choices = {value for value, _ in field.choices or [(True, ""), (False, "")]}
        assert set(topic.value.options) == choices | ({None} if field.null else set())


def test_no_two_topics_share_a_word() -> None:
    for topic in TOPICS:
        for said in topic.words.values():
            assert all(TOPIC_OF[word] is topic for word in said)


@pytest.mark.parametrize(
    ("line", "wishes"),
    [
        ("SET CADENCE daily 8", {"cadence": "daily", "digest_hour": 8}),
        ("set cadence daily at 18:00", {"cadence": "daily", "digest_hour": 18}),
        ("SET CADENCE weekly", {"cadence": "weekly"}),
        ("SET DIGEST weekly on Fridays at 7", {"cadence": "weekly", "digest_day": 4, "digest_hour": 7}),
        ("IMPOSTA CADENZA settimanale ven 18", {"cadence": "weekly", "digest_day": 4, "digest_hour": 18}),
        ("imposta riepilogo quotidiano alle 21", {"cadence": "daily", "digest_hour": 21}),
        ("SET NIGHT 22-7", {"night_begins": time(22), "night_ends": time(7)}),
        ("SET NIGHT from 23:30 to 6", {"night_begins": time(23, 30), "night_ends": time(6)}),
        ("IMPOSTA NOTTE dalle 22 alle 7", {"night_begins": time(22), "night_ends": time(7)}),
        ("IMPOSTA NOTTE no", {"night_begins": None, "night_ends": None}),
        ("SET WEEKEND sunday, saturday", {"free_weekdays": "56"}),
        ("SET WEEKEND mon and thu", {"free_weekdays": "03"}),
        ("IMPOSTA FINESETTIMANA lunedì e giovedì", {"free_weekdays": "03"}),
        ("SET WEEKEND off", {"free_weekdays": ""}),
        ("SET ZONE new york", {"zone": "America/New_York"}),
        ("IMPOSTA FUSO Roma", {"zone": "Europe/Rome"}),
        ("Set: theme = dark", {"theme": "dark"}),
        ("SET THEME: dark.", {"theme": "dark"}),
        ("set LINGUA italiano", {"language": "it"}),
        ("imposta language English", {"language": "en"}),
    ],
)
def test_what_people_write(line: str, wishes: dict[str, Any]) -> None:
    assert chosen(line) == wishes


@pytest.mark.parametrize(
    "line",
    [
        "SET CADENCE daily 25",
        "SET CADENCE move 8",
        "SET CADENCE weekly fri mon",
        "SET NIGHT 18-7",
        "SET NIGHT 7",
        "SET WEEKEND fri sat sun",
        "SET ZONE Atlantis",
        "SET THEME mauve",
        "IMPOSTA GRANDEZZA enorme",
    ],
)
def test_a_value_that_there_is_not_is_a_command_all_the_same(line: str) -> None:
    command = read(line, IN_A_REPLY)
    assert isinstance(command, Set)
    assert command.topic
    assert command.wishes == ()


@pytest.mark.parametrize("line", ["SET", "Set", "IMPOSTA", "PREFERENCES", "Preferenze", "settings"])
def test_alone_it_lists_all(line: str) -> None:
    assert read(line) == Preferences()


def test_a_typo_finds_its_topic_where_it_was_meant_as_a_command() -> None:
    for line in ("SET TEHME dark", "SET lnguage italian", "IMPOSTA LINGAU inglese", "Set teme dark"):
        assert read(line) == Set("", line.split()[1], line.split()[2]), line
    assert read("Set teme dark", IN_A_REPLY) is None


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("europe/rome", "Europe/Rome"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("parigi", "Europe/Paris"),
        ("UTC", "UTC"),
        ("Città del Messico", "America/Mexico_City"),
        ("Tokyo", "Asia/Tokyo"),
        ("Roma", "Europe/Rome"),
        ("Italia", "Europe/Rome"),
        ("italy", "Europe/Rome"),
        ("Londra", "Europe/London"),
        ("United Kingdom", "Europe/London"),
        ("Germania", "Europe/Berlin"),
        ("Spain", "Europe/Madrid"),
        ("il cairo", "Africa/Cairo"),
        ("Torino", "Europe/Rome"),
        ("Etc", None),
    ],
)
def test_zones_have_the_names_that_people_give_them(name: str, zone: str | None) -> None:
    assert find_zone(name) == zone


def test_a_misspelt_zone_finds_its_neighbours() -> None:
    assert "Europe/Rome" in near_zones("Europe/Rme")
    assert near_zones("xyzzy") == ()


def test_an_abbreviation_may_mean_several() -> None:
    assert find_zone("EST") is None
    assert near_zones("EST")[0] == "America/New_York"
    assert {"Asia/Kolkata", "Europe/Dublin"} < set(near_zones("ist"))


def test_every_zone_that_is_proposed_is_one() -> None:
    assert all(find_zone(zone) == zone for zones in ABBREVIATIONS.values() for zone in zones)
