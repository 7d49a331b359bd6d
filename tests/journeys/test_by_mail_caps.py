"""How often somebody is answered: players always, those who may be forged a few times a day."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils.translation import override

from pbem.inbox.models import Confirmation, InboundMail
from pbem.inbox.rate_limits.slots import take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match, Seek
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, play_address

Begin = Callable[..., Match]
NONSENSE = "I am not sure what to do here."


def silenced(row: InboundMail) -> list[str]:
    """What the organiser reads: the caps for which there was no answer."""
    return list(row.reading.get("silenced", []))


def forged(post: Post, mallory: str, victim: Correspondent, body: str, number: int = 0) -> InboundMail:
    """A letter that says to be from somebody; nothing in it is theirs."""
    raw = victim.pens(body, dmarc="", headers={"Reply-To": mallory})
    return post.deliver(raw, play_address(), f"{number}.{mallory}")


# -- anybody may have written it --------------------------------------------------------------------------


def test_a_victim_whose_address_is_forged_gets_five_answers_and_five_questions_in_a_day(
    post: Post, alice: Correspondent, charlie: Correspondent
) -> None:
    """However many envelopes the forger has. Charlie is where they would like the answers to go."""
    rows = [forged(post, charlie.email, alice, "HELP", number) for number in range(12)]
    assert [row.verdict for row in rows] == ["ok"] * 5 + [Code.CONFIRM_NEEDED] * 7
    assert alice.kinds() == ["help"] * 5 + ["confirm"] * 5
    assert charlie.letters == []
    assert [silenced(row) for row in rows] == [[]] * 10 + [["unsure"]] * 2
    post.wait(hours=15)  # the next day of UTC has begun
    forged(post, charlie.email, alice, "GAMES")
    assert alice.kinds() == ["games"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("alice", "This is today's last answer"), ("bruno", "Questa è l'ultima risposta")],
)
def test_the_fifth_says_that_it_is_the_last_and_how_to_be_known(
    request: pytest.FixtureRequest, name: str, words: str
) -> None:
    player: Correspondent = request.getfixturevalue(name)
    for _ in range(5):
        player.writes("HELP", dmarc="")
    letters = [" ".join(letter.text.split()) for letter in player.reads()]
    assert [words in text for text in letters] == [False] * 4 + [True]


def test_a_player_is_told_the_same_refusal_as_often_as_anything(alice: Correspondent) -> None:
    rows = [alice.writes(body, dmarc="") for body in ("Hm, hm.", "Well then.", "SHOW 999", "SHOW 998")]
    assert [row.verdict for row in rows] == [
        Code.NO_MOVE_FOUND,
        Code.NO_MOVE_FOUND,
        Code.NO_SUCH_MATCH,
        Code.NO_SUCH_MATCH,
    ]
    assert alice.kinds() == ["refused"] * 4
    assert [silenced(row) for row in rows] == [[]] * 4


def test_two_refusals_of_one_letter_are_told_together(alice: Correspondent) -> None:
    alice.writes("SHOW 999\nSHOW 998", dmarc="")
    [answer] = alice.reads()
    assert "999" in answer.text
    assert "998" in answer.text


def test_a_question_that_cannot_be_asked_is_not_put_aside(post: Post, alice: Correspondent) -> None:
    for _ in range(6):
        row = alice.writes("CHALLENGE Alice zertz", dmarc="")
        assert row.verdict == Code.CONFIRM_NEEDED
    assert silenced(row) == ["unsure"]
    assert Confirmation.objects.count() == 5


def test_who_has_her_reply_address_but_is_not_alice_cannot_flood_her(
    post: Post, zertz: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """Each of his letters would ask her a question; her own are answered as ever."""
    to = alice.letter.reply_to
    for _ in range(12):
        assert charlie.writes("Wd4, a1", to=to).verdict == Code.FROM_MISMATCH
    assert alice.kinds() == ["confirm"] * 5
    assert charlie.letters == []
    assert alice.answers(alice.letters[0], "SHOW", to=to).verdict == "ok"
    assert alice.kinds() == ["board"]


def test_no_answer_goes_where_no_bounce_may_go(post: Post, zertz: Match, alice: Correspondent) -> None:
    """The empty sender is that of machines, whatever From says (RFC 5321, 4.5.5)."""
    for to in (play_address(), alice.letter.reply_to):
        assert post.deliver(alice.pens("HELP"), to, "").verdict == Code.AUTO_REPLY
    assert alice.kinds() == []


def test_a_stranger_is_told_the_same_once_in_a_day_and_the_row_says_so(stranger: Correspondent) -> None:
    stranger.writes("HELP")
    again = stranger.writes("HELP")
    assert (again.verdict, silenced(again)) == (Code.UNVERIFIED, [])
    once_more = stranger.writes("HELP")
    assert (once_more.verdict, silenced(once_more)) == (Code.UNVERIFIED, ["stranger_again"])
    assert stranger.kinds() == ["invitation", "told_before"]


@pytest.mark.prove
def test_a_mailbox_that_answers_every_question_is_asked_eight_times_more_in_a_day(
    post: Post, stranger: Correspondent
) -> None:
    """Somebody signed up in the name of a machine, whose answers look like a person's."""
    stranger.writes("REGISTER Dora")
    for _ in range(20):
        stranger.answers(stranger.letter, "Thank you for your letter. We shall come back to you.")
    assert stranger.kinds() == ["signup"] * 9
    post.wait(days=1)
    for _ in range(20):
        stranger.answers(stranger.letter, "Thank you for your letter. We shall come back to you.")
    assert stranger.kinds() == ["signup"] * 8


