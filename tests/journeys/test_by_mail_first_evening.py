"""Two friends, one of whom has heard of us: how many letters they get before the first move, and what reaches whom."""

import re
from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.players.models import Player, SuppressedAddress
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post, registered, unwrapped

EMMA, GINO = "emma@example.org", "gino@example.net"


@pytest.fixture
def emma(post: Post) -> Correspondent:
    return Correspondent(post, "Emma Bianchi", EMMA)


@pytest.fixture
def gino(post: Post) -> Correspondent:
    return Correspondent(post, "Gino", GINO)


def moves() -> list[str]:
    return [turn.move for turn in Match.objects.get().live_turns()]


def test_register_and_challenge_in_one_email_take_one_yes_and_a_guest_may_answer_with_a_move(
    post: Post, emma: Correspondent, gino: Correspondent, dmarc: str
) -> None:
    emma.writes(f"ISCRIVIMI Emma\nSFIDA {GINO} loa\n\nCiao Gino, ti va una partita?", dmarc=dmarc)
    [question] = emma.reads()
    assert f"    SFIDA {GINO} loa" in question.text
    assert "  | Ciao Gino" in question.text, "their yes is to what they have read"
    emma.answers(question, "SÌ", dmarc=dmarc)
    [invitation], [begun] = gino.reads(), emma.reads()
    assert begun.subject.startswith("Il tuo invito")
    for letter in (invitation, begun):
        assert "  | Ciao Gino, ti va una partita?" in letter.text
    assert begun.text.index("Il tuo invito") < begun.text.index("Emma")
    assert "Muovi per primo" in unwrapped(invitation.text) or "Cominci tu" in unwrapped(invitation.text)
    assert gino.answers(invitation, "b8-b6\n\nVolentieri, Emma, a te!", dmarc=dmarc).verdict == "ok"
    assert moves() == ["b8-b6"]
    [turn] = emma.reads()
    assert turn.text.startswith("Tocca a te")
    assert "  | Volentieri, Emma, a te!" in turn.text
    [receipt] = gino.reads()
    assert receipt.text.index("b8-b6") < receipt.text.index("+---+") < receipt.text.index("Gino, ")
    assert len(receipt.text.partition("A parole")[2].splitlines()) < 25, "and the greeting is short"
    for letter in (turn, receipt):
        assert letter.text.count(" a   b   c   d ") == 1, "one board"
    assert (len(emma.letters), len(gino.letters)) == (3, 2)


def test_the_rules_tell_a_guest_what_to_do_now(emma: Correspondent, gino: Correspondent, dmarc: str) -> None:
    emma.writes(f"ISCRIVIMI Emma\nSFIDA {GINO} loa", dmarc=dmarc)
    emma.answers(emma.letter, "SÌ", dmarc=dmarc)
    [invitation] = gino.reads()
    assert "Lines of Action in breve:" in invitation.text
    assert "Con REGOLE ricevi" in unwrapped(invitation.text)
    assert "RULES for the rules" in invitation.text, "for anyone who reads English"
    gino.answers(invitation, "REGOLE", dmarc=dmarc)
    [rules] = gino.reads()
    [example] = re.findall(
        r"(?m)^    ([a-h][1-8]x?-?[a-h][1-8])\r?$", rules.text.partition("E adesso: Emma")[2]
    )
    assert f"    {example}" in rules.text
    assert ">NO</a>" in rules.html
    assert gino.answers(rules, example, dmarc=dmarc).verdict == "ok"
    assert moves() == [example]
    assert len(gino.writes("REGOLE LOA").reading) > 0
    assert "E adesso" not in gino.letter.text
    assert "    SFIDA amica@example.org loa" in gino.letter.text


