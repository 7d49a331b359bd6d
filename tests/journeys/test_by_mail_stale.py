"""What an old letter of ours is good for, and one about no match, in the hands of the one who was given it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import ConditionalLine, Match, Note
from pbem.players.models import Absence, Player
from pbem.players.models.message import PlayerBlock
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post

# Nobody vouches: the domain publishes no policy, and anybody may write "From: Alice".
FORGED = ""
BEFORE = (
    "NEXT Gc1, b4",
    "IF Bd6, d7 THEN Gc1, b4",
    "DRAW",
    "SAY I give up on you.",
    "NOTE CLEAR",
    "STOP ALL",
    "AWAY 5 DAYS",
    "BLOCK Bruno",
    "PAUSE 3 DAYS",
    "SET LANGUAGE it",
)


def everything() -> list[object]:
    """What a letter could have changed."""
    match = Match.objects.values("ply", "status", "draw_offered_by", "winner", "stopped").order_by("pk")
    players = [{**row, "complaint_mentioned": None} for row in Player.objects.order_by("pk").values()]
    models = (Absence, PlayerBlock, ConditionalLine, Note)
    return [list(match), players, [list(model.objects.order_by("pk").values()) for model in models]]


@pytest.fixture
def old(zertz: Match, alice: Correspondent, bruno: Correspondent) -> Delivery:
    """A letter that Alice has answered since."""
    letter = alice.letter
    alice.answers(letter, "Gb1, a4\nNOTE He likes the left side.")
    bruno.answers(bruno.letter, "Bb5, d7")
    alice.reads()
    bruno.reads()
    return letter


@pytest.mark.parametrize("line", BEFORE)
def test_an_old_address_changes_nothing_by_itself(
    line: str, old: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    before = everything()
    row = alice.writes(line, to=old.reply_to, dmarc=FORGED)
    assert (row.verdict, row.reading["token"]) == (Code.CONFIRM_NEEDED, "stale")
    assert everything() == before
    assert (alice.kinds(), bruno.kinds()) == (["confirm"], [])


def test_her_provider_vouches_for_what_she_says_in_answer_to_an_old_letter(
    old: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(old, "DRAW").verdict == "ok"
    assert bruno.kinds() == ["offer"]


def test_a_move_for_the_old_board_is_refused_at_once_with_the_board_of_now(
    old: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    row = alice.answers(old, "Wd4, a1\nWhat do you say now?", dmarc=FORGED)
    assert row.verdict == Code.STALE_TURN
    assert alice.kinds() == ["refused"]
    assert bruno.kinds() == []


TALK = [
    "PS: Bruno, which hotel?",
    "No no, tocca a te!",
    "Sorry, I was away. How are you?",
    "Bella partita, complimenti",
]


@pytest.mark.parametrize("words", TALK)
def test_words_to_an_older_letter_reach_the_opponent(
    words: str, old: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(old, words).verdict == "ok"
    assert bruno.kinds() == ["message"]
    assert f"  | {words}" in bruno.letter.text
    [receipt] = alice.reads()
    assert receipt.kind == "said"
    assert f"  | {words}" in receipt.text


@pytest.mark.parametrize("words", TALK)
def test_words_that_nobody_vouches_for_wait_for_a_yes(
    words: str, old: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    assert alice.answers(old, words, dmarc=FORGED).verdict == Code.CONFIRM_NEEDED
    assert (alice.kinds(), bruno.kinds()) == (["confirm"], [])
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert bruno.kinds() == ["message"]
    assert f"  | {words}" in bruno.letter.text


@pytest.mark.parametrize(("dmarc", "words"), [("pass", "And now?"), (FORGED, "E adesso?")])
def test_words_below_a_move_for_the_old_board_are_for_the_next_letter(
    dmarc: str, words: str, old: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    before = everything()
    assert alice.answers(old, f"Wd4, a1\n{words}", dmarc=dmarc).verdict == Code.STALE_TURN
    assert everything() == before
    assert f"  » {words}" in alice.letter.text
    assert bruno.kinds() == []


def test_a_move_in_another_match_waits(
    old: Delivery, begin: object, alice: Correspondent, bruno: Correspondent
) -> None:
    """An old letter of one match opens no other, and says nothing of the turn that is now."""
    first = Match.objects.get()
    alice.writes("CHALLENGE Bruno loa first")
    bruno.answers(bruno.letter, "SÌ")
    other = Match.objects.latest("pk")
    for line in (f"{other.pk} b1-b3", f"{first.pk} Gc1, b4#3", "Gc1, b4#3"):
        alice.reads()
        before = everything()
        assert alice.writes(line, to=old.reply_to, dmarc=FORGED).verdict == Code.CONFIRM_NEEDED, line
        assert alice.kinds() == ["confirm"], line
        assert everything() == before


def test_some_weeks_later_it_is_no_more_than_a_name(
    old: Delivery, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """It is answered as any letter to play@ is: never with an error, never without a question."""
    alice.post.wait(days=29)
    before = everything()
    assert charlie.writes("SHOW", to=old.reply_to).verdict == Code.UNVERIFIED
    assert alice.writes("DRAW", to=old.reply_to, dmarc=FORGED).verdict == Code.CONFIRM_NEEDED
    assert everything() == before
    assert alice.kinds() == ["confirm"]
    assert alice.writes("DRAW", to=old.reply_to).verdict == "ok"


# -- a letter about no match -----------------------------------------------------------------------------------


@pytest.fixture
def help_letter(zertz: Match, alice: Correspondent) -> Delivery:
    """Alice has sent it on to a friend."""
    alice.writes("HELP")
    [letter] = alice.reads()
    assert letter.reply_to.startswith("l+")
    return letter


def forged(alice: Correspondent, line: str, letter: Delivery) -> InboundMail:
    return alice.writes(line, to=letter.reply_to, dmarc=FORGED)


@pytest.mark.parametrize(
    "line", [*BEFORE, "1 Wd4, a1", "Wd4, a1", "REMATCH", "SET ADDRESS mallory@evil.example"]
)
def test_a_letter_that_was_handed_on_does_not_give_the_account_away(
    line: str, help_letter: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    before = everything()
    row = forged(alice, line, help_letter)
    assert (row.verdict, row.reading["token"]) in (
        (Code.CONFIRM_NEEDED, "player"),
        (Code.NO_MOVE_FOUND, "player"),
    )
    assert everything() == before
    assert bruno.kinds() == []


@pytest.mark.parametrize("line", ["CHALLENGE Bruno loa", "OFFER loa"])
def test_it_is_enough_to_look_for_a_match(line: str, help_letter: Delivery, alice: Correspondent) -> None:
    assert forged(alice, line, help_letter).verdict == "ok"


def test_it_is_enough_to_take_an_offer_and_to_read(
    help_letter: Delivery, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("OFFER loa")
    assert forged(alice, "JOIN 1", help_letter).verdict == "ok"
    assert forged(alice, "GAMES", help_letter).verdict == "ok"
    assert Match.objects.count() == 2


def test_with_her_provider_it_is_as_good_as_a_token(help_letter: Delivery, alice: Correspondent) -> None:
    row = alice.answers(help_letter, f"{Match.objects.get().pk} Wd4, a1")
    assert row.verdict == "ok"
    assert Match.objects.get().ply == 1


@pytest.mark.parametrize("words", ["Yes!", "1 Wd4, a1", "DRAW", "AWAY 5 May TO 9 May"])
def test_a_private_letter_that_is_sent_on_to_it_does_nothing(
    words: str, help_letter: Delivery, post: Post, alice: Correspondent
) -> None:
    """Anyone who was handed HELP, and has a letter that she once signed, has both halves."""
    before = everything()
    words = words.replace("1 ", f"{Match.objects.get().pk} ")
    raw = alice.pens(words, headers={"To": "Bruno <bruno@example.org>"})
    assert post.deliver(raw, help_letter.reply_to, "bruno@example.org").verdict == Code.CONFIRM_NEEDED
    assert everything() == before


def test_after_thirty_days_it_is_a_letter_like_another(help_letter: Delivery, alice: Correspondent) -> None:
    alice.post.now += timedelta(days=31)
    row = forged(alice, "CHALLENGE Bruno loa", help_letter)
    assert (row.verdict, row.reading["token"]) == (Code.CONFIRM_NEEDED, "absent")


def test_the_friend_can_sign_up_with_it_and_learns_nothing(
    help_letter: Delivery, alice: Correspondent, stranger: Correspondent
) -> None:
    row = stranger.writes("REGISTER Dora", to=help_letter.reply_to)
    assert (row.verdict, row.player) == (Code.CONFIRM_NEEDED, None)
    [question] = stranger.reads()
    assert question.kind == "signup"
    assert "Alice" not in question.text
    assert alice.kinds() == []


def test_what_the_friend_writes_otherwise_she_is_asked_about(
    help_letter: Delivery, alice: Correspondent, stranger: Correspondent
) -> None:
    before = everything()
    assert stranger.writes("CHALLENGE Bruno loa", to=help_letter.reply_to).verdict == Code.FROM_MISMATCH
    assert (alice.kinds(), stranger.letters, everything()) == (["confirm"], [], before)
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    assert alice.kinds() == []
    assert stranger.writes("STOP ALL", to=help_letter.reply_to).verdict == Code.REVOKED
    assert (alice.kinds(), stranger.letters, everything()) == (["notice"], [], before)


def test_a_message_is_answered_as_before(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    """Nobody vouches; what is said goes to the player who wrote, and to nothing else."""
    bruno.writes("MESSAGE Alice: how are you?")
    alice.reads()
    letter = alice.letter
    assert letter.reply_to.startswith("w+")
    assert alice.answers(letter, "Very well!", dmarc=FORGED).verdict == "ok"
    before = everything()
    assert alice.answers(letter, "STOP ALL", dmarc=FORGED).verdict == Code.CONFIRM_NEEDED
    assert everything() == before


def test_its_holder_does_not_have_us_write_to_any_address(
    help_letter: Delivery, alice: Correspondent, stranger: Correspondent
) -> None:
    """Anyone who has a reply address can write any From."""
    for number in range(2):
        victim = Correspondent(alice.post, f"Victim{number}", f"victim{number}@example.org")
        assert (
            victim.writes("REGISTER Dora", to=help_letter.reply_to, dmarc="fail").verdict
            == Code.FROM_MISMATCH
        )
        assert victim.letters == []


# -- how often she is asked ------------------------------------------------------------------------------------


@pytest.mark.prove
@pytest.mark.parametrize("dmarc", [FORGED, "fail"])
def test_whoever_has_old_addresses_does_not_flood_her_with_questions(
    dmarc: str, old: Delivery, help_letter: Delivery, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    most = CAPS["questions"].most
    rows = [
        alice.writes(line, to=letter.reply_to, dmarc=dmarc)
        for number in range(most)
        for letter, line in ((old, "DRAW"), (help_letter, f"BLOCK Nobody{number}"))
    ]
    questions = alice.reads()
    assert [letter.kind for letter in questions] == ["confirm"] * most
    assert len({row.verdict for row in rows}) == 1, "each is kept, with the same verdict"
    assert [row.reading.get("silenced", []) for row in rows] == [[]] * most + [["questions"]] * most
    assert InboundMail.objects.filter(pk__in=[row.pk for row in rows]).count() == 2 * most
    words = "This is today's last question"
    said = [words in " ".join(letter.text.split()) for letter in questions]
    assert said == [False] * (most - 1) + [True]
    # Her own letters are heard as ever, and asked about as ever.
    newest = next(letter for letter in reversed(alice.letters) if letter.kind == "turn")
    assert alice.answers(newest, "RESIGN").verdict == Code.CONFIRM_NEEDED
    assert alice.kinds() == ["confirm"]
    assert alice.answers(newest, "DRAW").verdict == "ok"
    post.wait(days=1)
    alice.reads()
    alice.writes("BLOCK Bruno", to=help_letter.reply_to, dmarc=dmarc)
    assert alice.kinds() == ["confirm"]


def test_words_alone_that_wait_say_that_they_wait(old: Delivery, alice: Correspondent) -> None:
    alice.writes("What a lovely evening that was.", to=old.reply_to, dmarc=FORGED)
    told = " ".join(alice.letter.text.split())
    assert told.startswith("An email in your name says: What a lovely evening that was.")
    assert "And your words to Bruno: What a lovely evening that was." in told