# -- players --------------------------------------------------------------------------------------------


@pytest.mark.prove
@pytest.mark.parametrize("dmarc", ["pass", "", "fail"])
def test_a_player_hears_of_twenty_letters_that_could_not_be_done_the_last_says_so(
    post: Post, zertz: Match, bruno: Correspondent, dmarc: str
) -> None:
    """It is Alice's turn; with dmarc=fail Bruno is asked whether he wrote each of them."""
    to = bruno.letter.reply_to
    rows = [bruno.writes("Ne5, a2", to=to, dmarc=dmarc) for _ in range(23)]
    letters = bruno.reads()
    assert len(letters) == 20
    asked = dmarc == "fail"
    words = "l'ultima domanda" if asked else "non rispondiamo più"
    assert [words in " ".join(letter.text.split()) for letter in letters] == [False] * 19 + [True]
    assert {row.verdict for row in rows} == {Code.DMARC_FAIL if asked else Code.NOT_YOUR_TURN}
    assert [silenced(row) for row in rows] == [[]] * 20 + [["questions" if asked else "refusals"]] * 3


@pytest.mark.prove
def test_what_can_be_done_is_done_and_answered_after_twenty_refusals(
    zertz: Match, alice: Correspondent
) -> None:
    to = alice.letter.reply_to
    for _ in range(25):
        alice.writes("Wa1, a1", to=to)
    alice.reads()
    assert alice.writes("Wd4, a1", to=to).verdict == "ok"
    assert alice.kinds() == ["played"]


@pytest.mark.prove
def test_refusals_are_counted_for_each_match_and_each_day(
    post: Post, begin: Begin, alice: Correspondent
) -> None:
    first, second = begin(), begin("loa")
    for _ in range(21):
        alice.writes(f"{first.pk} Wa1, a1")
    assert alice.kinds() == ["refused"] * 20
    alice.writes(f"{second.pk} b1-b1")
    assert alice.kinds() == ["refused"]
    post.wait(hours=15)
    alice.writes(f"{first.pk} Wa1, a1")
    assert alice.kinds() == ["refused"]


@pytest.mark.prove
def test_nobody_has_us_write_to_all_the_world(post: Post, alice: Correspondent) -> None:
    """Each new address is asked whether it is hers; she is told the same in any case."""
    rows = []
    for number in range(7):
        alice.writes(f"ADD ADDRESS victim{number}@example.net")
        rows.append(alice.answers(alice.letter, "YES ADDRESS"))
    assert [letter.kind for box in victims(post) for letter in box] == ["address"] * 5
    assert [row.verdict for row in rows] == ["ok"] * 7
    assert [silenced(row) for row in rows] == [[]] * 5 + [["asked"]] * 2
    assert {letter.kind for letter in alice.letters} == {"confirm", "addresses"}


