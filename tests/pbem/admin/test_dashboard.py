"""The desk's first page: what waits for somebody, each with the way to all of it, and few questions to the database."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from pbem.health import HEALTH_CHECKS
from pbem.inbox.models import Confirmation, InboundMail
from pbem.matches.models import Component, Heartbeat, Match, Outage
from pbem.outbox.models import OutboundMail
from pbem.players.models import Address
from pbem.refusals import Code

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def sizes(desk: Client) -> dict[str, str]:
    """How many wait in each queue, by the link to its list."""
    return {filled["queue"].where: filled["size"] for filled in desk.get("/admin/").context["queues"]}


def found(desk: Client, where: str) -> list[Any]:
    return list(desk.get(where).context["cl"].result_list)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("clock", "change"),
    [
        ("flagged", {"flagged_at": -HOUR}),
        ("overdue", {"deadline": -HOUR}),
        ("soon", {"deadline": HOUR}),
    ],
)
def test_matches_wait_by_their_clocks(
    desk: Client, match: Match, clock: str, change: dict[str, timedelta]
) -> None:
    where = f"/admin/matches/match/?clock={clock}"
    assert sizes(desk)[where] == "0"
    assert found(desk, where) == []
    Match.objects.update(**{name: timezone.now() + moment for name, moment in change.items()})
    assert sizes(desk)[where] == "1"
    assert found(desk, where) == [match]
    assert f"[{match.pk}] Lines of Action: Alice - Bruno" in desk.get("/admin/").content.decode()


@pytest.mark.prove
def test_whose_move_is_awaited_for_long(desk: Client, match: Match, language: str) -> None:
    """By player, with how long and in how many matches; whether anybody's time is limited or not."""
    where = "/admin/matches/match/?awaited="
    Match.objects.update(to_move_since=timezone.now() - 6 * DAY)
    assert sizes(desk)[f"{where}7"] == "0"
    Match.objects.update(to_move_since=timezone.now() - 15 * DAY)
    assert sizes(desk)[f"{where}7"] == "1"
    front = desk.get("/admin/").content.decode()
    alice = match.seated[0].player
    assert {"en": "Alice: for 15 days", "it": "Alice: da 15 giorni"}[language] in front
    assert found(desk, f"{where}7&mover={alice.pk}") == [match]
    assert found(desk, f"{where}7&mover={match.seated[1].player_id}") == []
    assert [found(desk, f"{where}{days}") for days in (7, 14, 30)] == [[match], [match], []]
    assert found(desk, f"{where}x") == [match]


def test_who_has_lost_his_mailbox_waits_for_a_month(desk: Client, refused_letter: InboundMail) -> None:
    InboundMail.objects.update(verdict=Code.LOST_PLAYER, received_at=timezone.now() - 29 * DAY)
    where = "/admin/inbox/inboundmail/?verdict=A13"
    assert sizes(desk)[where] == "1"
    assert found(desk, where) == [refused_letter]
    InboundMail.objects.update(received_at=timezone.now() - 31 * DAY)
    assert sizes(desk)[where] == "0"


@pytest.mark.parametrize(("answers", "waits"), [(1, False), (2, True), (3, True)])
def test_a_question_answered_unclearly_twice_needs_attention(
    desk: Client, refused_letter: InboundMail, language: str, answers: int, waits: bool
) -> None:
    """While it is open: 72 hours, or until a clear answer comes."""
    now, where = timezone.now(), "/admin/inbox/confirmation/?unclear=1"
    asked = Confirmation.objects.create(
        letter=refused_letter,
        address="alice@example.org",
        lines=["RESIGN"],
        language="en",
        asked_at=now,
        unclear=answers,
    )
    assert (sizes(desk)[where], found(desk, where)) == (("1", [asked]) if waits else ("0", []))
    front = desk.get("/admin/").content.decode()
    title = {"en": "Needs attention", "it": "Da guardare subito"}[language]
    assert (f"<h2>{title}</h2>" in front) is waits
    assert ("alice@example.org: RESIGN" in front) is waits
    for over in ({"used_at": now}, {"used_at": None, "asked_at": now - 73 * HOUR}):
        Confirmation.objects.update(**over)
        assert sizes(desk)[where] == "0"


