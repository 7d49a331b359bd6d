"""The verbs of a match at the desk: what they ask, whom they tell, what the audit keeps."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register


@pytest.fixture
def timed(alice: Player, bruno: Player) -> Match:
    now = timezone.now()
    terms = Terms(clock="10d+1d<=10d")
    match = start(first=alice, second=bruno, game="loa", terms=terms, now=now, rng=Random(1))
    assert match.moving
    play(match.moving, "b1-b3", now=now)
    return match


def page(match: Match) -> str:
    return f"/admin/matches/match/{match.pk}/change/"


def press(desk: Client, match: Match, verb: str, **answers: Any) -> Any:
    return desk.post(f"/admin/matches/match/{match.pk}/press/{verb}/", answers)


def kinds(match: Match, player: Player) -> list[str]:
    """Of the letters about the match that the player was written, in their order."""
    letters = OutboundMail.objects.filter(match=match, player=player).order_by("pk")
    return [section["kind"] for letter in letters for section in letter.sections]


# The verb, what is answered, the kind of event, and what both are told at last.
VERBS: list[tuple[str, dict[str, Any], str, str]] = [
    ("enter", {"move": "a2-c2"}, "moved", "turn"),
    ("stop", {}, "stopped", "stopped"),
    ("extend", {"seat": "1", "days": "2", "hours": "12"}, "extended", "given"),
    ("adjudicate", {"result": "0"}, "ended", "result"),
    ("adjudicate", {"result": "drawn"}, "ended", "result"),
    ("roll-back", {"ply": "0"}, "undone", "undone"),
    ("void", {}, "voided", "voided"),
]


@pytest.mark.parametrize(("verb", "answers", "happened", "told"), VERBS, ids=lambda each: str(each))
def test_a_verb_wants_a_reason_tells_both_and_is_kept(
    desk: Client,
    timed: Match,
    alice: Player,
    verb: str,
    answers: dict[str, str],
    happened: str,
    told: str,
) -> None:
    assert desk.get(f"/admin/matches/match/{timed.pk}/press/{verb}/").status_code == 200
    refused = press(desk, timed, verb, **answers)
    assert list(refused.context["adminform"].errors) == ["reason"]
    assert not AuditEntry.objects.exists()
    response = press(desk, timed, verb, reason="He rang me up.", **answers)
    assert response.headers["location"] == page(timed)
    event = Event.objects.latest("pk")
    assert (event.kind, event.facts["reason"]) == (happened, "He rang me up.")
    assert kinds(timed, alice)[-1] == told
    entry = AuditEntry.objects.get()
    assert (entry.verb, entry.who, entry.reason) == (verb, "olga", "He rang me up.")
    assert "He rang me up." in desk.get(page(timed)).content.decode()


def test_the_clocks_go_on_again(desk: Client, timed: Match) -> None:
    press(desk, timed, "stop", reason="Repairs.")
    assert "/press/stop/" not in desk.get(page(timed)).content.decode()
    assert press(desk, timed, "go-on", reason="Done.").status_code == 302
    assert Match.objects.get(pk=timed.pk).deadline is not None


def test_a_match_that_is_over_can_be_opened_again(desk: Client, timed: Match) -> None:
    press(desk, timed, "adjudicate", result="1", reason="Nobody came.")
    assert press(desk, timed, "roll-back", ply="1", reason="They did.").status_code == 302
    timed.refresh_from_db()
    assert (timed.status, timed.ply) == ("playing", 1)


def test_a_place_changes_hands(desk: Client, timed: Match, alice: Player, bruno: Player) -> None:
    dora = register(name="Dora", email="dora@example.org", language="en", now=timezone.now())
    gone = register(name="Gone", email="gone@example.org", language="en", now=timezone.now())
    Player.objects.filter(pk=gone.pk).update(silent_since=timezone.now())
    refused = press(desk, timed, "replace", seat="0", player=gone.pk, reason="Ill.")
    assert refused.context["adminform"].form.non_field_errors()
    assert press(desk, timed, "replace", seat="0", player=dora.pk, reason="Ill.").status_code == 302
    assert Match.objects.get(pk=timed.pk).players == ("Dora", "Bruno")
    assert [kinds(timed, each)[-1] for each in (dora, bruno, alice)] == ["replaced", "replaced", "parted"]


def test_a_move_is_entered_as_its_player_writes_it(desk: Client, timed: Match, language: str) -> None:
    form = desk.get(f"/admin/matches/match/{timed.pk}/press/enter/").content.decode()
    assert {"en": "Move of Bruno", "it": "Mossa di Bruno"}[language] in form
    made_at = timezone.localtime() - timedelta(hours=3)
    late = press(desk, timed, "enter", move="a2-a3", reason="x", made_at="2099-01-01T10:00")
    assert list(late.context["adminform"].errors) == ["made_at"]
    illegal = press(desk, timed, "enter", move="a2-a1", reason="x")
    assert illegal.context["adminform"].form.non_field_errors()
    press(desk, timed, "enter", move="a2-c2", reason="x", made_at=made_at.strftime("%Y-%m-%dT%H:%M"))
    turn = timed.turns.get(ply=1)
    assert turn.entered
    assert turn.played_at == made_at.replace(second=0, microsecond=0)
    html = desk.get(page(timed)).content.decode()
    assert {"en": "entered by the organiser", "it": "inserita dall&#x27;organizzatore"}[language] in html


def test_letters_are_written_and_written_again(
    desk: Client, timed: Match, alice: Player, bruno: Player
) -> None:
    press(desk, timed, "write", to="both", text="Please hurry.\n\nOlga")
    press(desk, timed, "write", to="1", text="You too.")
    press(desk, timed, "resend", seat="1")
    assert kinds(timed, alice)[-1:] == ["organiser"]
    assert kinds(timed, bruno)[-3:] == ["organiser", "organiser", "organiser"]
    assert OutboundMail.objects.latest("pk").cause.startswith("resent:")


def test_records_are_downloaded(desk: Client, timed: Match) -> None:
    text, json = press(desk, timed, "record-txt"), press(desk, timed, "record-json")
    assert text.headers["content-disposition"] == f'attachment; filename="loa-{timed.pk}.txt"'
    assert b"b1-b3" in text.content
    assert json.json()["moves"] == ["b1-b3"]


def test_the_timeline_has_events_and_letters_in_one_order(
    desk: Client, match: Match, refused_letter: InboundMail
) -> None:
    InboundMail.objects.update(match=match)
    lines = desk.get(page(match)).context["timeline"]
    assert [line.when for line in lines] == sorted((line.when for line in lines), reverse=True)
    assert {line.sign for line in lines} == {"•", "→", "←"}
    assert next(line.said for line in lines if line.sign == "•") == "2... h7-f7"


def test_a_letter_that_waits_can_be_sent_again_from_the_timeline(desk: Client, match: Match) -> None:
    letter = match.letters.latest("pk")
    OutboundMail.objects.filter(pk=letter.pk).update(status="held")
    html = desk.get(page(match)).content.decode()
    (where,) = [line.again[1] for line in desk.get(page(match)).context["timeline"] if line.again]
    assert f'action="{where}"' in html
    assert desk.post(where, follow=True).status_code == 200
    letter.refresh_from_db()
    assert letter.status == "waiting"


def test_whoever_may_only_look_presses_nothing_but_downloads(match: Match) -> None:
    reader = User.objects.create_user("rita", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_match"))
    browser = Client()
    browser.force_login(reader)
    html = browser.get(page(match)).content.decode()
    assert "/press/record-txt/" in html
    assert "/press/void/" not in html
    assert press(browser, match, "void", reason="x").status_code == 403
    assert press(browser, match, "record-json").status_code == 200


def test_charlie_presses_nothing(charlie: Client, match: Match) -> None:
    for verb in ("enter", "void", "record-txt"):
        assert press(charlie, match, verb, reason="x").status_code == 403
    assert not AuditEntry.objects.exists()
