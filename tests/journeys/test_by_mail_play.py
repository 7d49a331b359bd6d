"""A match by letters: moves in two languages, slips, offers, resignation, talk."""

import re
from collections.abc import Callable

import pytest

from games.export import from_json
from games.protocol import Side
from games.registry import find
from pbem.matches.models import Event, Match
from pbem.players.models import Player
from tests.post import Correspondent, Post, play_address

Begin = Callable[..., Match]


@pytest.fixture
def begin(alice: Correspondent, bruno: Correspondent) -> Begin:
    """A match that Alice begins, both having their first letter."""

    def begin(game: str = "zertz") -> Match:
        alice.writes(f"CHALLENGE Bruno {game} first")
        bruno.answers(bruno.letter, "SÌ")
        alice.reads()
        bruno.reads()
        return Match.objects.latest("pk")

    return begin


@pytest.fixture
def zertz(begin: Begin) -> Match:
    return begin()


@pytest.fixture
def loa(begin: Begin) -> Match:
    return begin("loa")


def moves(match: Match) -> list[str]:
    return [turn.move for turn in match.live_turns()]


def at(match: Match, picture: str, to_move: str) -> None:
    """Let the match stand here; the record does not say how it came to."""
    rows = [row.replace(" ", "").lower() for row in picture.strip().splitlines()]
    board = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))
    position = match.game.position(match.rules, f"{board} {to_move}")
    Match.objects.filter(pk=match.pk).update(position=str(position), to_move=int(position.to_move))


def sections(who: Correspondent) -> list[str]:
    """What his newest letter is made of."""
    return [section["kind"] for section in who.player.letters.latest("pk").sections]