@pytest.mark.prove
def test_letters_and_outages_wait(
    desk: Client, gone: Address, refused_letter: InboundMail, turn_letter: OutboundMail
) -> None:
    now = timezone.now()
    InboundMail.objects.update(verdict=Code.POISON)
    OutboundMail.objects.filter(pk=turn_letter.pk).update(verdict=Code.ENGINE_ERROR)
    Confirmation.objects.create(
        letter=refused_letter,
        address="alice@example.org",
        lines=["RESIGN"],
        language="en",
        asked_at=now,
        doubted=True,
    )
    Outage.objects.create(component=Component.DOOR, why="outage", since=now - DAY, until=now - HOUR)
    OutboundMail.objects.filter(player=gone.player).update(status="held")
    held = OutboundMail.objects.filter(status="held").count()
    counted = sizes(desk)
    expected = {
        "/admin/inbox/inboundmail/?verdict=shunted": "1",
        "/admin/outbox/outboundmail/?verdict=shunted": "1",
        "/admin/inbox/confirmation/?held=1": "1",
        "/admin/outbox/outboundmail/?status__exact=held": str(held),
        "/admin/outbox/bouncedmail/": "2",
        "/admin/matches/outage/": "1",
    }
    assert expected.items() <= counted.items()
    for where, size in expected.items():
        assert len(found(desk, where)) == int(size)


def test_nothing_is_counted_beyond_what_anybody_cares_for(
    desk: Client, monkeypatch: pytest.MonkeyPatch, gone: Address
) -> None:
    monkeypatch.setattr("pbem.admin.dashboard.COUNTED", 1)
    assert sizes(desk)["/admin/outbox/bouncedmail/"] == "1+"


def test_the_page_asks_few_questions_and_counts_no_whole_table(
    desk: Client, match: Match, gone: Address, django_assert_max_num_queries: Any
) -> None:
    Match.objects.update(deadline=timezone.now() - HOUR, flagged_at=timezone.now())
    desk.get("/admin/")
    filled = sum(1 for size in sizes(desk).values() if size != "0")
    players, events, who, first_line = 2, 4, 3, 5  # players: of the matches in all queues
    signs = len(desk.get("/admin/").context["queues"]) + len(
        HEALTH_CHECKS
    )  # how many wait in each queue, and the vitals
    with django_assert_max_num_queries(filled + players + events + signs + who + first_line) as asked:
        desk.get("/admin/")
    counting = [query["sql"] for query in asked.captured_queries if "COUNT(" in query["sql"].upper()]
    assert all("LIMIT" in sql for sql in counting)


def test_the_first_line_says_how_the_service_is(
    desk: Client, match: Match, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.admin.dashboard.health", lambda now: [])
    Match.objects.update(deadline=timezone.now() + 2 * DAY + HOUR)
    front = unescape(desk.get("/admin/").content.decode()).replace("\xa0", " ")
    well = {"en": "All is well.", "it": "Tutto bene."}[language]
    assert well in front
    assert Match.objects.get().players[0] in front
    assert {"en": "2 days", "it": "2 giorni"}[language] in front
    Match.objects.update(flagged_at=timezone.now())
    assert well not in desk.get("/admin/").content.decode()


def test_matches_without_a_clock_follow_those_with_one(desk: Client, match: Match) -> None:
    assert [mover for _, _, mover, _ in desk.get("/admin/").context["due"]] == ["Alice"]


def test_a_silent_worker_is_said_aloud(desk: Client) -> None:
    now = timezone.now()
    assert "desk-trouble" not in desk.get("/admin/").content.decode()
    Heartbeat.objects.create(component=Component.WORKER, minute=now - HOUR, beat_at=now - HOUR)
    assert "desk-trouble" in desk.get("/admin/").content.decode()
    Heartbeat.objects.create(component=Component.WORKER, minute=now, beat_at=now)
    assert "desk-trouble" not in desk.get("/admin/").content.decode()


@pytest.mark.prove
def test_everybody_sees_the_queues_that_he_may_open(charlie: Client, match: Match) -> None:
    assert charlie.get("/admin/").context["queues"] == []
    user = User.objects.get(username="charlie")
    user.user_permissions.add(Permission.objects.get(codename="view_outage"))
    assert list(sizes(charlie)) == ["/admin/matches/outage/"]
