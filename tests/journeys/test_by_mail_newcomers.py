"""From a first letter in plain words to the first move, where providers stand by senders and where nobody does."""

from __future__ import annotations

import re

import pytest

from pbem.matches.models import Invitation, Match, Seek
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, registered

FRIEND = "ben@example.net"


@pytest.fixture
def owen(post: Post) -> Correspondent:
    return Correspondent(post, "Owen", "owen.price@example.org")


@pytest.fixture
def ben(post: Post) -> Correspondent:
    return Correspondent(post, "Ben", FRIEND)


def opponent() -> str:
    """Whom the newcomer plays."""
    [match] = Match.objects.all()
    return next(seat.player.name for seat in match.seated if seat.player.robot)


# -- a friend, a robot and a game beside one's own name -------------------------------------------------------

ROBOT = {
    "My name is Owen. I'd like to play Emergo with the robot": ("Owen", "emergo"),
    "Hi, I saw your site and want to play a game of zertz against the computer. Call me Sue.": (
        "Sue",
        "zertz",
    ),
    "Buongiorno, mi chiamo Teo. Vorrei una partita a Zèrtz contro il robot": ("Teo", "zertz"),
    "il mio nome e Gino e vorrei giocare contro il computer a zertz": ("Gino", "zertz"),
    "Hey, robot, fancy a game of LOA?": ("Owen", "loa"),
}


@pytest.mark.parametrize("body", ROBOT)
def test_a_robot_and_a_game_are_heard_beside_a_name_and_one_yes_begins_the_match(
    owen: Correspondent, dmarc: str, body: str
) -> None:
    owen.writes(body, dmarc=dmarc)
    [question] = owen.reads()
    assert question.kind == "signup"
    assert not Match.objects.exists()
    owen.answers(question, "Yes", dmarc=dmarc)
    assert (Player.objects.people().get().name, Match.objects.get().game_name) == ROBOT[body]
    assert opponent() == "Robot-1"
    assert "Your message" not in owen.letter.text, "their yes was for us"


INVITING = [
    ("", "Can I play zertz with my friend ben@example.net?", "zertz"),
    ("", "ben@example.net and I would like to play Trapdoor Chess. What do we do?", "trapdoor"),
    ("Sign me up", "Owen here. I want to play ben@example.net at Emergo. Tell him I'm coming!", "emergo"),
    ("invite ben@example.net", "I'd like to play zertz", "zertz"),
    ("sfida", "Vorrei sfidare il mio amico ben@example.net a emergo.\nGrazie, Owen", "emergo"),
    ("sfida a emergo", "Sfida ben@example.net per favore, sono Owen", "emergo"),
    ("", "Ehi, mi fai giocare con ben@example.net? A Lines of Action", "loa"),
    ("giochiamo", "Partita amichevole a emergo con ben@example.net, 3 giorni a mossa. Owen", "emergo"),
    ("", "Va bene, ISCRIVIMI Owen\nSFIDA ben@example.net zertz", "zertz"),
]


@pytest.mark.parametrize(("subject", "body", "game"), INVITING)
def test_a_friend_is_invited_by_one_yes_and_their_move_comes_third(
    owen: Correspondent, ben: Correspondent, dmarc: str, subject: str, body: str, game: str
) -> None:
    owen.writes(body, subject=subject, dmarc=dmarc)
    assert not Invitation.objects.exists()
    owen.answers(owen.letter, "Yes", dmarc=dmarc)
    invitation = Invitation.objects.get()
    assert (invitation.address, invitation.game_name, invitation.challenger.name) == (FRIEND, game, "Owen")
    assert "@" not in invitation.message
    ben.answers(ben.letter, "Yes!", dmarc=dmarc)
    assert Match.objects.get().status == Match.Status.PLAYING
    assert (len(owen.letters), len(ben.letters)) == (3, 2)


def test_the_clock_that_is_said_beside_goes_along(owen: Correspondent) -> None:
    owen.writes("I'd like to play emergo with ben@example.net, 5 days per move")
    owen.answers(owen.letter, "Yes")
    assert "5 days per move" in " ".join(owen.letter.text.split())


