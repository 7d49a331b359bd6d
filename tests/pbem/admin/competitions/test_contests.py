"""Contests at the desk: created after a look at what will happen, entered, begun, withdrawn from."""

from random import Random
from typing import Any

from django.test import Client

from pbem.admin.matches.terms import TermsForm
from pbem.admin.models import AuditEntry
from pbem.competitions.models import Competition, Entrant
from pbem.competitions.tasks import begin_and_end
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.players.blocks import refuse
from pbem.players.models import Player
from tests.mail_fixtures import MORNING

ADD = "/admin/contests/competition/add/?kind="
SWISS = f"{ADD}swiss"
COMMON = {"name": "Autumn cup", "game": "loa", "clock": "3d/move", "absence": "on"}
State = Entrant.State


def create(desk: Client, system: str = "swiss", **answers: Any) -> Competition:
    """Both times."""
    sent = COMMON | answers
    asked = desk.post(ADD + system, sent)
    desk.post(ADD + system, sent | {"sure": asked.context["sure"]})
    return Competition.objects.latest("pk")


def press(desk: Client, row: Any, verb: str, **answers: Any) -> Any:
    return desk.post(f"/admin/contests/{row._meta.model_name}/{row.pk}/press/{verb}/", answers)


def test_the_form_says_what_will_happen(desk: Client) -> None:
    assert desk.get(f"{SWISS}&game=loa").status_code == 200
    asked = desk.post(SWISS, COMMON | {"players": "24", "length": "7"})
    assert not Competition.objects.exists()
    said = asked.content.decode()
    assert "Rounds: 7, of 90 days each; together about 21 months." in said
    assert "In the first, 12 matches begin, up to 1 per player" in said
    assert "Quicker: groups of 6 and a final take about 6 months." in said
    changed = desk.post(SWISS, COMMON | {"length": "5", "sure": asked.context["sure"]})
    assert not Competition.objects.exists()  # what was read is not what was sent
    assert changed.status_code == 200
    contest = create(desk, length="7", begins="2030-05-04")
    assert (contest.name, contest.system, contest.game_name) == ("Autumn cup", "swiss", "loa")
    assert (contest.settings["length"], contest.agreed.clock) == (7, "3d/move")
    assert AuditEntry.objects.latest("pk").verb == "add"
    for wrong, why in (
        ({"length": "12"}, "12 is not from 1 to 9"),
        ({"players": "3"}, "3 is not from 6 to 64"),
    ):
        answers = desk.post(SWISS, COMMON | {"name": "Another"} | wrong)
        assert why in answers.content.decode()
    assert desk.post(SWISS, COMMON).context["adminform"].errors["name"]


def test_kind_and_game_come_first_and_each_kind_asks_for_its_own(desk: Client) -> None:
    """By plain links and forms: nothing of it needs a script."""
    add = "/admin/contests/competition/add/"
    for asked, wrong in (
        ("", False),
        ("?kind=open", False),
        ("?kind=open&game=", True),
        ("?kind=x&game=loa", True),
    ):
        page = desk.get(add + asked).content.decode()
        assert page.count('type="radio"') == 11
        assert ("Choose a kind and a game." in page) is wrong
    assert 'value="open" required checked' in desk.get(f"{add}?kind=open").content.decode()
    own = {
        "pairings": {"pairings", "sheet"},
        "single": {"players", "system", "begin"},
        "open": {"system"},
        "knockout": {"players", "begins", "days", "unfinished"},
        "ladder": {"players", "begins"},
        "league": {"players", "begins", "days", "unfinished", "size", "moving"},
    }
    for kind, fields in own.items():
        form = desk.get(f"{add}?kind={kind}&game=loa").context["adminform"].form
        common = {"name", "game", "double=draw", "stuck=loss", *TermsForm.base_fields}
        ties = {name for name in form.fields if name.startswith("tie_")}
        assert set(form.fields) - common - ties == fields, kind
        assert len(ties) == (4 if kind == "league" else 0)
    contest = create(desk, "swiss", **{"stuck=loss": "on"})
    assert contest.game_name == "loa:stuck=loss"


