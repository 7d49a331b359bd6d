"""What does not come back is ended, and its letter set aside; where threads read, words go to a process of its own."""

from __future__ import annotations

import gc
import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from pytest_django import Settings

from pbem import budget
from pbem.inbox import reading_child, reading_process, services
from pbem.inbox.models import OPEN_MAIL, InboundMail
from pbem.inbox.understanding import interpreter, near_misses
from pbem.inbox.understanding.near_misses import NearMisses
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.queue.enqueue import enqueue_on_commit, gathered
from pbem.refusals import Code
from tests.journeys.endless import PLANTED
from tests.mail_fixtures import Correspondent, Post

WORDS = "my man on b1 takes the one that stands there"


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=post.now, rng=Random(1))
    post.send()
    return match


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """As in a thread of `serve`; the keys of the letters that are handed on."""
    asked: list[int] = []
    monkeypatch.setattr(reading_process, "is_used", lambda: True)
    monkeypatch.setattr(reading_process, "open_there", asked.append)
    return asked


@pytest.mark.parametrize("said", PLANTED)
def test_in_the_main_thread_it_is_interrupted_and_the_letter_set_aside(
    post: Post, match: Match, alice: Correspondent, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "HARD", 0.3)
    monkeypatch.setattr(interpreter, "candidates", lambda text, context: PLANTED[said](text))
    row = alice.answers(alice.letter, WORDS)
    row.refresh_from_db()
    assert (row.verdict, row.attempts, row.holds_id) == (Code.POISON, 1, match.pk)
    assert row.trouble.startswith("Overdue in pbem/")
    monkeypatch.undo()
    assert alice.writes("GAMES").pk != row.pk
    assert InboundMail.objects.latest("pk").verdict == "ok"


@pytest.mark.parametrize("body", ["b1-b3", "b1-b3\n\n-- \nAlice", "SHOW", "RESIGN", "b1-b3\nDRAW"])
def test_exact_lines_are_read_here(
    post: Post, match: Match, alice: Correspondent, elsewhere: list[int], body: str
) -> None:
    row = alice.answers(alice.letter, body)
    row.refresh_from_db()
    assert row.verdict
    assert elsewhere == []


@pytest.mark.parametrize("body", [WORDS, "b1-b3\n\nWhat a week!", "sure"])
def test_words_are_read_there_and_nothing_is_done_here(
    post: Post, match: Match, alice: Correspondent, elsewhere: list[int], body: str
) -> None:
    row = alice.answers(alice.letter, body)
    assert set(elsewhere) == {row.pk}
    row.refresh_from_db()
    assert row.verdict == ""
    assert Match.objects.get().ply == 0
    with gathered():
        services.open_leased(row.pk, now=post.now)
    row.refresh_from_db()
    assert row.verdict


def test_the_letters_of_a_move_with_words_leave_from_there(
    post: Post,
    match: Match,
    alice: Correspondent,
    bruno: Correspondent,
    elsewhere: list[int],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    row = alice.answers(alice.letter, "b1-b3\n\nWhat a week!")
    monkeypatch.setattr(services, "default_sender", lambda: post.sender)
    with gathered() as tasks, django_capture_on_commit_callbacks(execute=True):
        services.open_leased(row.pk, now=post.now)
    assert "What a week!" in bruno.letter.text
    assert tasks == []


def test_the_process_sends_where_the_service_sends(settings: Settings) -> None:
    settings.EMAIL_URL = "smtp://relay.example:25"
    assert reading_process._environment()["EMAIL_URL"] == "smtp://relay.example:25"


def test_what_is_enqueued_there_is_told(db: None, django_capture_on_commit_callbacks: object) -> None:
    with gathered() as tasks, django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        enqueue_on_commit(OPEN_MAIL, 7)
    assert tasks == [(OPEN_MAIL, 7)]


@pytest.mark.parametrize(
    ("raised", "verdict"), [(reading_process.Silent, Code.POISON), (reading_process.Ended, "")]
)
def test_one_that_was_ended_is_set_aside_and_one_that_ended_is_tried_again(
    post: Post,
    match: Match,
    alice: Correspondent,
    elsewhere: list[int],
    raised: type[Exception],
    verdict: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ended(pk: int) -> None:
        raise raised

    monkeypatch.setattr(reading_process, "open_there", ended)
    row = alice.answers(alice.letter, WORDS)
    row.refresh_from_db()
    assert (row.verdict, row.attempts) == (verdict, 1)
    assert verdict or row.trouble


def test_only_threads_ask_it() -> None:
    reading_process._used, heard = True, []
    try:
        assert not reading_process.is_used()
        thread = threading.Thread(target=lambda: heard.append(reading_process.is_used()))
        thread.start()
        thread.join()
    finally:
        reading_process._used = False
    assert heard == [True]


@pytest.fixture
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sleeps.py").write_text("import time; time.sleep(60)")
    (tmp_path / "dies.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(reading_process, "_LAST_LETTER", 0.1)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("child", "raised"), [("sleeps", reading_process.Silent), ("dies", reading_process.Ended)]
)
def test_whether_it_was_ended_or_ended_by_itself(
    impatient: None, child: str, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "CHILD", child)
    monkeypatch.setattr(reading_process, "TIMEOUT", 1.0 if child == "sleeps" else 60.0)
    reader = reading_process._Reader()
    try:
        with pytest.raises(raised):
            reader.ask(7)
    finally:
        reader.stop()


@pytest.mark.prove
@pytest.mark.parametrize(
    ("answer", "raised"),
    [(lambda *_: sleep(60), reading_process.Silent), (lambda *_: os._exit(3), reading_process.Ended)],
    ids=["sleeps", "dies"],
)
def test_a_copy_is_replaced_by_a_new_process(
    impatient: None, answer: Callable[..., None], raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_process, "CHILD", "sleeps")
    monkeypatch.setattr(reading_process, "TIMEOUT", 1.0)
    reader = reading_process._Reader()
    reader._child = reading_process._Copy(answer)
    try:
        with pytest.raises(raised):
            reader.ask(7)
        assert isinstance(reader._child, subprocess.Popen)
    finally:
        reader.stop()


@pytest.mark.prove
def test_a_copy_ends_with_its_keys() -> None:
    reader = reading_process._Reader()
    reader._child = copy = reading_process._Copy(lambda keys, answers: answers.writelines(keys))
    reader.stop()
    assert copy.poll() == 0


def test_a_process_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: "a new process")
    reader = reading_process._Reader()
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        reader.copy(lambda keys, answers: None)
    finally:
        done.set()
        thread.join()
    assert reader._child == "a new process"  # type: ignore[comparison-overlap]


def test_what_is_loaded_before_the_first_letter_has_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "WORDING", 0.0)
    read = []

    def reads(lines: Sequence[str], *_: object) -> NearMisses:
        budget.check()
        read.extend(lines)
        return NearMisses()

    monkeypatch.setattr(near_misses, "_near_misses", reads)
    reading_child.warm.__wrapped__()
    gc.unfreeze()
    assert read == list(reading_child.WARMING)
