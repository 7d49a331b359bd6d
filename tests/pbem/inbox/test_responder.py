"""The few answers of a day: whatever comes in whatever order, never one more."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.models import InboundMail, RateLimitSlot
from pbem.inbox.rate_limits import slots
from pbem.inbox.rate_limits.table import ANSWERS, CAPS, DAY, HOUR, MINUTE, WEEK
from pbem.inbox.responder import Responder
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section
from pbem.refusals import Code
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address

SECTIONS: list[Section] = [
    {"kind": "help", "chapters": []},
    {"kind": "confirm", "lines": ["RESIGN"], "held": ""},
    {"kind": "signup", "name": "Dora", "unclear": True},
    *(refusal(code, {}) for code in (Code.EMPTY, Code.NO_MOVE_FOUND, Code.NO_SUCH_MATCH)),
]


@pytest.fixture
def letter(post: Post, alice: Correspondent) -> InboundMail:
    return post.keep(alice.pens("HELP"), play_address())


def spoken(mail: OutboundMail) -> list[str]:
    """The codes that a letter of ours tells."""
    return [section["code"] for section in mail.sections if section["kind"] == "refused"]


@pytest.mark.prove
@examples(60)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 40_000),
            st.sampled_from(["alice@example.org", "dora@example.org"]),
            st.lists(st.sampled_from(SECTIONS), min_size=1, max_size=3),
        ),
        max_size=30,
    )
)
def test_whoever_may_be_forged_hears_five_answers_and_questions_a_day_and_each_refusal_once(
    db: None, letters: list[tuple[int, str, list[Section]]]
) -> None:
    """Seconds after the letter before, an address, and what we would say."""
    InboundMail.objects.all().delete()
    OutboundMail.objects.all().delete()
    RateLimitSlot.objects.all().delete()
    now = MORNING
    for number, (pause, address, sections) in enumerate(letters):
        now += timedelta(seconds=pause)
        row = InboundMail.objects.create(
            digest=str(number), raw=b"", recipient="", queue_key="", received_at=now
        )
        responder = Responder(row, identified=False, now=now)
        for section in sections:
            responder.tell_address(address, section, language="en")
        responder.finish()
        written = OutboundMail.objects.filter(cause=f"letter:{row.pk}").first()
        said = [] if written is None else [s for s in written.sections if s["kind"] != "last"]
        unsaid = [section for section in sections if section not in said]
        assert bool(unsaid) == bool(responder.silenced), "the row says why, and only then"
    days = Counter(
        (mail.address, mail.created_at.date(), asks)
        for mail in OutboundMail.objects.all()
        for asks in {section["kind"] == "confirm" for section in mail.sections if section["kind"] != "last"}
    )
    assert max(days.values(), default=0) <= 5
    codes = Counter(
        (mail.address, mail.created_at.date(), code)
        for mail in OutboundMail.objects.all()
        for code in spoken(mail)
    )
    assert max(codes.values(), default=0) <= 1


@examples(30)
@given(st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(SECTIONS)), max_size=60))
def test_a_player_is_always_answered_but_for_twenty_refusals(
    post: Post, alice: Correspondent, letters: list[tuple[int, Section]]
) -> None:
    OutboundMail.objects.all().delete()
    InboundMail.objects.all().delete()
    RateLimitSlot.objects.all().delete()
    now, refused = MORNING, Counter[object]()
    for number, (pause, section) in enumerate(letters):
        now += timedelta(seconds=pause)
        row = InboundMail.objects.create(
            digest=str(number), raw=b"", recipient="", queue_key="", received_at=now
        )
        responder = Responder(row, identified=True, now=now)
        responder.tell_player(alice.player, section)
        responder.finish()
        no = section["kind"] == "refused" or "unclear" in section
        refused[now.date()] += no
        [*told] = OutboundMail.objects.filter(cause=f"letter:{row.pk}")
        assert len(told) == (0 if no and refused[now.date()] > 20 else 1)
        last = bool(told) and told[0].sections[-1]["kind"] == "last"
        assert last == (no and refused[now.date()] == 20)


def test_asking_twice_about_one_letter_takes_one_place(letter: InboundMail, alice: Correspondent) -> None:
    responder = Responder(letter, identified=False, now=MORNING)
    section: Section = {"kind": "confirm", "lines": ["RESIGN"]}
    assert [responder.may_reply(alice.email, section) for _ in range(9)] == [True] * 9
    assert RateLimitSlot.objects.count() == 1


def test_a_day_is_one_of_utc(letter: InboundMail, alice: Correspondent) -> None:
    evening = MORNING.replace(hour=23, minute=59)
    for _ in range(5):
        assert Responder(letter, identified=False, now=evening).may_reply(alice.email, SECTIONS[0])
    assert not Responder(letter, identified=False, now=evening).may_reply(alice.email, SECTIONS[0])
    later = evening + timedelta(minutes=1)
    assert Responder(letter, identified=False, now=later).may_reply(alice.email, SECTIONS[0])


def test_places_of_days_gone_by_are_forgotten_a_few_at_a_time(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "FORGOTTEN", 4)
    for day in range(4):
        for whom in ("alice", "bruno"):
            slots.take_place("answers", whom, MORNING + timedelta(days=day))
    now = MORNING + timedelta(days=3)
    assert [slots.forget_old_days(now=now) for _ in range(3)] == [4, 0, 0]
    assert RateLimitSlot.objects.filter(day=now.date()).count() == 2
    assert slots.take_place("answers", "alice", now) == 2


def test_the_table_says_what_was_promised() -> None:
    assert {cap.name: (cap.most, cap.within) for cap in CAPS.values()} == {
        "seat": (300, HOUR),
        "player": (300, HOUR),
        "holders": (20, HOUR),
        "question": (20, HOUR),
        "message": (20, HOUR),
        "bounces": (20, HOUR),
        "goodbye": (20, HOUR),
        "sender": (20, HOUR),
        "server": (1000, HOUR),
        "answers": (5, DAY),
        "replies": (8, DAY),
        "unsure": (5, DAY),
        "code": (1, DAY),
        "unclear": (2, DAY),
        "refusals": (20, DAY),
        "questions": (20, DAY),
        "asked": (5, DAY),
        "stranger": (1, WEEK),
        "challenges": (30, DAY),
        "invitations": (3, DAY),
        "invitations_day": (100, DAY),
        "invitations_domain": (50, DAY),
        "asks": (20, DAY),
        "absences": (10, DAY),
        "analyses": (5, DAY),
        "chat": (50, DAY),
        "exports": (1, DAY),
        "messages": (30, DAY),
        "organiser": (10, DAY),
        "stranger_first": (1, DAY),
        "stranger_again": (1, DAY),
        "stranger_words": (3, DAY),
        "strangers_day": (50, DAY),
        "strangers_server": (10, DAY),
        "strangers": (5, DAY),
        "token": (300, MINUTE),
        "visitor": (60, MINUTE),
        "codes": (5, DAY),
        "codes_from": (20, DAY),
    }
    assert all(CAPS[cap.name].why for cap in ANSWERS)