def test_each_writes_in_his_own_language(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    """B is black for Alice and bianca for Bruno."""
    alice.answers(alice.letter, "Bd4, a1")
    bruno.answers(bruno.letter, "Be5, a2")
    assert moves(zertz) == ["Bd4,a1", "We5,a2"]
    assert "Nd4" in bruno.letters[-2].text
    assert "We5" in alice.letter.text


@pytest.mark.parametrize("written", ["Wd4, a1", "wd4 a1", "MOVE Wd4,a1", "1 Wd4,a1", "Wd4–a1.", "Wd4,a1#1"])
def test_the_ways_to_write_a_move(zertz: Match, alice: Correspondent, written: str) -> None:
    number = str(zertz.pk)
    written = f"{number}{written[1:]}" if written[0] == "1" else written
    assert alice.answers(alice.letter, written).verdict == "ok"
    assert moves(zertz) == ["Wd4,a1"]


def test_an_illegal_move_is_explained_and_changes_nothing(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Wd4, d3").verdict == "G06"
    [refusal] = alice.reads()
    assert refusal.kind == "refused"
    assert "d3" in refusal.text
    assert moves(zertz) == []
    assert alice.answers(refusal, "Wd4, a1").verdict == "ok"


def test_two_moves_in_one_letter_are_asked_about(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Wd4, a1\nor rather\nWd5, a1").verdict == "P07"
    assert moves(zertz) == []


def test_the_same_move_twice_is_one_move(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "Wd4, a1\nWd4,a1").verdict == "ok"
    assert moves(zertz) == ["Wd4,a1"]


def test_talk_alone_is_no_move(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.answers(alice.letter, "I will think about it until Sunday.").verdict == "P06"
    assert alice.kinds() == ["refused"]
    assert bruno.kinds() == []


def test_our_own_examples_are_not_moves(zertz: Match, alice: Correspondent) -> None:
    """Outlook quotes without marks; nothing of what we wrote counts."""
    lines = alice.letter.text.splitlines()
    headers = {"In-Reply-To": str(alice.letter.message["Message-ID"])}
    row = alice.writes("\n".join(["", *lines]), to=alice.letter.reply_to, headers=headers)
    assert row.verdict in ("P06", "P09")
    assert moves(zertz) == []


def test_the_letter_that_is_answered_tells_what_is_ours(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Since the turn letter came another one, about an older board and without examples."""
    alice.answers(alice.letter, "Wd4, a1")
    bruno.answers(bruno.letter, "Ng7, a2")
    turn = alice.letter
    alice.answers(turn, "SHOW AT 0")
    quoted = turn.text.partition("=====")[0]
    ours = {"In-Reply-To": str(turn.message["Message-ID"])}
    assert alice.writes(f"{quoted}\nGf3, g4\n", to=turn.reply_to, headers=ours).verdict == "ok"
    assert moves(zertz)[2:] == ["Gf3,g4"]


def test_a_second_answer_to_the_same_letter_does_not_count(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    first = alice.letter
    alice.answers(first, "Wd4, a1")
    assert alice.answers(first, "Wd5, a1").verdict == "G04"
    bruno.answers(bruno.letter, "Be5, a2")
    assert alice.answers(first, "Wd5, a1").verdict == "G04"
    assert moves(zertz) == ["Wd4,a1", "We5,a2"]


def test_a_letter_delivered_twice_is_one_letter(
    post: Post, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """A relay that heard no 250 brings the same letter again, with another trace."""
    raw, to = alice.pens("Wd4, a1"), alice.letter.reply_to
    first = post.deliver(raw, to)
    again = post.deliver(b"Received: from a relay that repeats itself\r\n" + raw, to)
    assert (again.pk, again.verdict) == (first.pk, "ok")
    assert (alice.kinds(), bruno.kinds()) == (["played"], ["turn"])


def test_whoever_is_not_to_move_is_told_so(zertz: Match, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "Bd4, a1").verdict == "G03"
    assert bruno.kinds() == ["refused"]


def test_a_stale_guard_is_refused(zertz: Match, alice: Correspondent) -> None:
    assert alice.writes("Wd4,a1#2").verdict == "G04"
    assert alice.writes("Wd4,a1#1").verdict == "ok"


def test_at_play_the_number_stands_in_front(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    first, second = begin(), begin("loa")
    assert alice.writes("Wd4, a1").verdict == "P06"
    assert alice.writes(f"{first.pk} Wd4, a1").verdict == "ok"
    assert alice.writes("", subject=f"MOVE {second.pk} b1-b3").verdict == "ok"
    assert (moves(first), moves(second)) == (["Wd4,a1"], ["b1-b3"])


def test_whoever_has_one_match_needs_no_number(zertz: Match, alice: Correspondent) -> None:
    assert alice.writes("Wd4, a1").verdict == "ok"
    assert moves(zertz) == ["Wd4,a1"]


def test_nobody_moves_in_a_match_of_others(
    zertz: Match, charlie: Correspondent, alice: Correspondent
) -> None:
    for line in (
        f"{zertz.pk} Wd4, a1",
        f"MOVE {zertz.pk} Wd4,a1",
        f"DRAW {zertz.pk}",
        f"SAY {zertz.pk}: hello",
    ):
        assert charlie.writes(line).verdict in ("G01", "P06")
    assert moves(zertz) == []
    assert alice.kinds() == []
    assert not any("Bruno" in letter.text or "Alice" in letter.text for letter in charlie.letters)


def test_two_matches_in_one_letter(begin: Begin, alice: Correspondent, bruno: Correspondent) -> None:
    """One answer for the sender; the opponent gets a letter for each match, so that he can answer each."""
    first, second = begin(), begin("loa")
    assert alice.writes(f"{first.pk} Wd4, a1\n{second.pk} b1-b3").verdict == "ok"
    [answer] = alice.reads()
    assert "Wd4,a1" in answer.text
    assert "b1-b3" in answer.text
    to_bruno = bruno.reads()
    assert [letter.subject for letter in to_bruno] == [str(first), str(second)]
    assert bruno.answers(to_bruno[0], "Be5, a2").verdict == "ok"
    assert bruno.answers(to_bruno[1], "a2-c2").verdict == "ok"


def test_several_commands_are_answered_in_one_letter_in_order(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    row = alice.answers(alice.letter, "GAMES\nWd4, a1\nSHOW\nDRAW")
    assert row.verdict == "ok"
    [answer] = alice.reads()
    assert answer.kind == "games"
    assert sections(alice) == ["games", "played", "board", "offered"]
    assert bruno.kinds() == ["turn"]


def test_a_question_with_a_move_is_answered_in_the_thread_of_the_match(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.answers(bruno.letter, "AIUTO\nMOSTRA")
    assert bruno.letter.subject == str(zertz)
    alice.answers(alice.letter, "HELP\nWd4, a1\nthanks")
    assert alice.letter.subject == str(zertz)
    assert bruno.answers(bruno.letters[-2], "Be5, a2").verdict == "G04"


def test_the_examples_of_a_letter_about_two_matches_name_the_match(
    begin: Begin, alice: Correspondent
) -> None:
    first, second = begin(), begin("loa")
    assert alice.writes(f"SHOW {first.pk}\nSHOW {second.pk}").verdict == "ok"
    both = alice.letter
    assert both.reply_to == play_address()
    examples = re.findall(rf"^    ((?:{first.pk}|{second.pk}) \S.*)$", both.text, re.MULTILINE)
    assert {line.split()[0] for line in examples} == {str(first.pk), str(second.pk)}
    for line in (examples[0], examples[-1]):
        assert alice.answers(both, line).verdict == "ok"


def test_one_slip_does_not_spoil_the_rest(zertz: Match, alice: Correspondent) -> None:
    row = alice.answers(alice.letter, "YES\nWd4, a1")
    assert row.verdict == "G08"
    assert moves(zertz) == ["Wd4,a1"]
    assert sections(alice) == ["refused", "played"]


def test_a_board_shown_and_a_slip_on_the_same_board(zertz: Match, alice: Correspondent) -> None:
    """The letter shows the board once, and still tells of both."""
    assert alice.answers(alice.letter, "SHOW\nWd4, d3").verdict == "G06"
    assert sections(alice) == ["board", "refused"]
    assert alice.letter.html.count("cid:") == 1


def test_show_now_then_and_too_far(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, a1")
    bruno.answers(bruno.letter, "Ng7, a2")
    alice.reads()
    alice.answers(alice.letter, "SHOW AT 1")
    alice.answers(alice.letter, "show")
    before, now = alice.reads()
    assert "[B]" in now.text
    assert "[B]" not in before.text
    assert alice.answers(now, "SHOW AT 9").verdict == "G10"
    assert (
        alice.answers(before, "Gb4, g4").verdict == "ok"
    )  # it shows the past, but answers go to the present


@pytest.mark.parametrize(
    ("body", "kind"), [("GAMES", "games"), ("HELP", "help"), ("HELP zertz", "help"), ("help loa", "help")]
)
def test_questions_are_answered(alice: Correspondent, body: str, kind: str) -> None:
    assert alice.writes(body).verdict == "ok"
    assert alice.kinds() == [kind]


def test_the_rules_come_in_the_language_of_the_reader(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("HELP zertz")
    bruno.writes("AIUTO zertz")
    for who, language in ((alice, "en"), (bruno, "it")):
        longest = max(find("zertz")[0].rules_page(language).split(), key=len)
        assert longest in who.letter.text


def test_help_for_a_game_that_is_not_here(alice: Correspondent) -> None:
    assert alice.writes("HELP chess").verdict in ("C02", "P06")


# -- talk ---------------------------------------------------------------------------------------------


def test_lines_below_the_move_reach_the_opponent_without_any_address(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1\n\nHello Bruno, how are you?\nNice weather here.")
    assert "Hello Bruno, how are you?" in bruno.letter.text
    assert "Nice weather here." in bruno.letter.text
    assert b"alice@example.org" not in bruno.letter.raw
    assert "Hello Bruno" in alice.letter.text  # the receipt shows what was relayed


def test_say_alone(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "DICO: Buona fortuna!").verdict == "ok"
    [message] = alice.reads()
    assert message.kind == "message"
    assert "Buona fortuna!" in message.text
    assert (
        alice.answers(message, "Wd4, a1").verdict == "ok"
    )  # its reply address is as good as the turn letter's


def test_a_refused_move_carries_no_talk(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, d3\nYou are lost.")
    assert bruno.kinds() == []


def test_charlie_learns_nothing_of_a_match(
    zertz: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1\nHello")
    bruno.answers(bruno.letter, "Be5, a2")
    assert charlie.letters == []
    for sender, receiver in ((alice, bruno), (bruno, alice)):
        assert not any(sender.email.encode() in letter.raw for letter in receiver.letters)


# -- the rules play along -----------------------------------------------------------------------------


# White's two men sit in corners; whichever way they look, a black man stands in the way.
STUCK = """
    . . . . . . O X
    . . . . . . O O
    . . . . . . . .
    . . O . . . . .
    . . . . . . . .
    . . . . . . . .
    O O . . . . . .
    X O . . . . . .
"""


def test_a_forced_pass_is_played_by_the_service(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """Alice moves, Bruno's turn passes in the same breath, and it is hers again."""
    at(loa, STUCK, to_move="o")
    assert alice.answers(alice.letter, "c5-d5").verdict == "ok"
    assert moves(loa) == ["c5-d5", "pass"]
    loa.refresh_from_db()
    assert (loa.ply, loa.to_move) == (2, Side.FIRST)
    assert Event.objects.filter(kind=Event.Kind.MOVED).count() == 1
    [receipt], [turn] = alice.reads(), bruno.reads()
    assert (receipt.kind, turn.kind) == ("played", "turn")
    assert bruno.answers(turn, "a1-a3").verdict == "G03"
    assert alice.answers(receipt, "d5-c5").verdict == "ok"
    assert moves(loa) == ["c5-d5", "pass", "d5-c5", "pass"]


def test_the_third_time_is_a_draw(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    """There and back, twice: the first position has occurred three times."""
    shuffle = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2
    for ply, move in enumerate(shuffle):
        who = (alice, bruno)[ply % 2]
        assert who.writes(move).verdict == "ok"
    loa.refresh_from_db()
    assert (loa.status, loa.winner, loa.reason) == (Match.Status.OVER, None, "repetition")
    assert loa.ply == 8
    assert (alice.letter.kind, bruno.letter.kind) == ("result", "result")
    assert bruno.writes(f"{loa.pk} b1-b3").verdict == "G02"


# -- offers and the end -------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["SÌ", "PATTA", "ACCETTO"])
def test_a_draw_offered_with_a_move_and_accepted(
    zertz: Match, alice: Correspondent, bruno: Correspondent, answer: str
) -> None:
    alice.answers(alice.letter, "Wd4, a1\nDRAW")
    assert sections(bruno) == ["turn", "offer"]
    assert bruno.answers(bruno.letter, answer).verdict == "ok"
    zertz.refresh_from_db()
    assert (zertz.status, zertz.winner, zertz.reason) == (Match.Status.OVER, None, "agreed")
    assert (alice.letter.kind, bruno.letter.kind) == ("result", "result")


def test_a_draw_declined(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, a1\nDRAW")
    alice.reads()
    assert bruno.answers(bruno.letter, "NO").verdict == "ok"
    assert alice.kinds() == ["rejected"]
    zertz.refresh_from_db()
    assert (zertz.status, zertz.draw_offered_by) == (Match.Status.PLAYING, None)


def test_an_offer_is_gone_with_the_next_move(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1\nDRAW")
    offer = bruno.letter
    bruno.answers(offer, "Be5, a2")
    assert bruno.answers(offer, "SÌ").verdict == "G08"
    zertz.refresh_from_db()
    assert zertz.status == Match.Status.PLAYING


def test_nobody_accepts_his_own_offer(zertz: Match, alice: Correspondent) -> None:
    assert alice.answers(alice.letter, "DRAW").verdict == "ok"
    assert alice.answers(alice.letter, "YES").verdict == "G08"


def test_resigning_is_asked_about_first(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.answers(alice.letter, "RESIGN\nGood game!").verdict == "A09"
    assert bruno.kinds() == []
    [question] = alice.reads()
    assert alice.answers(question, "YES").verdict == "ok"
    zertz.refresh_from_db()
    assert (zertz.status, zertz.winner, zertz.reason) == (Match.Status.OVER, 1, "resigned")
    assert (alice.kinds(), bruno.kinds()) == (["result"], ["result"])
    assert "Good game!" in bruno.letter.text


def test_resigning_after_all_not(zertz: Match, alice: Correspondent) -> None:
    alice.answers(alice.letter, "RESIGN")
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    zertz.refresh_from_db()
    assert zertz.status == Match.Status.PLAYING


def test_the_result_letters_carry_the_record(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1")
    bruno.answers(bruno.letter, "DICO: Devo andare\nABBANDONO")
    bruno.answers(bruno.letter, "SÌ")
    for who in (alice, bruno):
        [text, written] = [who.letter.attachments[f"zertz-{zertz.pk}.{form}"] for form in ("txt", "json")]
        record = from_json(written)
        assert record.moves == ("Wd4,a1",)
        assert len(record.replay()) == 2
        assert record.result is not None
        assert record.result.reason == "resigned"
        assert "Alice" in text


def test_nothing_moves_when_the_match_is_over(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1")
    last = bruno.letter
    bruno.answers(last, "ABBANDONO")
    bruno.answers(bruno.letter, "SÌ")
    for body in ("Be5, a2", "PATTA"):
        assert bruno.answers(bruno.letter, body).verdict == "G02"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "G08"
    assert moves(zertz) == ["Wd4,a1"]


def test_without_receipts_only_the_opponent_hears_of_a_move(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    Player.objects.filter(name="Alice").update(receipts=False)
    alice.answers(alice.letter, "Wd4, a1")
    assert (alice.kinds(), bruno.kinds()) == ([], ["turn"])
