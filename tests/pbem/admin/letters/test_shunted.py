"""`manage.py shunted` and the same verbs at the desk: nothing that was set aside is lost or forgotten."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.inbox.models import MOST_ATTEMPTS, InboundMail
from pbem.inbox.services import open_mail
from pbem.outbox.models import MOST_FAILURES, OutboundMail, SlowDomain, slow_down
from pbem.refusals import Code
from tests.pbem.admin.conftest import NOON


def shunted(*arguments: str) -> str:
    said = StringIO()
    call_command("shunted", *arguments, stdout=said)
    return said.getvalue()


@pytest.fixture
def arrived_poison(refused_letter: InboundMail) -> InboundMail:
    """Opening it failed three times."""
    InboundMail.objects.update(
        verdict=Code.ENGINE_ERROR, attempts=MOST_ATTEMPTS, trouble="KeyError in games/zertz/rules.py:7 play"
    )
    refused_letter.refresh_from_db()
    return refused_letter


@pytest.fixture
def leaving_poison(turn_letter: OutboundMail) -> OutboundMail:
    """So did writing this one."""
    OutboundMail.objects.filter(pk=turn_letter.pk).update(
        status="failed",
        verdict=Code.POISON,
        failures=MOST_FAILURES,
        trouble="the process ended at work on it",
    )
    turn_letter.refresh_from_db()
    return turn_letter


def test_none_is_said(db: None) -> None:
    assert shunted() == "No letter is shunted.\n"
    assert json.loads(shunted("list", "--json")) == []
    assert shunted("again", "--all") == "No letter is shunted.\n"


def test_a_line_for_each_says_what_went_wrong(
    arrived_poison: InboundMail, leaving_poison: OutboundMail
) -> None:
    arrived, leaving = shunted("list").splitlines()
    assert (
        arrived.split()
        == (
            f"IN-{arrived_poison.pk} 2026-03-02T12:00:00+00:00 alice@example.org -> play@pbem.localhost "
            "S03 engine_error, 3 attempts: KeyError in games/zertz/rules.py:7 play"
        ).split()
    )
    assert (
        leaving.split()
        == (
            f"OUT-{leaving_poison.pk} 2026-03-02T16:00:00+00:00 -> alice@example.org (turn) "
            "S02 poison, 3 attempts: the process ended at work on it"
        ).split()
    )


def test_programs_read_json(arrived_poison: InboundMail, leaving_poison: OutboundMail) -> None:
    arrived, leaving = json.loads(shunted("--json"))
    assert (arrived["number"], arrived["code"]) == (f"IN-{arrived_poison.pk}", Code.ENGINE_ERROR)
    assert (leaving["number"], leaving["kind"]) == (f"OUT-{leaving_poison.pk}", "turn")
    assert leaving["match"] == leaving_poison.match_id


def test_show_says_where_the_desk_has_it(arrived_poison: InboundMail) -> None:
    said = shunted("show", f"in-{arrived_poison.pk}")
    assert "code:     S03" in said
    assert f"/admin/inbox/inboundmail/{arrived_poison.pk}/change/" in said


def test_again_opens_and_sends_as_if_for_the_first_time(
    arrived_poison: InboundMail, leaving_poison: OutboundMail
) -> None:
    said = shunted("again", f"IN-{arrived_poison.pk}", f"OUT-{leaving_poison.pk}")
    assert said.count("goes back in its queue") == 2
    arrived_poison.refresh_from_db()
    assert (arrived_poison.verdict, arrived_poison.attempts, arrived_poison.trouble) == ("", 0, "")
    leaving_poison.refresh_from_db()
    assert (leaving_poison.status, leaving_poison.failures, leaving_poison.verdict) == ("waiting", 0, "")
    open_mail(arrived_poison.pk, now=NOON)
    arrived_poison.refresh_from_db()
    assert arrived_poison.verdict == Code.NO_MOVE_FOUND


def test_again_with_all_takes_both_ways(arrived_poison: InboundMail, leaving_poison: OutboundMail) -> None:
    shunted("again", "--all")
    assert shunted() == "No letter is shunted.\n"
    assert not InboundMail.objects.shunted() | InboundMail.objects.exclude(verdict="")


def test_what_is_dropped_is_kept_with_the_reason(
    arrived_poison: InboundMail, leaving_poison: OutboundMail
) -> None:
    shunted("drop", f"IN-{arrived_poison.pk}", f"OUT-{leaving_poison.pk}", "--why", "asked Alice herself")
    assert shunted() == "No letter is shunted.\n"
    for row, verdict in ((arrived_poison, Code.ENGINE_ERROR), (leaving_poison, Code.POISON)):
        row.refresh_from_db()
        assert row.verdict == verdict, "as before: whoever waits for unopened letters need not wait for it"
        assert row.dropped_why.startswith("asked Alice herself (")
        assert row.dropped_at


@pytest.mark.parametrize(
    ("arguments", "why", "status"),
    [
        (["show", "12"], "'12' is no number of a letter; write for instance IN-12 or OUT-7", 1),
        (["again", "IN-999999"], "there is no letter IN-999999", 1),
        (["drop", "OUT-99999999999999999999", "--why", "x"], "is no number of a letter", 1),
        (["again"], "Write numbers, for instance IN-12, or --all", 2),
        (["again", "--all", "IN-1"], "Write numbers, for instance IN-12, or --all", 2),
    ],
)
def test_mistakes_are_named_and_nothing_is_done(
    arrived_poison: InboundMail, arguments: list[str], why: str, status: int
) -> None:
    with pytest.raises(CommandError) as mistake:
        shunted(*arguments)
    assert why in str(mistake.value)
    assert mistake.value.returncode == status
    assert InboundMail.objects.shunted().count() == 1


def test_one_mistake_stops_them_all(arrived_poison: InboundMail, turn_letter: OutboundMail) -> None:
    with pytest.raises(
        CommandError, match=f"OUT-{turn_letter.pk} is not shunted: it has the verdict 'none yet'"
    ):
        shunted("again", f"IN-{arrived_poison.pk}", f"OUT-{turn_letter.pk}")
    assert InboundMail.objects.shunted().count() == 1


def test_the_desk_lists_what_was_set_aside(
    desk: Client, arrived_poison: InboundMail, leaving_poison: OutboundMail
) -> None:
    for row, where in ((arrived_poison, "inbox/inboundmail"), (leaving_poison, "outbox/outboundmail")):
        found = desk.get(f"/admin/{where}/", {"verdict": "shunted"})
        assert list(found.context["cl"].result_list) == [row]
        html = desk.get(f"/admin/{where}/{row.pk}/change/").content.decode()
        assert row.trouble in html
        assert f'href="/admin/{where}/{row.pk}/press/drop/"' in html


def test_the_desk_asks_why_before_it_drops(desk: Client, leaving_poison: OutboundMail) -> None:
    where = f"/admin/outbox/outboundmail/{leaving_poison.pk}/press/drop/"
    assert desk.get(where).status_code == 200
    assert desk.post(where, {"reason": ""}).status_code == 200
    assert OutboundMail.objects.shunted().exists()
    assert desk.post(where, {"reason": "the match is over"}).status_code == 302
    leaving_poison.refresh_from_db()
    assert leaving_poison.dropped_why == "the match is over (olga)"
    assert AuditEntry.objects.get().row == (leaving_poison.pk)
    assert desk.get(where).status_code == 404, "it is dropped"


def test_charlie_drops_nothing(charlie: Client, leaving_poison: OutboundMail) -> None:
    where = f"/admin/outbox/outboundmail/{leaving_poison.pk}/press/drop/"
    assert charlie.post(where, {"reason": "because"}).status_code == 403
    assert OutboundMail.objects.shunted().exists()


def test_the_desk_shows_who_asks_us_to_wait_and_can_go_on(desk: Client, turn_letter: OutboundMail) -> None:
    slow_down("example.org", "421 4.7.0 busy", timezone.now())
    slow = SlowDomain.objects.get()
    assert "421 4.7.0 busy" in desk.get("/admin/outbox/slowdomain/").content.decode()
    assert desk.post(f"/admin/outbox/slowdomain/{slow.pk}/press/go-on/").status_code == 302
    assert not SlowDomain.objects.exists()
