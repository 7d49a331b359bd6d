"""From a challenge to a match, by letters."""

from random import Random

import pytest

from games.protocol import Side
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.players.services import fall_silent
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post


def match() -> Match:
    return Match.objects.get()


def test_alice_challenges_bruno_who_accepts(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno zertz first").verdict == "ok"
    assert alice.kinds() == ["challenged"]
    assert bruno.kinds() == ["challenge"]
    assert match().status == Match.Status.PROPOSED
    bruno.answers(bruno.letter, "SÌ")
    assert (alice.kinds(), bruno.kinds()) == (["turn"], ["turn"])
    assert alice.letter.subject == bruno.letter.subject == f"[{match().pk}] Zèrtz: Alice - Bruno"


def test_a_first_move_says_yes_to_a_challenge(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa second")
    challenge = bruno.letter
    assert bruno.answers(challenge, "b8-b6\nBuona partita, e saluti da Torino!").verdict == "ok"
    assert (match().status, match().ply) == (Match.Status.PLAYING, 1)
    assert alice.letter.kind == "turn"
    assert "saluti da Torino" in alice.letter.text
    assert bruno.answers(challenge, "b8-b6").verdict != "ok"
    assert match().ply == 1


@pytest.mark.parametrize(
    ("terms", "body"),
    [
        ("first", "b8-b6"),  # it is not theirs to begin
        ("second", "b8-b7"),  # no legal move
        ("second", "NO\nb8-b6"),
        ("second", "b8-b6\nb8-h8"),
    ],
)
def test_what_is_no_clear_first_move_is_no_yes(
    alice: Correspondent, bruno: Correspondent, terms: str, body: str
) -> None:
    alice.writes(f"CHALLENGE Bruno loa {terms}")
    assert bruno.answers(bruno.letter, body).verdict != "ok"
    assert match().status in (Match.Status.PROPOSED, Match.Status.DECLINED)
    assert alice.writes(f"{match().pk} b8-b6").verdict != "ok"
    assert match().ply == 0


def test_a_first_move_is_a_yes_in_the_answer_alone_and_may_be_asked_about(
    alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("CHALLENGE Bruno loa second")
    challenge = bruno.letter
    assert bruno.writes("b8-b6").verdict != "ok"
    assert match().status == Match.Status.PROPOSED
    assert bruno.answers(challenge, "Direi b8-b6, vediamo").verdict == Code.CONFIRM_NEEDED
    assert match().status == Match.Status.PROPOSED
    assert bruno.answers(bruno.letter, "sì").verdict == "ok"
    assert (match().status, match().ply) == (Match.Status.PLAYING, 1)


@pytest.mark.parametrize(
    ("line", "name", "first"),
    [
        ("CHALLENGE Bruno zertz first", "zertz", "Alice"),
        ("challenge bruno Zèrtz second", "zertz", "Bruno"),
        ("CHALLENGE Bruno zertz --blitz first", "zertz:blitz", "Alice"),
        ("CHALLENGE Bruno zertz:blitz goals=short first", "zertz:blitz", "Alice"),
        ("CHALLENGE Bruno zertz goals=short second", "zertz:goals=short", "Bruno"),
        ("CHALLENGE Bruno zertz:marbles=21 goals=short first", "zertz:blitz", "Alice"),
        ("CHALLENGE Bruno loa black", "loa", "Alice"),
        ("CHALLENGE Bruno loa WHITE", "loa", "Bruno"),
        ("SFIDA Bruno loa nero", "loa", "Alice"),
        ("SFIDA Bruno loa bianco scrambled", "loa:scrambled", "Bruno"),
        ("SFIDA Bruno zertz primo", "zertz", "Alice"),
        ("zertz challenge Bruno second", "zertz", "Bruno"),
    ],
)
def test_options_choose_the_rules_and_the_side(
    alice: Correspondent, bruno: Correspondent, line: str, name: str, first: str
) -> None:
    assert alice.writes(line).verdict == "ok"
    assert (match().game_name, match().players[Side.FIRST]) == (name, first)


def test_several_games_are_named_in_words(alice: Correspondent, bruno: Correspondent) -> None:
    lines = (
        "SFIDA Bruno Scacchi Trabocchetto", "sfida bruno trabocchetto primo",
        "CHALLENGE bruno Trapdoor Chess 7 days a move", "challenge Bruno Lines of Action scrambled",
        "Challenge bruno zèrtz", "CHALLENGE Bruno LOA",
    )  # fmt: skip
    assert alice.writes("\n".join(lines)).verdict == "ok"
    named = Match.objects.order_by("pk").values_list("game_name", flat=True)
    assert list(named) == ["trapdoor", "trapdoor", "trapdoor", "loa:scrambled", "zertz", "loa"]


LAYOUT = r"/|/\|--|||\/\-/--\/-||-\/-\\/|\/|-\/"


@pytest.mark.parametrize(
    ("line", "setup"),
    [
        (f"CHALLENGE Bruno insert setup={LAYOUT}", LAYOUT),
        (f"CHALLENGE Bruno insert black setup={LAYOUT[:6]} {LAYOUT[6:]}", f"{LAYOUT[:6]} {LAYOUT[6:]}"),
        (f"SFIDA Bruno insert x+ disposizione={LAYOUT[:35]}×", f"{LAYOUT[:35]}x"),
    ],
)
def test_a_set_up_is_the_last_option(
    alice: Correspondent, bruno: Correspondent, line: str, setup: str
) -> None:
    assert alice.writes(line).verdict == "ok"
    assert match().setup == setup
    assert "6    /    |    /    \\    |    -" in bruno.letter.text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("CHALLENGE Bruno insert setup=-/-", "'-/-' has 3 marks, and the board has 36 cells"),
        (f"CHALLENGE Bruno insert setup={LAYOUT[:35]}x", "'x' in"),
        (f"CHALLENGE Bruno insert setup={LAYOUT} white", "'"),
        ("CHALLENGE Bruno insert setup=", "Insert needs a layout"),
        ("CHALLENGE Bruno loa setup=8/8", "there is no set-up to choose, not even '8/8'"),
    ],
)
def test_a_bad_set_up_is_refused_in_the_words_of_the_game(
    alice: Correspondent, bruno: Correspondent, line: str, why: str
) -> None:
    """What else the letter asks is done."""
    assert alice.writes(f"{line}\nCHALLENGE Bruno loa first\nGAMES").verdict == Code.BAD_SETUP
    assert f"The game says: {why}" in alice.letter.text
    assert match().game_name == "loa"
    assert bruno.kinds() == ["challenge"]
    bruno.writes(line.replace("Bruno", "Alice"))
    assert f"Il gioco dice, in inglese: {why}" in bruno.letter.text


def test_the_letter_says_what_was_chosen(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno zertz goals=short islands=any first")
    for who, said in (
        (alice, "Zèrtz, 2 of each colour win, or 3 white, 4 grey or 5 black; every island leaves the board."),
        (bruno, "Zèrtz: si vince con 2 di ogni colore, o 3 bianche, 4 grigie o 5 nere; ogni isola lascia il"),
    ):
        assert said in " ".join(who.letter.text.split())


@pytest.mark.prove
def test_without_a_wish_the_lot_decides(
    alice: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.inbox.commands.matchmaking.SystemRandom", lambda: Random(1))
    for _ in range(8):
        alice.writes(f"CHALLENGE Bruno loa\n{'-- '}\nAlice")
    firsts = {match.players[Side.FIRST] for match in Match.objects.all()}
    assert len(firsts) == 1  # the same seed, the same lot
    monkeypatch.undo()
    for _ in range(20):
        alice.writes("CHALLENGE Bruno loa")
    assert {match.players[Side.FIRST] for match in Match.objects.all()} == {"Alice", "Bruno"}


def test_an_unknown_player_with_names_that_look_like_it(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Brunno zertz").verdict == Code.NO_SUCH_PLAYER
    assert "Bruno" in alice.letter.text
    assert bruno.letters == []


def test_an_unknown_variant_with_names_that_look_like_it(alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.writes("CHALLENGE Bruno zertz:blits").verdict == Code.NO_SUCH_GAME
    assert "zertz:blitz" in alice.letter.text
    assert not Match.objects.exists()


def test_oneself(alice: Correspondent) -> None:
    assert alice.writes("CHALLENGE Alice zertz").verdict == Code.AGAINST_YOURSELF
    assert not Match.objects.exists()


def test_an_address_tells_nothing_whether_it_is_registered_or_not(
    alice: Correspondent, bruno: Correspondent
) -> None:
    """The two answers differ in nothing but the address as written."""
    answers = []
    for who in ("bruno@example.org", "drupi@example.org"):
        assert alice.writes(f"CHALLENGE {who} zertz first").verdict == "ok"
        answers.append(alice.letter.text.replace(who, "somebody"))
    assert answers[0] == answers[1]
    assert bruno.kinds() == ["invites"]


def test_a_player_who_wants_no_letters_cannot_be_challenged(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    fall_silent(bruno.player, now=post.now)
    assert alice.writes("CHALLENGE Bruno zertz").verdict == Code.NO_SUCH_PLAYER
    assert alice.writes("CHALLENGE Brunno zertz").verdict == Code.NO_SUCH_PLAYER
    assert "Bruno" not in alice.letter.text.replace("Brunno", "")


def challenge(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa black")
    alice.reads()
    bruno.reads()


def test_bruno_declines_with_a_reason(alice: Correspondent, bruno: Correspondent) -> None:
    challenge(alice, bruno)
    assert bruno.answers(bruno.letter, "RIFIUTO Parto domani per le vacanze").verdict == "ok"
    assert match().status == Match.Status.DECLINED
    assert "Parto domani per le vacanze" in alice.letter.text
    assert (alice.kinds(), bruno.kinds()) == (["declined"], ["declined"])


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("RIFIUTO DOPO", "Bruno writes: Not now, but gladly later."),
        ("NO: tempo", "Bruno writes: I would gladly play with another clock."),
        ("DECLINE BUSY", "Bruno writes: I have too many matches already."),
    ],
)
def test_one_word_says_why_in_the_language_of_the_challenger(
    alice: Correspondent, bruno: Correspondent, answer: str, read: str
) -> None:
    challenge(alice, bruno)
    assert "RIFIUTO DOPO" in bruno.letters[-1].text
    assert bruno.answers(bruno.letter, answer).verdict == "ok"
    assert read in " ".join(alice.letter.text.split())


def test_the_lines_below_a_no_are_told_too(alice: Correspondent, bruno: Correspondent) -> None:
    challenge(alice, bruno)
    assert bruno.answers(bruno.letter, "No\nmi dispiace, non ho tempo").verdict == "ok"
    [told] = alice.reads()
    assert "mi dispiace, non ho tempo" in told.text


def test_alice_withdraws_her_challenge(alice: Correspondent, bruno: Correspondent) -> None:
    challenge(alice, bruno)
    assert alice.answers(alice.letter, "NO").verdict == "ok"
    assert (alice.kinds(), bruno.kinds()) == (["declined"], ["declined"])
    assert bruno.answers(bruno.letters[0], "SÌ").verdict == Code.OFFER_GONE
    assert match().status == Match.Status.DECLINED


def test_alice_cannot_accept_for_bruno(alice: Correspondent, bruno: Correspondent) -> None:
    challenge(alice, bruno)
    assert alice.answers(alice.letter, "YES").verdict == Code.OFFER_GONE
    assert match().status == Match.Status.PROPOSED


def test_nobody_moves_before_the_match_begins_or_after_it_was_declined(
    alice: Correspondent, bruno: Correspondent
) -> None:
    challenge(alice, bruno)
    assert alice.answers(alice.letter, "b1-b3").verdict == Code.NOT_BEGUN
    bruno.answers(bruno.letter, "NO")
    assert alice.answers(alice.letters[0], "b1-b3").verdict == Code.OFFER_GONE


def test_a_challenge_is_accepted_once(alice: Correspondent, bruno: Correspondent) -> None:
    challenge(alice, bruno)
    bruno.answers(bruno.letter, "SÌ")
    assert bruno.answers(bruno.letters[0], "SÌ").verdict == Code.OFFER_GONE
    assert alice.kinds() == ["turn"]


def test_charlie_cannot_answer_a_challenge_to_bruno(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    challenge(alice, bruno)
    number = match().pk
    for line in (
        f"ACCEPT {number}",
        f"DECLINE {number}",
        f"SHOW {number}",
        f"RESIGN {number}",
        f"SAY {number}: hi",
    ):
        row = charlie.writes(line)
        if row.verdict == Code.CONFIRM_NEEDED:
            row = charlie.answers(charlie.letter, "YES RESIGN")
        assert row.verdict == Code.NO_SUCH_MATCH
        assert "Bruno" not in charlie.letter.text
        assert "@example.org" not in charlie.letter.text.replace("charlie@example.org", "")
    assert match().status == Match.Status.PROPOSED
    assert bruno.kinds() == []


def test_everything_the_letter_did_stands_in_its_row(alice: Correspondent, bruno: Correspondent) -> None:
    row = alice.writes("CHALLENGE Bruno loa black")
    assert row.reading["commands"] == ["CHALLENGE Bruno loa black"]
    assert row.player == alice.player
    assert InboundMail.objects.unopened().count() == 0


def test_a_first_move_answers_a_challenge_and_an_illegal_one_does_not(
    post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("SFIDA Alice loa secondo")
    [challenge] = alice.reads()
    assert "Answer with your first move, or YES, to play" in " ".join(challenge.text.split())
    assert alice.answers(challenge, "b1-b4").verdict == Code.ILLEGAL_MOVE
    match = Match.objects.get()
    assert (match.status, match.turns.count()) == (Match.Status.PROPOSED, 0)
    assert bruno.answers(bruno.letter, "b1-b3").verdict == Code.NOT_BEGUN, "not the challenger's"
    bruno.reads()
    assert alice.answers(challenge, "b1-b3\nHello Bruno!").verdict == "ok"
    match.refresh_from_db()
    assert (match.status, match.turns.get().move) == (Match.Status.PLAYING, "b1-b3")
    [turn] = bruno.reads()
    assert "Hello Bruno!" in turn.text
    assert turn.text.startswith("Tocca a te")
    assert bruno.answers(turn, "a2-c2").verdict == "ok"


def test_who_moves_second_answers_no_challenge_with_a_move(
    alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.writes("SFIDA Alice loa primo")
    assert alice.answers(alice.letter, "a2-c2").verdict == Code.NOT_BEGUN
    assert Match.objects.get().status == Match.Status.PROPOSED