def test_the_order_of_tie_breaks_is_chosen(desk: Client) -> None:
    for wrong, why in (
        ({"tie_1": "wins", "tie_3": "wins"}, "Choose each tie-break once."),
        ({"tie_1": "luck"}, "luck is not one of the available choices"),
    ):
        assert why in desk.post(f"{ADD}round_robin", COMMON | wrong).content.decode()
    contest = create(desk, system="round_robin", tie_1="wins", tie_4="koya")
    assert contest.chosen.ties == ("wins", "koya")
    said = desk.get(f"/admin/contests/competition/{contest.pk}/change/").content.decode()
    assert "Tie-breaks: most wins, Koya" in said
    usual = create(desk, system="round_robin", name="Usual")
    assert usual.chosen.ties == ("direct", "sonneborn_berger", "wins", "koya")


def test_a_whole_contest(desk: Client, eight: list[Player]) -> None:
    contest = create(desk, system="groups", size="4", advance="1")
    page = f"/admin/contests/competition/{contest.pk}/change/"
    assert press(desk, contest, "begin").status_code == 404  # too few
    names = "\n".join(player.name for player in eight)
    assert "Nobody" in press(desk, contest, "enter", players="Nobody").content.decode()
    press(desk, contest, "enter", players=names)
    assert Entrant.objects.filter(state=State.ENTERED).count() == 8
    shown = desk.get(f"/admin/contests/competition/{contest.pk}/press/begin/").content.decode()
    assert shown.count("Group A:") == 6
    assert "Bruno – Alice" not in shown
    assert "8 letters are sent." in shown
    assert not Match.objects.exists()
    press(desk, contest, "begin")
    assert Match.objects.count() == 12
    assert OutboundMail.objects.filter(kind="contest_begins").count() == 8
    assert not OutboundMail.objects.filter(kind="turn").exists()
    assert press(desk, contest, "begin").status_code == 404  # pressed twice
    entrant = Entrant.objects.get(player=eight[0])
    assert Entrant.objects.filter(state=State.PLAYING).count() == 8
    press(desk, contest, "withdraw", entrant=entrant.pk)  # without a reason
    assert Entrant.objects.filter(state=State.PLAYING).count() == 8
    press(desk, contest, "withdraw", entrant=entrant.pk, reason="Has moved house")
    entrant.refresh_from_db()
    assert (entrant.state, entrant.reason) == (State.ERASED, "Has moved house")
    assert AuditEntry.objects.latest("pk").reason == "Has moved house"
    letters = OutboundMail.objects.filter(kind="contest_withdrawn")
    assert letters.count() == 4
    said = desk.get(page).content.decode()
    assert "Group A" in said
    assert "withdrawn, and out of the table" in said
    assert "Has moved house" in said
    press(desk, contest, "close", reason="Enough")
    contest.refresh_from_db()
    assert contest.closed_at is not None
    assert desk.get("/admin/contests/competition/").status_code == 200


def test_the_organiser_is_told_who_does_not_want_to_meet_whom(desk: Client, eight: list[Player]) -> None:
    contest = create(desk, system="round_robin")
    press(desk, contest, "enter", players="Alice, Bruno, Dora")
    page = f"/admin/contests/competition/{contest.pk}/"
    for where in ("change/", "press/begin/"):
        assert "takes no challenges" not in desk.get(page + where).content.decode()
    refuse(eight[1], eight[0], now=MORNING)
    for where in ("change/", "press/begin/"):
        said = desk.get(page + where).content.decode()
        assert "The player named first takes no challenges from the other" in said
        assert "Bruno – Alice." in said
    queues = desk.get("/admin/").context["queues"]
    assert not [each for each in queues if each["rows"] and "wish" in each["queue"].asked]
    Competition.objects.update(begins_at=MORNING)
    begin_and_end(now=MORNING, rng=Random(1))
    front = desk.get("/admin/").content.decode()
    assert "Begun in a tournament although one refuses the other" in front
    assert "/admin/matches/match/?wish=against" in front


def test_who_may_only_look_changes_nothing(watcher: Client, desk: Client, eight: list[Player]) -> None:
    contest = create(desk, system="ladder")
    assert watcher.get(f"/admin/contests/competition/{contest.pk}/change/").status_code == 200
    assert watcher.post(ADD, COMMON).status_code == 403
    assert press(watcher, contest, "enter", players="Alice").status_code == 403
    assert not Entrant.objects.exists()


