"""A person writes to the organiser and reaches a person, who can answer; a mistyped move still hears what was wrong."""

import re
from random import Random

import pytest
import time_machine
from django.conf import LazySettings as Settings
from django.contrib.auth.models import User
from django.test import Client

from pbem.competitions.tournaments import begin_list, open_tournament
from pbem.inbox.models import PersonalMessage
from pbem.matches.models import Match
from pbem.matches.services import offer_draw, start
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.announcements import announce, write
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

TO_US = [
    "Dear Sir or Madam, please send me the rules of Emergo.",
    "Gentile redazione, mi mandate le regole di Emergo?",
]
HELLO = "Caro Marino, mi puoi aiutare?"


@pytest.fixture
def loa(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    players = {"first": alice.player, "second": bruno.player}
    match = start(**players, game="loa", now=post.now, rng=Random(1))
    post.send()
    alice.reads(), bruno.reads()
    return match


@pytest.fixture
def desk(db: None) -> Client:
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(User.objects.create_superuser("olga"))
    return browser


@pytest.mark.prove
def test_a_message_to_the_organiser_waits_at_the_desk(
    post: Post, loa: Match, bruno: Correspondent, desk: Client, settings: Settings
) -> None:
    settings.ORGANISER_EMAIL = "olga@example.org"
    assert bruno.writes(HELLO).verdict == "ok"
    [letter] = bruno.reads()
    assert letter.kind == "to_organiser"
    said = " ".join(letter.text.split())
    assert "è andata all'organizzatore" in said
    assert "Era per Marino?" in said
    assert "    SCRIVO A Marino: le tue parole" in letter.text
    message = PersonalMessage.objects.get()
    assert (message.player, message.text, message.done_at) == (bruno.player, HELLO, None)
    notice = OutboundMail.objects.get(address="olga@example.org")
    assert HELLO not in notice.text
    assert "Bruno" in notice.text
    assert "/admin/inbox/personalmessage/" in notice.text
    page = f"/admin/inbox/personalmessage/{message.pk}/"
    shown = desk.get(f"{page}change/").content.decode()
    assert HELLO in shown
    assert not re.search(r"\b[a-z]\+[a-z2-7]{8}", shown)
    assert "Messages from people" in desk.get("/admin/").content.decode()
    with time_machine.travel(post.now, tick=False):
        desk.post(f"{page}press/answer/", {"text": "Volentieri! Di che si tratta?"})
    post.send()
    [answer] = bruno.reads()
    assert "Volentieri! Di che si tratta?" in answer.text
    assert PersonalMessage.objects.get().done_at is not None
    assert bruno.answers(answer, "Della Coppa.").verdict == "ok"
    assert PersonalMessage.objects.latest("pk").text == "Della Coppa."
    assert bruno.kinds() == ["to_organiser"]


@pytest.mark.parametrize(
    "line",
    [
        "SCRIVO A organizzatore: mi serve aiuto",
        "SCRIVO ALL'organizzatore: mi serve aiuto",
        "scrivo all'organizzatore: mi serve aiuto",
        "MESSAGE organiser: mi serve aiuto",
        "MESSAGE the organiser: mi serve aiuto",
    ],
)
@pytest.mark.parametrize("to_a_match", [True, False])
def test_a_message_by_command_reaches_the_organiser(
    post: Post, loa: Match, bruno: Correspondent, line: str, to_a_match: bool
) -> None:
    if to_a_match:
        offer_draw(loa.seated[0], now=post.now)
        post.send()
        [letter] = bruno.reads()
        assert bruno.answers(letter, line).verdict == "ok"
    else:
        assert bruno.writes(line).verdict == "ok"
    [answer] = bruno.reads()
    assert answer.kind == "to_organiser"
    message = PersonalMessage.objects.get()
    assert (message.player, message.text) == (bruno.player, "mi serve aiuto")


def test_an_answer_to_an_announcement_reaches_the_organiser(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    cup = open_tournament("Coppa", game="loa", now=post.now)
    begin_list(cup, "Alice, Bruno", number=1, now=post.now, rng=Random(1))
    post.send()
    alice.reads(), bruno.reads()
    announce(
        cup, {"it": "Si comincia lunedì. Va bene?", "en": "We begin on Monday. All right?"}, now=post.now
    )
    post.send()
    alice.answers(alice.letter, "Yes!")
    assert PersonalMessage.objects.get().text == "Yes!"
    assert alice.kinds()[-1] == "to_organiser"


@pytest.mark.parametrize("said", ["Yes!", "YES", "Sì", "No", "b1-b3"])
def test_an_answer_to_the_organiser_answers_no_player(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    offer_draw(loa.seated[1], now=post.now)
    write(alice.player, "Shall I write to Bruno about it?", now=post.now)
    post.send()
    letter = next(each for each in alice.reads() if each.kind == "organiser")
    assert alice.answers(letter, said).verdict == "ok"
    match = Match.objects.get(pk=loa.pk)
    assert (match.status, match.ply, match.draw_offered_by) == ("playing", 0, 1)
    assert PersonalMessage.objects.get().text == said


def test_a_command_in_an_answer_to_the_organiser_is_done(
    post: Post, loa: Match, alice: Correspondent
) -> None:
    write(alice.player, "Write MATCHES to see yours.", now=post.now)
    post.send()
    assert alice.answers(alice.letter, "STATUS").verdict == "ok"
    assert not PersonalMessage.objects.exists()
    assert "to_organiser" not in alice.kinds()


@pytest.mark.parametrize(
    "text",
    ["b1b33", "DRWA", "drraw please", "b1-b9", "Hello!", "Ciao a tutti", "b1-b3 x y", "b1-b8"],
)
def test_what_is_nearly_a_command_or_too_short_hears_what_was_wrong(
    post: Post, loa: Match, alice: Correspondent, text: str
) -> None:
    assert alice.writes(text).verdict != "ok"
    assert not PersonalMessage.objects.exists()


def test_a_mistyped_move_in_answer_to_a_turn_letter_is_refused_as_ever(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    players = {"first": alice.player, "second": bruno.player}
    start(**players, game="loa", now=post.now, rng=Random(1))
    post.send()
    assert (
        alice.answers(alice.letter, "I would like to play b1 to b33, dear Bruno").verdict
        == Code.NO_MOVE_FOUND
    )
    assert alice.kinds()[-1] == "refused"
    assert not PersonalMessage.objects.exists()


@pytest.mark.prove
def test_no_flood_reaches_the_desk_or_its_mailbox(
    post: Post, loa: Match, bruno: Correspondent, settings: Settings
) -> None:
    settings.ORGANISER_EMAIL = "olga@example.org"
    verdicts = [bruno.writes(f"{HELLO} Domanda numero {number}.").verdict for number in range(12)]
    assert verdicts[:10] == ["ok"] * 10
    assert "ok" not in verdicts[10:]
    assert PersonalMessage.objects.count() == 10
    assert OutboundMail.objects.filter(address="olga@example.org").count() == 1


def test_reply_addresses_are_cut_from_what_the_organiser_reads(
    post: Post, loa: Match, bruno: Correspondent
) -> None:
    leak = "m+abcdefghijklmnopqrstuvwxyz234567@pbem.localhost"
    bruno.writes(f"{HELLO} Mi hai scritto da {leak}, il mio nuovo indirizzo è bruno2@example.it")
    text = PersonalMessage.objects.get().text
    assert leak not in text
    assert "bruno2@example.it" in text


@pytest.mark.parametrize(
    ("dmarc", "copy", "doubted"),
    [("pass", "", False), ("none", "", True), ("pass", "bruno@example.org", True)],
)
def test_whatever_may_be_somebody_elses_is_doubted_at_the_desk(
    post: Post, alice: Correspondent, dmarc: str, copy: str, doubted: bool
) -> None:
    """She has sent the organiser's letter on, with its reply address."""
    write(alice.player, "Shall I write to Bruno about it?", now=post.now)
    post.send()
    headers = {"Cc": copy} if copy else {}
    assert alice.answers(alice.letter, "He never answers me.", dmarc=dmarc, headers=headers).verdict == "ok"
    assert PersonalMessage.objects.get().doubted == doubted


@pytest.mark.parametrize(("dmarc", "doubted"), [("pass", False), ("none", True)])
def test_at_the_address_of_all_as_well(alice: Correspondent, dmarc: str, doubted: bool) -> None:
    assert alice.writes("Dear Marino, could you help me please?", dmarc=dmarc).verdict == "ok"
    assert PersonalMessage.objects.get().doubted == doubted


def test_what_was_read_wrongly_is_for_the_organiser_after_no(
    alice: Correspondent, bruno: Correspondent
) -> None:
    """We asked whether a command was meant; the words are lost no more than those that we made nothing of."""
    words = "Perhaps somebody could start a game of loa with Bruno for me?"
    assert alice.writes(words).verdict == Code.CONFIRM_NEEDED
    assert "NO sends your message to the organiser" in " ".join(alice.letter.text.split())
    alice.answers(alice.letter, "Hm, hm.")
    assert "NO sends your message to the organiser" in " ".join(alice.letter.text.split())
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    assert alice.kinds() == ["confirm", "confirm", "to_organiser"]
    assert PersonalMessage.objects.get().text == words
    assert bruno.kinds() == []


@pytest.mark.parametrize(
    "said", ["I want to be removed completely, games, address, the lot.", "Delete my account please"]
)
def test_who_wants_to_be_erased_writes_to_the_organiser(alice: Correspondent, said: str) -> None:
    alice.writes(said)
    assert alice.letter.kind == "to_organiser"


@pytest.mark.parametrize("said", TO_US)
def test_who_is_addressed_by_no_name_is_us(alice: Correspondent, said: str) -> None:
    alice.writes(said)
    assert alice.letter.kind in ("help", "confirm")