def test_a_guest_who_says_yes_has_the_board_in_the_second_letter(
    post: Post, emma: Correspondent, gino: Correspondent, dmarc: str
) -> None:
    emma.writes("Hello! I would like to play", dmarc=dmarc)
    emma.answers(emma.letter, f"REGISTER Emma\nCHALLENGE {GINO} zertz\nHi Gino!", dmarc=dmarc)
    gino.answers(gino.letter, "Sure, thanks!", dmarc=dmarc)
    board = gino.letters[1]
    assert board.text.startswith("Your turn")
    assert board.text.index("a1 (") < board.text.index("Welcome, Gino"), "the greeting stands below"
    assert ">HELP zertz</a>" in board.html
    gino.answers(board, "Wd4,a1", dmarc=dmarc)
    assert len(moves()) == 1
    assert emma.letters[2].text.startswith("Gino's turn")
    assert emma.letter.text.startswith("Your turn")
    assert len(emma.letters) == 4


NAMED: dict[str, tuple[str, str]] = {
    "Sì, grazie!": ("Gino", "it"),
    "Yes\nThanks!": ("Gino", "en"),
    "YES Luigi": ("Luigi", "en"),
    "ok\nb8-b6": ("Gino", "en"),
    "Yes Luigi\nb8-b6": ("Luigi", "en"),
    "La mia mossa: b8-b6": ("Gino", "en"),
    "Hello Emma,\n\nyes please.\n\nGino": ("Gino", "en"),
    "Ok, let's go\nLuigi": ("Luigi", "en"),
    "iscrivimi come Luigi": ("Luigi", "it"),
}
ASKED = (
    "Yes, but can I move second?",
    "Yes, I got your email, but I have no time",
    "I prefer Zertz",
    "Gino",
    "Sure, if you tell me what this is",
    "No\nb8-b6",
    "Yes, I'd love to. I'm Luigi",
    "SÌ Luigi Bianchi",
)


@pytest.mark.parametrize("body", NAMED)
def test_a_guest_is_called_as_they_say_or_as_their_emails_do(
    post: Post, emma: Correspondent, gino: Correspondent, body: str
) -> None:
    invited(emma, gino)
    assert gino.answers(gino.letter, body).verdict == "ok"
    player = Player.objects.latest("pk")
    assert (player.name, player.language) == NAMED[body]
    assert moves() == (["b8-b6"] if "b8-b6" in body else [])