ANSWERS = {
    "YES, call me Nora, and challenge ben@example.net to a game of loa": ("Nora", "loa"),
    "Va bene, ISCRIVIMI Elena\nSFIDA ben@example.net zertz": ("Elena", "zertz"),
    "Sì e sfida ben@example.net a loa": ("Owen", "loa"),
}


@pytest.mark.parametrize("body", ANSWERS)
@pytest.mark.parametrize("first", ["Hello, I would like to play", "My name is Owen, sign me up"])
def test_a_name_and_a_wish_in_the_sentence_of_a_yes_are_asked_about(
    owen: Correspondent, ben: Correspondent, dmarc: str, first: str, body: str
) -> None:
    owen.writes(first, dmarc=dmarc)
    assert owen.answers(owen.letter, body, dmarc=dmarc).verdict == Code.CONFIRM_NEEDED
    assert not Invitation.objects.exists()
    assert owen.answers(owen.letter, "YES", dmarc=dmarc).verdict == "ok"
    invitation = Invitation.objects.get()
    assert (invitation.challenger.name, invitation.game_name) == ANSWERS[body]
    assert len(ben.letters) == 1


def test_exact_lines_below_a_yes_are_done_with_it(
    owen: Correspondent, ben: Correspondent, dmarc: str
) -> None:
    owen.writes("Hello, I would like to play", dmarc=dmarc)
    assert owen.answers(owen.letter, f"Sì Elena\nSFIDA {FRIEND} zertz", dmarc=dmarc).verdict == "ok"
    assert Invitation.objects.get().challenger.name == "Elena"
    assert len(ben.letters) == 1


def test_a_robot_in_the_sentence_of_a_yes_is_asked_about(owen: Correspondent, dmarc: str) -> None:
    owen.writes("register", subject="register", dmarc=dmarc)
    owen.writes("My name is Hugo", subject="register", dmarc=dmarc)
    owen.answers(owen.letter, "Yes, and a game of emergo with the robot please", dmarc=dmarc)
    assert not Match.objects.exists()
    owen.answers(owen.letter, "Yes", dmarc=dmarc)
    assert opponent() == "Robot-1"


def test_what_is_told_below_a_yes_invites_nobody(owen: Correspondent, ben: Correspondent, dmarc: str) -> None:
    """It is asked about, for a friend may only have spoken of us."""
    owen.writes("Hello, I would like to play", dmarc=dmarc)
    owen.answers(owen.letter, f"Yes please\nMy friend {FRIEND} told me of your zertz", dmarc=dmarc)
    assert Player.objects.called("Owen")
    assert not Invitation.objects.exists()
    assert ben.letters == []
    assert f"    CHALLENGE {FRIEND} zertz" in owen.letter.text
    assert owen.answers(owen.letter, "NO", dmarc=dmarc).verdict == "ok"
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    "body", ["Yes. I heard that the robot is strong at zertz", "Yes! Is there a computer?"]
)
def test_what_is_told_of_robots_begins_nothing(owen: Correspondent, dmarc: str, body: str) -> None:
    owen.writes("Hello, I would like to play", dmarc=dmarc)
    owen.answers(owen.letter, body, dmarc=dmarc)
    assert not Match.objects.exists()


def test_who_wants_none_of_it_is_asked_nothing(owen: Correspondent, ben: Correspondent) -> None:
    owen.writes("I don't want to play zertz with ben@example.net any more")
    assert FRIEND not in "".join(letter.text for letter in owen.letters)
    assert ben.letters == []


def test_a_friend_without_a_game_is_invited_to_an_example_unless_another_game_is_named(
    owen: Correspondent, dmarc: str
) -> None:
    owen.writes("I'd like to play against ben@example.net", dmarc=dmarc)
    assert f"    CHALLENGE {FRIEND} loa\r\n" in owen.letter.text
    assert "You named no game" in owen.letter.text
    owen.answers(owen.letter, "YES. We want to play emergo", dmarc=dmarc)
    assert not Invitation.objects.exists()
    owen.answers(owen.letter, "YES", dmarc=dmarc)
    assert Invitation.objects.get().game_name == "emergo"


