"""Emails that arrived, in the admin: shown as they came, explained, opened again."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from django.utils.translation import override

from pbem.admin.models import AuditEntry
from pbem.inbox.models import Confirmation, InboundMail
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.refusals import REFUSALS, Code, sentence

LIST = "/admin/inbox/inboundmail/"


def page(row: InboundMail) -> str:
    return f"{LIST}{row.pk}/change/"


def test_the_page_says_what_came_what_was_read_and_what_became_of_it(
    desk: Client, refused_letter: InboundMail, language: str
) -> None:
    response = desk.get(page(refused_letter))
    html = response.content.decode()
    assert f'<html lang="{language}"' in html
    assert "Hm, 5. &lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<script>alert" not in html
    assert ("P06 nessuna mossa trovata" if language == "it" else "P06 no move found") in html
    assert 'href="/admin/players/player/' in html
    facts = [str(fact) for _, fact in response.context["facts"]]
    assert facts[:2] == ["alice@example.org", "Hello"]


def test_the_page_says_why_there_was_no_answer(
    desk: Client, arrived: Callable[[bytes], InboundMail], alice: Player, language: str
) -> None:
    """Five answers in one day to letters that anybody may have written, five questions, and one letter more."""
    for number in range(11):
        row = arrived(b"From: alice@example.org\r\nMessage-ID: <%d@a>\r\n\r\nHELP\r\n" % number)
    html = desk.get(page(row)).content.decode()
    with override(language):
        assert escape(str(CAPS["unsure"].why)) in html


def test_odd_bytes_are_shown_and_do_no_harm(desk: Client, arrived: Callable[[bytes], InboundMail]) -> None:
    odd = b"\xff\xfe caf\xe9 \x00\x1b[31m \xe2\x80\xae</pre><script>"
    raw = desk.get(page(arrived(odd))).context["raw"]
    assert "caf�" in raw
    assert not set("\x00\x1b\u202e\r") & set(raw)


def test_a_long_letter_is_cut_with_a_note(desk: Client, arrived: Callable[[bytes], InboundMail]) -> None:
    row = arrived(b"blah blah\r\n" * 30_000)
    response = desk.get(page(row))
    assert len(response.context["raw"]) < 100_001
    assert response.context["shown"]
    assert response.context["shown"] in response.content.decode()


def test_a_short_letter_is_whole_and_says_nothing_of_a_cut(desk: Client, refused_letter: InboundMail) -> None:
    assert desk.get(page(refused_letter)).context["shown"] == ""


def test_a_letter_is_opened_again(desk: Client, refused_letter: InboundMail) -> None:
    button = f"{LIST}{refused_letter.pk}/press/open-again/"
    assert f'action="{button}"' in desk.get(page(refused_letter)).content.decode()
    assert desk.post(button).headers["location"] == page(refused_letter)
    refused_letter.refresh_from_db()
    assert (refused_letter.verdict, refused_letter.attempts) == ("", 0)
    assert AuditEntry.objects.get().row == (refused_letter.pk)


@pytest.mark.parametrize("verdict", ["", "ok"])
def test_what_waits_or_was_carried_out_is_not_opened_again(
    desk: Client, refused_letter: InboundMail, verdict: str
) -> None:
    InboundMail.objects.update(verdict=verdict)
    assert desk.get(page(refused_letter)).status_code == 200
    assert desk.post(f"{LIST}{refused_letter.pk}/press/open-again/").status_code == 404
    refused_letter.refresh_from_db()
    assert refused_letter.verdict == verdict


@pytest.mark.prove
def test_the_list_is_filtered_by_verdict_and_searched(desk: Client, refused_letter: InboundMail) -> None:
    unopened = InboundMail.objects.create(
        raw=b"",
        digest="2",
        sender="bruno@example.it",
        recipient="play@pbem.localhost",
        received_at=timezone.now(),
    )
    for asked, found in (
        ({}, [unopened, refused_letter]),
        ({"verdict": "none"}, [unopened]),
        ({"verdict": Code.NO_MOVE_FOUND}, [refused_letter]),
        ({"verdict": "ok"}, []),
        ({"q": "bruno@example.it"}, [unopened]),
        ({"q": "ali"}, [refused_letter]),
        ({"q": str(unopened.pk)}, [unopened]),
        ({"received_at__gte": "2999-03-03 00:00:00+00:00"}, []),
    ):
        assert list(desk.get(LIST, asked).context["cl"].result_list) == found


def test_the_filter_offers_every_verdict_that_a_kept_letter_can_have(
    desk: Client, refused_letter: InboundMail
) -> None:
    offered = {code for code, _ in desk.get(LIST).context["cl"].filter_specs[0].lookup_choices}
    assert {
        "none",
        "ok",
        Code.BOUNCE,
        Code.NO_MOVE_FOUND,
        Code.CONFIRM_NEEDED,
        Code.NO_SUCH_GAME,
        Code.ILLEGAL_MOVE,
        Code.POISON,
    } <= offered
    assert offered.isdisjoint(code for code in REFUSALS if code[0] in "TO")


def test_a_verdict_is_explained_in_the_language_of_the_desk(
    desk: Client, refused_letter: InboundMail, language: str
) -> None:
    with override(language):
        assert escape(sentence(Code.NO_MOVE_FOUND)) in desk.get(page(refused_letter)).content.decode()


def test_a_long_list_asks_few_questions_and_leaves_the_letters_on_the_disk(
    desk: Client, alice: Player, django_assert_max_num_queries: object
) -> None:
    InboundMail.objects.bulk_create(
        InboundMail(
            raw=b"x" * 1000, digest=str(n), sender="a@b.example", player=alice, received_at=timezone.now()
        )
        for n in range(40)
    )
    with django_assert_max_num_queries(6) as asked:  # type: ignore[operator]
        desk.get(LIST)
    assert not any('"raw"' in query["sql"] for query in asked.captured_queries)


def test_charlie_reads_and_opens_nothing(charlie: Client, refused_letter: InboundMail) -> None:
    assert charlie.get(LIST).status_code == 403
    assert charlie.get(page(refused_letter)).status_code == 403
    assert charlie.post(f"{LIST}{refused_letter.pk}/press/open-again/").status_code == 403
    refused_letter.refresh_from_db()
    assert refused_letter.verdict == Code.NO_MOVE_FOUND


def test_questions_that_wait_for_a_yes_are_read_only(
    desk: Client, charlie: Client, match: Match, arrived: Callable[[bytes], InboundMail]
) -> None:
    row = arrived(b"RESIGN\r\n")
    asked = Confirmation.objects.get(letter=row)
    where = f"/admin/inbox/confirmation/{asked.pk}/change/"
    assert "RESIGN" in desk.get("/admin/inbox/confirmation/").content.decode()
    assert f'href="{page(row)}"' in desk.get(where).content.decode()
    assert desk.post(where, {"used_at": ""}).status_code == 403
    assert charlie.get(where).status_code == 403