def test_a_name_alone_is_asked_about_by_that_name(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    assert gino.answers(invited(emma, gino), "mi chiamo Luigi").verdict == Code.NO_MOVE_FOUND
    assert "You will be called Luigi here" in " ".join(gino.letter.text.split())
    assert not Match.objects.exists()


def test_what_may_be_no_yes_is_asked_about_and_stop_is_a_no_for_ever(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    letter = invited(emma, gino)
    for body in ASKED:
        assert gino.answers(letter, body).verdict == Code.NO_MOVE_FOUND, body
    assert not Match.objects.exists()
    assert gino.answers(letter, "STOP").verdict == "ok"
    assert emma.letter.kind == "uninvited"
    assert SuppressedAddress.objects.get().email == GINO


def test_a_stranger_may_begin_with_a_challenge(post: Post, gino: Correspondent, dmarc: str) -> None:
    """Who has not signed up writes what they have read in the README: one YES, and it is done."""
    ida = Correspondent(post, "Ida Rossi", "ida.r@example.com")
    ida.writes(f"SFIDA {GINO} loa", dmarc=dmarc)
    assert ida.letter.subject == "Conferma: Ida vuole giocare"
    ida.answers(ida.letter, "sì", dmarc=dmarc)
    assert ida.kinds() == ["signup", "welcome"]
    assert gino.kinds() == ["invites"]


def invited(emma: Correspondent, gino: Correspondent, words: str = "") -> Delivery:
    emma.writes(f"REGISTER Emma\nCHALLENGE {GINO} loa\n\n{words}")
    emma.answers(emma.letter, "YES")
    return gino.letter


def test_a_name_that_is_taken_gets_a_number_and_somebody_else_s_from_gives_none(
    post: Post, emma: Correspondent, alice: Correspondent
) -> None:
    guest = Correspondent(post, "Alice", GINO)
    letter = invited(emma, guest)
    emma_s_friend = Correspondent(post, "Mallory", "mallory@example.org")
    assert emma_s_friend.answers(letter, "YES").verdict == "ok"
    assert Player.objects.latest("pk").name == "Gino"
    other = Correspondent(post, "Alice", "alice.b@example.net")
    emma.writes(f"CHALLENGE {other.email} loa")
    assert ">YES Alice2</a>" in other.letter.html
    assert other.answers(other.letter, "YES").verdict == "ok"
    assert Player.objects.latest("pk").name == "Alice2"


def test_words_to_a_stranger_have_no_links_and_are_few(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    said = "Hi Gino, see www.example.com or shop.example/x, http://1.2.3.4/ and a@b.com e.g. at 7.30 p.m.\n"
    letter = invited(emma, gino, said + "really " * 200)
    [quoted] = re.findall(r"Emma writes:(.*?)\r?\n\r?\nEmma invites you", letter.text, re.DOTALL)
    for link in ("www", "shop", "http", "1.2.3", "a@b"):
        assert link not in quoted
    assert "e.g. at 7.30 p.m." in quoted
    assert len(quoted) < 700
    assert "www.example" not in letter.html


def test_whoever_is_invited_may_read_the_rules_first(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    letter = invited(emma, gino)
    for body in ("HELP", "help loa", "how do I play?"):
        assert gino.answers(letter, body).verdict == "ok"
        assert "How Lines of Action is played" in gino.letter.subject
    assert gino.answers(letter, "Can you send me the rules of Emergo please?").verdict == "ok"
    assert "How Emergo is played" in gino.letter.subject
    assert gino.answers(gino.letter, "b8-b6").verdict == "ok"
    assert moves() == ["b8-b6"]


REFUSED: dict[str, Callable[[Delivery], bool]] = {
    "b8-b5": lambda letter: "b8-b5" in letter.text and letter.text.startswith("Your move was not played"),
    "b8-b6\nc8-c6": lambda letter: "b8-b6" in letter.text or "one move" in unwrapped(letter.text),
    "b8 goes to b6": lambda letter: "b8-b6" in letter.text,
}


@pytest.mark.parametrize("body", REFUSED)
def test_a_guest_whose_move_cannot_be_played_is_in_and_hears_why(
    post: Post, emma: Correspondent, gino: Correspondent, body: str
) -> None:
    invited(emma, gino)
    gino.answers(gino.letter, f"YES\n{body}")
    assert REFUSED[body](gino.letter)
    assert gino.answers(gino.letter, "c8-c6").verdict == "ok"
    assert moves() == ["c8-c6"]


def test_the_guest_moves_first_unless_the_host_says_so(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    emma.writes("REGISTER Emma")
    emma.answers(emma.letter, f"YES\nCHALLENGE {GINO} loa first")
    assert "Emma moves first" in unwrapped(gino.letter.text)
    gino.answers(gino.letter, "YES")
    assert Match.objects.get().players == ("Emma", "Gino")


@pytest.mark.parametrize(
    ("body", "yes", "words"),
    [
        ("I'm Dora.\nmy man on b8 climbs to b6", "Yes", ""),
        ("Ciao Emma, penso di muovere da b8 a b6. Ci vediamo domenica!", "Sì", "Ci vediamo domenica!"),
        ("b8-b6?", "YES", ""),
        ("Yes Luigi, b8-b6", "YES", ""),
    ],
)
def test_a_first_move_that_is_nearly_said_waits_for_the_yes_to_the_invitation(
    emma: Correspondent, gino: Correspondent, body: str, yes: str, words: str
) -> None:
    invited(emma, gino)
    assert gino.answers(gino.letter, body).verdict == Code.CONFIRM_NEEDED
    assert not Match.objects.exists()
    assert "    b8-b6\n" in gino.letter.text.replace("\r", "")
    assert gino.answers(gino.letter, yes).verdict == "ok"
    assert moves() == ["b8-b6"]
    assert words in emma.letter.text
    assert Player.objects.people().order_by("pk").last().name == next(
        (name for name in ("Dora", "Luigi") if name in body), "Gino"
    )


def test_another_move_or_a_no_beats_the_one_that_was_nearly_said(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    invited(emma, gino)
    gino.answers(gino.letter, "Penso di muovere da b8 a b6")
    with post.undone():
        assert gino.answers(gino.letter, "YES\nc8-c6").verdict == "ok"
        assert moves() == ["c8-c6"]
    assert gino.answers(gino.letter, "NO").verdict == "ok"
    assert not Match.objects.exists()


@pytest.mark.parametrize("body", ["Yes!\nI move my man from b8 to b6", "Sì!\nMuovo la pedina da b8 a b6"])
def test_a_yes_to_a_challenge_with_a_move_in_plain_words_below_plays_it(post: Post, body: str) -> None:
    alice, bruno = registered(post, "Alice", "en"), registered(post, "Bruno", "it")
    alice.writes("CHALLENGE Bruno loa second")
    assert bruno.answers(bruno.letter, body).verdict == "ok"
    assert moves() == ["b8-b6"]


@pytest.mark.parametrize(
    "body", ["Yes!\nThen my man on b8 climbs to b6", "Sì!\nAllora la pedina in b8 scende in b6"]
)
def test_a_yes_to_a_challenge_with_a_move_in_words_below_accepts_and_asks_about_the_move(
    post: Post, body: str
) -> None:
    alice, bruno = registered(post, "Alice", "en"), registered(post, "Bruno", "it")
    alice.writes("CHALLENGE Bruno loa second")
    bruno.answers(bruno.letter, body)
    assert Match.objects.get().status == Match.Status.PLAYING
    assert "b8 " not in alice.letter.text.partition("In words")[0], "what is asked about is not passed on"
    assert bruno.answers(bruno.letter, "sì").verdict == "ok"
    assert moves() == ["b8-b6"]


@pytest.mark.parametrize(
    ("language", "body", "yes"),
    [
        ("en", "CHALLENGE Bruno loa\nchallenge carla to zertz", "YES"),
        ("it", "SFIDA Bruno loa\nvorrei sfidare carla a zertz", "sì"),
        ("en", "I'd like to challenge bruno to loa and carla to zertz", "YES"),
        ("it", "vorrei sfidare bruno a loa e carla a zertz", "sì"),
    ],
)
def test_a_second_challenge_may_have_a_small_letter_and_takes_the_same_yes(
    post: Post, dmarc: str, language: str, body: str, yes: str
) -> None:
    """Where nobody vouches for the email only its exact lines are asked about, and not what is nearly one."""
    bruno, carla = registered(post, "Bruno", "it"), registered(post, "Carla", "en")
    doris = registered(post, "Doris", language)
    doris.writes(body, dmarc=dmarc)
    doris.answers(doris.letter, yes, dmarc=dmarc)
    exact = "loa\n" in body
    asked = (["challenge"] * (dmarc == "pass" or exact), ["challenge"] * (dmarc == "pass"))
    assert (bruno.kinds(), carla.kinds()) == asked


def test_deadlines_say_whose_time_it_is_until_a_city_is_told(
    post: Post, emma: Correspondent, gino: Correspondent
) -> None:
    invited(emma, gino)
    gino.answers(gino.letter, "YES")
    assert "11:00 Rome time." in unwrapped(gino.letter.text)
    gino.writes("SET ZONE London")
    gino.writes("SHOW")
    assert "10:00." in unwrapped(gino.letter.text)


@pytest.mark.parametrize("body", ["b8-b5", "b8-b6\nb8-d6", "blue is 17", "SHOW"])
def test_whatever_was_refused_the_moves_can_still_be_tapped(
    emma: Correspondent, gino: Correspondent, body: str
) -> None:
    invited(emma, gino)
    gino.answers(gino.letter, "YES")
    gino.answers(gino.letter, body)
    assert not moves()
    assert ">b8-b6</a>" in gino.letter.html


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("hello, I'd like to play", ["REGISTER Gino", "CHALLENGE Robot-1 loa"]),
        ("ciao, vorrei giocare a zertz", ["ISCRIVIMI Gino", "SFIDA Robot-1 "]),
    ],
)
def test_the_introduction_has_two_lines_for_a_robot_and_they_begin_a_match(
    gino: Correspondent, dmarc: str, words: str, lines: list[str]
) -> None:
    gino.writes(words, dmarc=dmarc)
    introduced = gino.letter
    said = re.search(rf"(?m)^    {lines[0]}\r?\n    ({lines[1]}\S*)", introduced.text)
    assert said
    assert f"{lines[0]}<br>{said[1].strip()}" in introduced.html
    gino.answers(introduced, f"{lines[0]}\n{said[1].strip()}", dmarc=dmarc)
    assert Match.objects.get().status == Match.Status.PLAYING, "holding the address is proof"


@pytest.mark.parametrize("body", ["Who are you?", "Forse, vediamo"])
def test_what_is_unclear_to_an_invitation_is_asked_about_briefly(
    emma: Correspondent, gino: Correspondent, body: str
) -> None:
    """Not with all of the invitation once more."""
    first = invited(emma, gino)
    gino.answers(first, body)
    beside = [line for line in gino.letter.text.splitlines() if not re.match(r" *[1-8+|]", line)]
    assert len(beside) <= 26 < len(first.text.splitlines()) / 2, gino.letter.text
    assert "Never again" not in gino.letter.text


@pytest.mark.parametrize(
    ("words", "said", "yes"),
    [
        ("hello, I'd like to play", f"My name is Emma. Please invite {GINO} to trapdoor", "yes please"),
        ("ciao, vorrei giocare", f"Mi chiamo Emma. Vorrei sfidare {GINO} a trapdoor", "sì grazie"),
    ],
)
def test_whom_a_newcomer_wants_to_play_with_waits_for_the_same_yes_as_their_name(
    emma: Correspondent, gino: Correspondent, dmarc: str, words: str, said: str, yes: str
) -> None:
    emma.writes(words, dmarc=dmarc)
    emma.answers(emma.letter, said, dmarc=dmarc)
    assert f" {GINO} trapdoor" in emma.letter.text
    emma.answers(emma.letter, yes, dmarc=dmarc)
    assert gino.kinds() == ["invites"]
    assert len(emma.letters) == 3


@pytest.mark.parametrize(
    "words",
    [
        "Vorrei sfidare Luca a zertz, mi chiamo Pia",
        "can I challenge my brother to Emergo?",
        "Can somebody tell me how Insert works?",
        "mi mandate le regole di zertz?",
        "is anyone there?",
        "c'è qualcuno?",
        "I want to try this",
        "vorrei provare",
        "how much does it cost?",
    ],
)
def test_whoever_asks_for_a_game_by_its_name_or_whether_anybody_is_there_is_answered(
    gino: Correspondent, dmarc: str, words: str
) -> None:
    gino.writes(words, dmarc=dmarc)
    assert gino.kinds() in (["invitation"], ["signup"])


def test_a_challenge_in_a_game_that_is_new_to_its_reader_has_the_rules_in_brief(
    alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("CHALLENGE Bruno zertz")
    first = bruno.letter
    assert "Zèrtz in breve:" in first.text
    assert "Zèrtz in breve:</h2>" in first.html
    assert all(len(line) <= 72 for line in first.text.splitlines() if "://" not in line)
    assert bruno.answers(first, "SÌ").verdict == "ok"
    assert "in breve" not in bruno.letter.text
    alice.writes("CHALLENGE Bruno zertz")
    assert bruno.letter.kind == "challenge"
    assert "in breve" not in bruno.letter.text