def test_anybody_is_offered_a_match(owen: Correspondent, dmarc: str) -> None:
    owen.writes("Cerco un avversario per lines of action, sono principiante", dmarc=dmarc)
    owen.answers(owen.letter, "sì", dmarc=dmarc)
    assert Seek.objects.get().game_name == "loa"


# -- a game and nothing else ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "body"), [("", "zertz?"), ("zertz?", ""), ("", "zertz"), ("", "Hi, zertz?")]
)
def test_a_stranger_who_names_a_game_hears_what_it_is_and_how_to_begin(
    owen: Correspondent, dmarc: str, subject: str, body: str
) -> None:
    owen.writes(body, subject=subject, dmarc=dmarc)
    [letter] = owen.reads()
    assert "Capture marbles that belong to nobody" in " ".join(letter.text.split())
    for line in ("CHALLENGE friend@example.org zertz", "CHALLENGE Robot-1 zertz", "OFFER zertz"):
        assert f"    {line}\r\n" in letter.text


def test_so_does_a_player(post: Post) -> None:
    carla = registered(post, "Carla", "it")
    assert carla.writes("zertz?").verdict == "ok"
    assert carla.letter.kind == "game"
    assert "Si catturano biglie" in carla.letter.text
    for line in ("SFIDA Robot-1 zertz", "SFIDA amica@example.org zertz", "OFFRO zertz", "AIUTO zertz"):
        assert line in carla.letter.text
    assert carla.answers(carla.letter, "SFIDA Robot-1 zertz").verdict == "ok"
    assert opponent() == "Robot-1"


# -- guests --------------------------------------------------------------------------------------------------------


@pytest.fixture
def nora(post: Post, ben: Correspondent) -> Correspondent:
    nora = registered(post, "Nora", "en")
    nora.writes(f"CHALLENGE {FRIEND} zertz")
    nora.reads()
    ben.reads()
    return nora


WARM = [
    "I'd love to!",
    "Alright mate, I'm in",
    "Go on then",
    "volentieri!",
    "Eccomi, sono pronto",
]
LESS_SURE = [
    "ok but I've never played this",
    "Sounds good, when do we start?",
    "Perché no? Proviamo",
    "va bene, ma vai piano",
    "Yes, but can I move second?",
    "Sure, if you tell me what this is",
]


@pytest.mark.parametrize("body", WARM)
def test_a_warm_yes_begins_the_match(nora: Correspondent, ben: Correspondent, dmarc: str, body: str) -> None:
    assert ben.answers(ben.letter, body, dmarc=dmarc).verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert ben.letter.text.startswith(("Your turn", "Tocca a te"))


def test_what_goes_with_it_is_for_the_host(nora: Correspondent, ben: Correspondent) -> None:
    ben.answers(ben.letter, "Yes!\nSee you on Sunday.")
    assert "  | See you on Sunday." in nora.letter.text


ABOUT_US = [
    "what is this?",
    "is it free?",
    "who are you?",
    "how long does a game take?",
    "Is this spam?",
    "è gratis?",
]


@pytest.mark.parametrize("body", ABOUT_US)
def test_a_guest_who_asks_about_us_is_told(
    nora: Correspondent, ben: Correspondent, dmarc: str, body: str
) -> None:
    ben.answers(ben.letter, body, dmarc=dmarc)
    text = " ".join(ben.letter.text.split())
    for said in ("free service", "RULES sends", "10 days", "NO declines", "lasts for weeks"):
        assert said in text
    assert "goes to Nora with your answer" not in text
    assert nora.letters[1:] == []
    ben.answers(ben.letter, "Yes", dmarc=dmarc)
    assert Match.objects.get().status == Match.Status.PLAYING
    assert body not in nora.letter.text