@pytest.mark.prove
def test_nobody_floods_an_opponent_beside_the_board(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    """Pauses, takebacks and gifts of a day together; the moves go on."""
    number = begin("loa 3d/move").pk
    assert alice.writes("\n".join(f"GIVE {hours} HOURS" for hours in range(1, 20))).verdict == "ok"
    assert [alice.writes(line).verdict for line in ("PAUSE 3 DAYS", f"NO {number}", "PAUSE 2 DAYS")] == [
        "ok",
        "ok",
        Code.TOO_MUCH_ASKED,
    ]
    assert "tomorrow" in alice.letter.text
    bruno.reads()
    assert [alice.writes(line).verdict for line in ("GIVE 1 HOUR", "UNDO", f"{number} b1-b3")] == [
        Code.TOO_MUCH_ASKED,
        Code.TOO_MUCH_ASKED,
        "ok",
    ]
    assert bruno.kinds() == ["turn"]
    alice.post.wait(days=1)
    assert alice.writes("UNDO").verdict == "ok"
    assert bruno.kinds() == ["asks"]


@pytest.mark.prove
def test_nobody_comes_and_goes_without_end(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    begin("loa 3d/move")
    rows = [alice.writes("AWAY TO 6 May 2026\nBACK") for _ in range(11)]
    assert [row.verdict for row in rows] == ["ok"] * 10 + [Code.TOO_OFTEN_AWAY]
    assert len(bruno.reads()) <= 20
    assert alice.writes("AWAY 1 DAY").verdict == Code.TOO_OFTEN_AWAY
    assert bruno.kinds() == []


def test_taking_an_offer_counts_as_a_challenge(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("OFFRO loa")
    number = Seek.objects.get().pk
    for _ in range(CAPS["challenges"].most):
        take_place("challenges", f"player:{alice.player.pk}", post.now)
    assert alice.writes(f"JOIN {number}").verdict == Code.TOO_MANY_CHALLENGES
    assert not Match.objects.exists()
    post.wait(days=1)
    assert alice.writes(f"JOIN {number}").verdict == "ok"


def victims(post: Post) -> list[list[Delivery]]:
    return [box for address, box in post.mailboxes.boxes.items() if address.startswith("victim")]


def test_the_organiser_reads_why_in_both_languages() -> None:
    sentences = {}
    for language in ("en", "it"):
        with override(language):
            sentences[language] = {
                name: str(CAPS[name].why) for name in ("answers", "unsure", "code", "refusals", "questions")
            }
    assert sentences["en"]["answers"].startswith("This address has been answered five times")
    assert sentences["it"]["answers"].startswith("Questo indirizzo ha già avuto")
    assert not set(sentences["en"].values()) & set(sentences["it"].values())


# -- a guest who answers our question ------------------------------------------------------------------------


@pytest.mark.parametrize(("dmarc", "most"), [("pass", 8), ("none", 2)])
@pytest.mark.parametrize("first", ["an invitation", "a sign-up"])
def test_who_answers_our_question_hears_before_silence_what_we_wait_for(
    post: Post, bruno: Correspondent, first: str, dmarc: str, most: int
) -> None:
    guest = Correspondent(post, "Gianna", "guest@example.net")
    if first == "an invitation":
        bruno.writes(f"SFIDA {guest.email} emergo")
    else:
        guest.writes("ISCRIVIMI Gianna", dmarc=dmarc)
    [asked] = guest.reads()
    rows = [guest.answers(asked, f"chissà {number}", dmarc=dmarc) for number in range(most + 2)]
    assert [bool(silenced(row)) for row in rows] == [False] * most + [True] * 2
    told = ["una parola sola" in " ".join(letter.text.split()) for letter in guest.reads()]
    assert told == [False] * (most - 1) + [True]
    assert guest.answers(asked, "SÌ", dmarc=dmarc).verdict == "ok"
    assert guest.kinds()