def test_the_groups_are_changed_in_a_form(desk: Client, watcher: Client, eight: list[Player]) -> None:
    contest = create(desk, system="groups", size="4", advance="1")
    assert press(desk, contest, "groups").status_code == 404  # nobody has entered
    press(desk, contest, "enter", players="\n".join(player.name for player in eight))
    form = f"/admin/contests/competition/{contest.pk}/press/groups/"
    assert watcher.get(form).status_code == 403
    proposed = desk.get(form).context["adminform"].form
    groups = {name: field.initial for name, field in proposed.fields.items() if name != "by_rating"}
    assert sorted(groups.values()) == [1, 1, 1, 1, 2, 2, 2, 2]
    one = next(name for name, group in groups.items() if group == 1)
    other = next(name for name, group in groups.items() if group == 2)
    crowded = press(desk, contest, "groups", **dict.fromkeys(groups, 1))
    assert "A group has from 2 to 8 players; look at: B." in crowded.content.decode()
    changed = groups | {one: 2, other: 1}
    shown = press(desk, contest, "groups", **changed)
    assert not Entrant.objects.exclude(division=0).exists()
    assert press(desk, contest, "groups", **changed, sure=shown.context["sure"]).status_code == 302
    assert {f"player_{row.player_id}": row.division for row in Entrant.objects.all()} == changed
    assert AuditEntry.objects.latest("pk").after[one] == "2"
    press(desk, contest, "begin")
    tables = {table.label: table for table in contest.last.tables.all()} if contest.last else {}
    for name, group in changed.items():
        assert tables["AB"[group - 1]].entries.filter(player=name.removeprefix("player_")).exists()
    assert press(desk, contest, "groups", **groups).status_code == 404


def test_the_ratings_deal_the_groups_out_anew(desk: Client, eight: list[Player]) -> None:
    contest = create(desk, system="groups", size="4", advance="1")
    press(desk, contest, "enter", players="\n".join(player.name for player in eight))
    Entrant.objects.update(division=1)
    Entrant.objects.filter(player__in=eight[:4]).update(division=2)
    answers = {f"player_{player.pk}": 1 for player in eight} | {"by_rating": "on"}
    shown = press(desk, contest, "groups", **answers)
    press(desk, contest, "groups", **answers, sure=shown.context["sure"])
    assert set(Entrant.objects.values_list("division", flat=True)) == {0}


def test_whoever_was_entered_by_mistake_is_taken_off_the_list(
    desk: Client, watcher: Client, eight: list[Player]
) -> None:
    contest = create(desk, system="round_robin")
    press(desk, contest, "enter", players="Alice, Bruno, Dora")
    entrant = Entrant.objects.get(player=eight[1])
    assert press(watcher, contest, "take-off", entrant=entrant.pk, reason="No").status_code == 403
    press(desk, contest, "take-off", entrant=entrant.pk)  # without a reason
    assert Entrant.objects.filter(state=State.ENTERED).count() == 3
    press(desk, contest, "take-off", entrant=entrant.pk, reason="Era un altro Bruno.")
    entrant.refresh_from_db()
    assert (entrant.state, entrant.reason) == (State.LEFT, "Era un altro Bruno.")
    assert AuditEntry.objects.latest("pk").reason == "Era un altro Bruno."
    [letter] = OutboundMail.objects.filter(kind="contest_entry")
    assert letter.player == eight[1]
    assert "per questo motivo: Era un altro Bruno." in " ".join(compose(letter).text.split())


def test_the_page_asks_as_much_for_many_players_as_for_few(
    desk: Client, django_assert_max_num_queries: Any
) -> None:
    contest = create(desk, system="groups", size="6")
    players = Player.objects.bulk_create(
        Player(name=f"Player{number:02}", folded=f"player{number:02}", skeleton=f"player{number:02}")
        for number in range(40)
    )
    Entrant.objects.bulk_create(
        Entrant(contest=contest, player=player, entered_at=MORNING) for player in players
    )
    page = f"/admin/contests/competition/{contest.pk}/change/"
    with django_assert_max_num_queries(20):
        assert desk.get(page).status_code == 200
    press(desk, contest, "begin")
    assert Match.objects.count() == 5 * 15 + 2 * 10
    with django_assert_max_num_queries(20):
        assert desk.get(page).status_code == 200