@pytest.mark.parametrize("last", ["Yes", "No"])
def test_other_words_wait_for_the_answer_and_go_with_it(
    nora: Correspondent, ben: Correspondent, dmarc: str, last: str
) -> None:
    ben.answers(ben.letter, "Nora, is that you?\nDid we meet in Rome?", dmarc=dmarc)
    assert "What you wrote goes to Nora with your answer." in " ".join(ben.letter.text.split())
    assert nora.reads() == []
    ben.answers(ben.letter, "I thought you had moved to Turin", dmarc=dmarc)
    ben.answers(ben.letter, last, dmarc=dmarc)
    [told] = nora.reads()
    for said in (
        "  | Nora, is that you?",
        "  | Did we meet in Rome?",
        "  | I thought you had moved to Turin",
    ):
        assert said in told.text
    assert Invitation.objects.get().opening == {}


DECLINED = [
    "No thanks Nora, too busy this month",
    "Sorry, I don't like board games",
    "Not now, maybe after Christmas",
    "No grazie Nora, questo mese non ho tempo",
    "Mi dispiace, non mi piacciono i giochi da tavolo",
]


@pytest.mark.parametrize("body", DECLINED)
def test_the_words_of_a_no_reach_the_host(
    nora: Correspondent, ben: Correspondent, dmarc: str, body: str
) -> None:
    assert ben.answers(ben.letter, f"{body}\nben@private.example", dmarc=dmarc).verdict == "ok"
    [told] = nora.reads()
    assert told.kind == "uninvited"
    assert f"{FRIEND} writes:" in told.text
    assert f"  | {body}" in told.text
    assert "private" not in told.text


def test_a_bare_no_and_a_stop_say_nothing_more(nora: Correspondent, ben: Correspondent) -> None:
    ben.answers(ben.letter, "No, thanks")
    assert "writes:" not in nora.letter.text


@pytest.mark.parametrize("body", LESS_SURE)
def test_a_yes_that_goes_on_otherwise_is_asked_about(
    nora: Correspondent, ben: Correspondent, body: str
) -> None:
    assert ben.answers(ben.letter, body).verdict == Code.NO_MOVE_FOUND
    assert not Match.objects.exists()


# -- the first match letter ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["Yes!", "Wd4,a1"])
def test_the_first_match_letter_of_an_inviter_names_the_goal_and_how_to_get_the_rules(
    owen: Correspondent, ben: Correspondent, dmarc: str, answer: str
) -> None:
    owen.writes("Can I play zertz with my friend ben@example.net?", dmarc=dmarc)
    owen.answers(owen.letter, "Yes", dmarc=dmarc)
    ben.answers(ben.letter, answer, dmarc=dmarc)
    text = owen.letter.text
    assert "Capture 3 marbles of each colour, or 4 white" in text
    assert "RULES sends the full rules." in " ".join(text.split())
    board = r"^ *[a-g][1-7] \(|^ *[a-g]\d .*\)|^ *$"
    beside = [line for line in text.splitlines() if not re.search(board, line)]
    assert len(beside) <= 30, text
    assert owen.answers(owen.letter, "RULES", dmarc=dmarc).verdict == "ok"
    assert owen.letter.kind == "help"


def test_whoever_has_played_the_game_reads_no_goal(post: Post) -> None:
    carla = registered(post, "Carla", "en")
    carla.writes("CHALLENGE Robot-1 zertz first")
    assert "Capture 3 marbles" in carla.letter.text
    assert "Capture 3 marbles" in carla.letter.html
    carla.writes("CHALLENGE Robot-2 zertz first")
    assert "Capture 3 marbles" not in carla.letter.text
    carla.writes("CHALLENGE Robot-2 loa first")
    assert "Bring all your men together" in carla.letter.text


@pytest.mark.parametrize(
    "body",
    [
        "Hello, I found your page and I would like to try one of your games. I don't know any of them. Which one is "
        "easiest to start with?\n\nThanks,\nTess",
        "Buongiorno, ho trovato la vostra pagina e vorrei provare uno dei vostri giochi. Quale mi consigliate?",
    ],
)
def test_who_knows_no_game_yet_is_told_how_to_begin(owen: Correspondent, dmarc: str, body: str) -> None:
    owen.writes(body, dmarc=dmarc)
    assert owen.letter.kind == "invitation"
