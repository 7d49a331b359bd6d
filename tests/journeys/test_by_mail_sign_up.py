"""A stranger becomes a player: double opt-in, no password, and nobody learns who is registered."""

from urllib.parse import quote

import pytest

from pbem.inbox.commands import newcomers
from pbem.inbox.models import Confirmation, InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches.models import Invitation, Match
from pbem.players.models import Address, Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, play_address, unwrapped


def test_a_stranger_is_asked_says_yes_and_is_welcome(stranger: Correspondent) -> None:
    assert stranger.writes("REGISTER Dora").verdict == Code.CONFIRM_NEEDED
    assert stranger.kinds() == ["signup"]
    assert not Player.objects.people().exists()
    assert stranger.answers(stranger.letter, "YES").verdict == "ok"
    assert stranger.kinds() == ["welcome"]
    assert stranger.player.email == "dora@example.org"
    assert stranger.player.language == "en"


def test_whoever_writes_iscrivimi_is_answered_in_italian(stranger: Correspondent) -> None:
    stranger.writes("ISCRIVIMI Dora")
    assert "rispondi sopra questa riga" in stranger.letter.text
    assert stranger.answers(stranger.letter, "Sì.").verdict == "ok"
    assert stranger.player.language == "it"


ZONES = [
    (
        "REGISTER Dora",
        "YES",
        "-0400",
        "America/New_York",
        "New York time",
        ("SET ZONE Rome", "SET ZONE London"),
    ),
    ("REGISTER Dora", "YES", "-0000", "Europe/Rome", "Rome time", ("SET ZONE New York", "SET ZONE London")),
    ("ISCRIVIMI Dora", "SÌ", "+0200", "Europe/Rome", "nell'ora di Roma", ("IMPOSTA FUSO New York",)),
    (
        "ISCRIVIMI Dora",
        "SÌ",
        "-0300",
        "America/Argentina/Buenos_Aires",
        "di Buenos Aires",
        ("IMPOSTA FUSO Roma",),
    ),
]


@pytest.mark.parametrize(("line", "yes", "offset", "zone", "said", "others"), ZONES)
def test_the_zone_is_guessed_from_the_date_and_the_others_are_buttons(
    stranger: Correspondent, line: str, yes: str, offset: str, zone: str, said: str, others: tuple[str, ...]
) -> None:
    dated = {"Date": f"Mon, 4 May 2026 {9 + int(offset[:3]):02}:00:00 {offset}"}
    stranger.writes(line)
    stranger.answers(stranger.letter, yes, headers=dated)
    assert stranger.player.zone == zone
    welcome = stranger.letter
    assert said in unwrapped(welcome.text)
    assert welcome.html.count('class="chip on"') == 1
    for other in others:
        assert f"    {other}\r\n" in welcome.text
        assert quote(other) in welcome.html
    stranger.writes("HELP", headers=dated | {"Date": "Mon, 4 May 2026 18:00:00 +0900"})
    assert stranger.player.zone == zone  # of a player, no Date changes it


@pytest.mark.parametrize("answered", [False, True])
def test_what_nearly_challenges_somebody_below_a_name_is_part_of_the_yes(
    stranger: Correspondent, answered: bool
) -> None:
    """In the first letter it is shown in the question; below the YES it is done, since it is plainly wished."""
    line = "challenge tom@example.org to a game of Zertz"
    stranger.writes("REGISTER Dora" if answered else f"REGISTER Dora\n\n{line}\n\nHello Tom!")
    if not answered:
        assert "CHALLENGE tom@example.org Zertz" in stranger.letter.text
        assert "could not read" not in stranger.letter.text
    stranger.answers(stranger.letter, f"YES\n{line}" if answered else "YES")
    invitation = Invitation.objects.get()
    assert (invitation.address, invitation.challenger.name) == ("tom@example.org", "Dora")
    assert line not in invitation.message


SAID = {
    "Yes please, sign me up as Nora!": "Nora",
    "sì grazie, mi chiamo Ada": "Ada",
    "mi chiamo Ada": "Ada",
    "my name is Nora": "Nora",
    "I'm Nora": "Nora",
    "Hello! I'm Nora and I would like to play.": "Nora",
    "Nora please": "Nora",
    "I'm fine, thanks": "",
    "I'm Italian": "",
    "this is great": "",
    "sign me up as Nora": "Nora",
}


def test_how_to_begin_may_be_answered_with_a_name_in_a_sentence(post: Post) -> None:
    for number, (words, name) in enumerate(SAID.items()):
        with post.undone():
            who = Correspondent(post, "x9", f"x{number}@example.org")
            who.writes("I want to play")
            who.answers(who.letter, words)
            assert not Player.objects.people(), words
            assert f"REGISTER {name}" in who.letter.text or f"play here as {name}" in " ".join(
                who.letter.text.replace("giocare qui come", "play here as").split()
            ), words
            who.answers(who.letter, "YES" if name else "no")
            assert [player.name for player in Player.objects.people()] == list(filter(None, [name])), words


def test_whoever_asks_to_be_signed_up_and_says_their_name_is_asked_about_it(post: Post) -> None:
    for number, (words, subject) in enumerate(
        [
            ("Could you please sign me up? My name is Martha", "Please confirm: Martha wants to play"),
            ("Salve, vorrei giocare. Mi chiamo Marta e abito a Roma", "Conferma: Marta vuole giocare"),
        ]
    ):
        who = Correspondent(post, "x9", f"y{number}@example.org")
        assert who.writes(words).verdict == Code.CONFIRM_NEEDED
        assert who.letter.subject == subject


def test_a_name_in_a_sentence_is_theirs_before_the_yes_and_asked_about_with_it(post: Post) -> None:
    ada, ned = (Correspondent(post, name, f"prof.{name}@example.org") for name in ("ada", "ned"))
    ada.writes(
        "I would like to register under the name Ngozi and invite my colleague ned@example.org to emergo."
    )
    assert "asked to play here as Ngozi" in unwrapped(ada.letter.text)
    ned.writes("Dear Sir or Madam, please sign me up, I want to play")
    ned.answers(ned.letter, "Yes, it was I, but the name should be Teo rather than Ned, please.")
    assert not Player.objects.people().exists()
    ned.answers(ned.letter, "Yes")
    assert Player.objects.people().get().name == "Teo"


def test_a_name_that_they_prefer(stranger: Correspondent) -> None:
    stranger.writes("REGISTER")
    stranger.answers(stranger.letter, "SÌ, ma preferirei il nome Bruni.")
    assert not Player.objects.people().exists()
    stranger.answers(stranger.letter, "SÌ")
    assert Player.objects.people().get().name == "Bruni"


def test_another_name_than_the_one_asked_about_is_asked_about_in_its_place(stranger: Correspondent) -> None:
    stranger.writes("REGISTER")
    assert "asked to play here as Dora" in " ".join(stranger.letter.text.split())
    assert stranger.answers(stranger.letter, "call me Nora please").verdict == Code.CONFIRM_NEEDED
    assert "asked to play here as Nora" in " ".join(stranger.letter.text.split())
    stranger.answers(stranger.letter, "yes")
    assert Player.objects.people().get().name == "Nora"


def test_the_subject_alone_registers(stranger: Correspondent) -> None:
    stranger.writes("", subject="Register Dora", dmarc="")
    assert stranger.kinds() == ["signup"]


def test_no_is_taken_for_an_answer(stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    [question] = stranger.reads()
    assert stranger.answers(question, "NO").verdict == "ok"
    assert stranger.kinds() == ["goodbye"]
    assert stranger.answers(question, "YES").verdict == Code.EXPIRED
    assert not Player.objects.people().exists()


def test_what_is_neither_yes_nor_no_is_asked_again(stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    [question] = stranger.reads()
    assert stranger.answers(question, "Who are you?").verdict == Code.NO_MOVE_FOUND
    [again] = stranger.reads()
    assert "Dora" in again.text
    assert again.reply_to == question.reply_to
    assert stranger.answers(again, "YES").verdict == "ok"
    assert stranger.kinds() == ["welcome"]


def test_the_question_stands_for_72_hours_and_not_for_one_more(post: Post, stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    [question] = stranger.reads()
    post.wait(hours=72, minutes=1)
    assert stranger.answers(question, "YES").verdict == Code.CONFIRM_EXPIRED
    assert stranger.kinds() == ["refused"]
    assert not Player.objects.people().exists()


def test_a_yes_that_came_in_time_counts_when_it_is_opened_late(post: Post, stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    [question] = stranger.reads()
    post.wait(hours=71)
    row = post.keep(stranger.pens("YES"), question.reply_to, stranger.email)
    post.wait(hours=50)
    post.open()
    row.refresh_from_db()
    assert row.verdict == "ok"
    assert stranger.player


def test_yes_again_is_one_player_and_one_welcome(stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    [question] = stranger.reads()
    stranger.answers(question, "YES")
    for _ in range(3):
        assert stranger.answers(question, "YES").verdict == Code.EXPIRED
        assert "You are already in, Dora" in stranger.letter.text
    assert Player.objects.people().count() == 1
    assert stranger.kinds() == ["welcome", "answered", "answered", "answered"]
    assert stranger.answers(stranger.letter, "GAMES").verdict == "ok"
    assert stranger.kinds() == ["games"]


def test_a_taken_name_is_refused_whatever_its_case(alice: Correspondent, stranger: Correspondent) -> None:
    assert stranger.writes("REGISTER aLICE").verdict == Code.NAME_TAKEN
    assert stranger.letter.subject == "The name aLICE is taken"
    assert stranger.writes("REGISTER Dora").verdict == Code.CONFIRM_NEEDED
    assert stranger.kinds() == ["signup", "signup"]


@pytest.mark.parametrize("name", ["X", "9lives", "Dora-who-has-a-very-long-name"])
def test_a_name_must_be_one_short_word(stranger: Correspondent, name: str) -> None:
    assert stranger.writes(f"REGISTER {name}").verdict == Code.BAD_NAME
    assert stranger.kinds() == ["refused"]


def test_of_several_words_the_first_is_the_name_and_without_any_that_of_the_email(post: Post) -> None:
    writers = {"Dora Rossi": "REGISTER", "Rossi, Emma": "iscrivimi", "x": "REGISTER: Ida the Great"}
    for number, (name, line) in enumerate(writers.items()):
        who = Correspondent(post, name, f"w{number}@example.org")
        who.writes(line, headers={"From": f'"{name}" <{who.email}>'})
        who.answers(who.letter, "YES")
    assert [player.name for player in Player.objects.people().order_by("pk")] == ["Dora", "Emma", "Ida"]


def test_two_addresses_race_for_one_name(post: Post, stranger: Correspondent) -> None:
    rival = Correspondent(post, "Dora", "other.dora@example.org")
    for who in (stranger, rival):
        who.writes("REGISTER Dora")
    assert rival.answers(rival.letter, "YES").verdict == "ok"
    assert stranger.answers(stranger.letter, "YES").verdict == Code.NAME_TAKEN
    assert rival.kinds() == ["signup", "welcome"]
    assert stranger.kinds() == ["signup", "signup"]
    assert Address.objects.get().email == "other.dora@example.org"
    assert stranger.answers(stranger.letter, "YES").verdict == "ok"
    assert {player.name for player in Player.objects.people()} == {"Dora", "Dora2"}


def test_a_stranger_is_asked_once_in_a_week(post: Post, stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    [question] = stranger.reads()
    assert stranger.writes("REGISTER Dorothy").verdict == Code.UNVERIFIED
    assert stranger.kinds() == ["told_before"]
    assert Confirmation.objects.count() == 1
    post.wait(days=7)
    assert stranger.writes("REGISTER Dorothy").verdict == Code.CONFIRM_NEEDED
    assert stranger.kinds() == ["signup"]
    assert stranger.answers(question, "YES").verdict == Code.CONFIRM_EXPIRED


@pytest.mark.parametrize("dmarc", ["pass", ""])
def test_a_register_with_more_below_is_asked_about_though_an_earlier_one_is_open(
    post: Post, stranger: Correspondent, dmarc: str
) -> None:
    stranger.writes("Hello, what is this?", dmarc=dmarc)
    stranger.writes("REGISTER Dora", dmarc=dmarc)
    assert stranger.kinds() == ["invitation", "signup"]
    body = "REGISTER Dora\nCHALLENGE pia@example.net loa"
    assert stranger.writes(body, dmarc=dmarc).verdict == Code.CONFIRM_NEEDED
    [question] = stranger.reads()
    assert "CHALLENGE pia@example.net loa" in question.text
    assert stranger.writes(body, dmarc=dmarc).verdict == Code.UNVERIFIED
    assert stranger.answers(question, "YES", dmarc=dmarc).verdict == "ok"


def test_help_is_told_a_stranger_once_a_day_where_their_provider_vouches_for_them(
    post: Post, stranger: Correspondent
) -> None:
    heard = []
    for _ in range(2):
        for body in ("Hello, what is this?", "HELP", "HELP"):
            stranger.writes(body)
        heard.append(stranger.kinds())
        post.wait(days=1)
    assert heard == [
        ["invitation", "invitation", "told_before"],
        ["to_organiser", "invitation", "told_before"],
    ]


STRANGERS_ASK = (
    "Hello, what is this?",
    "Hi, what is this?",
    "Who are you?",
    "Hi, who are you and what is this about?",
    "Ciao, di che si tratta?",
    "Salve, chi siete? come avete avuto la mia mail",
    "Hello! I would like to play a game with my friend Pia, how do I do that?",
    "Can I play Zertz against pia@example.net?",
    "I am Tom and I would love to play lines of action with Lucy, her address is pia@example.net.",
    "I'd like to challenge pia@example.net to trapdoor chess.",
    "Me and my mate pia@example.net would like to play Emergo with each other.",
    "hiya, mick here. fancy a game of loa with my mate pia@example.net, can you sort it?",
    "Hey folks, anyone up for a game of Emergo?",
    "I should like to play Insert with my cousin Phil (pia@example.net) if that is possible.",
    "I would love to find an opponent for trapdoor chess, I play at about 1400.",
    "Is there somebody I could play against, or a computer maybe?",
    "Ciao!! Cerco qualcuno con cui giocare a gemma, va bene anche il robot piu facile :)",
    "Potreste invitare mio cugino Enzo (pia@example.net) a giocare a Insert con me?",
    "desidererei disputare una partita a Scacchi Trabocchetto contro Silvia Moretti, indirizzo pia@example.net.",
    "Ciao! iscrivimi ilaria, e sfida pia@example.net a emergo dai, cosi vediamo chi è piu bravo ;)",
    "io e mio marito (pia@example.net) vogliamo giocare a Lines of Action.",
    "Salve, vorrei un avversario per insert, va bene chiunque.",
)


def test_whoever_asks_what_this_is_or_how_to_play_asks() -> None:
    assert [line for line in STRANGERS_ASK if not newcomers.asks("", [line])] == []
    sells = [
        "What is this offer of 50% on watches?",
        "Who are you to sell at https://example.net",
        "What a day",
        "Win money at our new casino games, play now and get a bonus of 100 free spins",
        "Dear friend, I would like to invite you to try our SEO service for your website",
        "Gioca subito al nostro casinò, una partita gratis per te",
        "I am looking for business partners who would like to join our project",
    ]
    assert [line for line in sells if newcomers.asks("", [line])] == []


def test_a_stranger_whose_provider_vouches_for_him_is_told_how_to_register_once(
    stranger: Correspondent,
) -> None:
    assert stranger.writes("HELP").verdict == Code.UNVERIFIED
    assert stranger.kinds() == ["invitation"]
    assert stranger.writes("AIUTO").verdict == Code.UNVERIFIED
    assert stranger.kinds() == ["told_before"]


@pytest.mark.parametrize("dmarc", ["pass", "", "none", "fail"])
@pytest.mark.parametrize(
    "body",
    ["Cheap watches", "What is this amazing offer of 50% on watches?", "Buy now\na\nb\nc\nREGISTER\nHELP"],
)
def test_a_stranger_who_asks_for_nothing_hears_nothing(
    stranger: Correspondent, body: str, dmarc: str
) -> None:
    """The address may be forged, and spam may be signed by its sender: an answer would only bring more of it."""
    assert stranger.writes(body, dmarc=dmarc).verdict == Code.UNVERIFIED
    assert stranger.kinds() == []


@pytest.mark.parametrize("body", ["HELP", "Aiuto!", "Hello,\n\nREGISTER Dora\n\nThanks", "ISCRIVIMI Dora"])
def test_a_stranger_whose_address_somebody_else_uses_hears_nothing(
    stranger: Correspondent, body: str
) -> None:
    assert stranger.writes(body, dmarc="fail").verdict == Code.UNVERIFIED
    assert stranger.kinds() == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [("Hello,\n\nREGISTER Dora\n\nThanks", "signup"), ("AIUTO", "invitation"), ("HELP zertz", "invitation")],
)
def test_a_stranger_who_asks_is_answered(stranger: Correspondent, body: str, kind: str) -> None:
    stranger.writes(body, dmarc="")
    assert stranger.kinds() == [kind]


@pytest.mark.prove
def test_at_most_ten_strangers_of_one_mail_server_are_answered_in_a_day(post: Post) -> None:
    writers = [Correspondent(post, f"W{number}", f"w{number}@example.org") for number in range(12)]
    for number, writer in enumerate(writers):
        store_message(
            writer.pens("HELP"), sender=writer.email, recipient=play_address(), now=post.now, peer="8.8.4.4"
        )
        post.open()
        post.send()
        assert writer.kinds() == (["invitation"] if number < 10 else [])
    row = InboundMail.objects.latest("pk")
    assert (row.verdict, row.reading["silenced"]) == (Code.UNVERIFIED, ["strangers_server"])
    other = Correspondent(post, "Other", "other@example.org")
    store_message(
        other.pens("HELP"), sender=other.email, recipient=play_address(), now=post.now, peer="8.8.8.8"
    )
    post.open()
    post.send()
    assert other.kinds() == ["invitation"]


@pytest.mark.prove
def test_at_most_fifty_strangers_are_answered_in_a_day(post: Post, alice: Correspondent) -> None:
    writers = [Correspondent(post, f"W{number}", f"w{number}@example.org") for number in range(52)]
    for writer in writers:
        writer.writes("HELP")
    assert [len(writer.letters) for writer in writers] == [1] * 50 + [0] * 2
    assert InboundMail.objects.latest("pk").reading["silenced"] == ["strangers_day"]
    alice.writes("HELP")
    assert alice.kinds() == ["help"]
    post.wait(days=1)
    writers[51].writes("REGISTER Wilma")
    assert writers[51].kinds() == ["signup"]


def test_a_player_who_registers_again_is_told_so_at_his_own_address(alice: Correspondent) -> None:
    for dmarc in ("pass", ""):
        assert alice.writes("REGISTER alice", dmarc=dmarc).verdict == Code.ALREADY_REGISTERED
        assert alice.kinds() == ["refused"]
    assert Player.objects.people().count() == 1


def test_nobody_learns_whether_an_address_is_registered(post: Post, alice: Correspondent) -> None:
    """Charlie claims to be Alice, and to be somebody unknown: he gets nothing either way."""
    charlie = Correspondent(post, "Charlie", "charlie@example.org")
    for claimed in ("alice@example.org", "nobody@example.org"):
        post.deliver(
            charlie.pens("REGISTER Mallory", dmarc="", headers={"From": claimed}),
            play_address(),
            charlie.email,
        )
    assert charlie.letters == []


def test_the_address_of_a_question_opens_nothing_else(alice: Correspondent, stranger: Correspondent) -> None:
    """A letter to c+ is a YES, a NO or unclear; a match in it without a YES is asked about with the name."""
    stranger.writes("REGISTER Dora")
    assert stranger.answers(stranger.letter, "RESIGN 1").verdict == Code.NO_MOVE_FOUND
    assert stranger.answers(stranger.letter, "CHALLENGE Alice zertz").verdict == Code.CONFIRM_NEEDED
    assert alice.kinds() == []
    assert not Player.objects.filter(name="Dora").exists()
    assert "    CHALLENGE Alice zertz\r\n" in stranger.letter.text
    assert stranger.answers(stranger.letter, "YES").verdict == "ok"
    assert alice.kinds() == ["challenge"]


# -- in words of their own --------------------------------------------------------------------------------

ASKS = {
    "ciao, vorrei giocare": "it",
    "register me please: Emma": "en",
    "Buongiorno!\n\nCome ci si iscrive?\n\nGrazie": "it",
    "Hello,\n\nI'd like to play with you. How do I begin?": "en",
    "AIUTO": "it",
    "help please": "en",
    "Hi! I'm Emma. A friend told me about this, I'd like to sign up please. I'd love to play tom@mail.example": "en",
    "I would like to join. Looks like great fun to me.": "en",
}
SELLS = (
    "I would like to play at www.casino.example",
    "Vorrei proporle un investimento.",
    "Do you want to sell more?\n\nCall us.\nToday.\nI want to play",
    "We can help your business to grow",
    "You have won 1000 $: how to register",
)


@pytest.mark.prove
@pytest.mark.parametrize("dmarc", ["pass", "none", "fail"])
def test_whoever_asks_how_to_begin_is_told_once_and_in_one_line_more_and_whoever_sells_is_not(
    post: Post, dmarc: str
) -> None:
    for number, (body, language) in enumerate(ASKS.items()):
        who = Correspondent(post, "Emma", f"emma{number}@{number}.example")
        for _ in range(3):
            who.writes(body, dmarc=dmarc)
        named = "Emma" in body
        kind, begins = "signup" if named else "invitation", {"en": "Each turn", "it": "Ogni mossa"}[language]
        if dmarc == "fail":
            assert who.letters == []
            continue
        told, line = who.letters
        assert (told.kind, line.kind in ("to_organiser", "told_before")) == (kind, True), body
        assert ("Welcome!" if named else begins) in told.text, body
        assert "could not read" not in told.text
    for number, body in enumerate(SELLS):
        who = Correspondent(post, "Seller", f"seller{number}@{number}.example")
        assert who.writes(body, dmarc=dmarc).verdict == Code.UNVERIFIED
        assert who.kinds() == [], body


@pytest.mark.parametrize(
    ("answer", "language"),
    [("REGISTER Emma", "en"), ("YES Emma", "en"), ("Sì Emma", "it"), ("ISCRIVIMI Emma", "it")],
)
def test_the_answer_to_it_signs_up(stranger: Correspondent, answer: str, language: str) -> None:
    stranger.writes("ciao, vorrei giocare", dmarc="none")
    assert stranger.answers(stranger.letter, answer, dmarc="none").verdict == "ok"
    assert stranger.kinds() == ["invitation", "welcome"]
    [player] = Player.objects.people()
    assert (player.name, player.language, player.email) == ("Emma", language, stranger.email)
    assert stranger.answers(stranger.letters[0], answer).verdict == Code.EXPIRED
    assert "Emma" in stranger.letter.text


def test_a_name_alone_is_asked_about_and_a_greeting_is_none(
    alice: Correspondent, stranger: Correspondent
) -> None:
    stranger.writes("ciao, vorrei giocare", dmarc="none")
    told = stranger.letter
    assert "    REGISTER Dora" in told.text or "    ISCRIVIMI Dora" in told.text
    assert stranger.answers(told, "Ciao!").verdict == Code.NO_MOVE_FOUND
    assert stranger.answers(told, "YES Alice").verdict == Code.NAME_TAKEN
    assert stranger.answers(told, "Emma").verdict == Code.CONFIRM_NEEDED
    assert stranger.kinds() == ["invitation", "invitation", "signup", "signup"]
    assert Player.objects.people().count() == 1
    assert stranger.answers(stranger.letter, "sì").verdict == "ok"
    assert stranger.kinds() == ["welcome"]
    assert Player.objects.latest("pk").name == "Emma"


def test_a_friend_who_is_named_in_a_sentence_is_asked_about(stranger: Correspondent) -> None:
    stranger.writes("Ciao, vorrei giocare", dmarc="none")
    assert "    SFIDA amica@example.org loa" in stranger.letter.text
    stranger.answers(stranger.letter, "Vorrei giocare a zèrtz con Tom (tom@example.net)!", dmarc="none")
    assert "giocare qui come Dora" in stranger.letter.text
    assert "    SFIDA tom@example.net zèrtz\r\n" in stranger.letter.text
    assert not Invitation.objects.exists()
    assert stranger.answers(stranger.letter, "Sì", dmarc="none").verdict == "ok"
    assert Invitation.objects.get().address == "tom@example.net"


def test_of_a_forged_first_letter_its_reader_sees_no_words(stranger: Correspondent) -> None:
    """From may be forged: of what they never wrote stands in our letter what their YES would do, and nothing else."""
    stranger.writes("Ciao, vorrei giocare a loa con spam@example.net, che vende vasi", dmarc="none")
    assert "    SFIDA spam@example.net loa\r\n" in stranger.letter.text
    assert "vasi" not in stranger.letter.text
    stranger.answers(stranger.letter, "NO", dmarc="none")
    assert not Invitation.objects.exists()
    assert not Player.objects.people().exists()


def test_a_yes_alone_takes_the_name_that_the_letter_proposed(stranger: Correspondent) -> None:
    stranger.writes("ciao, vorrei giocare", dmarc="none")
    assert stranger.answers(stranger.letter, "Sì, grazie!", dmarc="none").verdict == "ok"
    assert stranger.player.language == "it"


def test_no_is_the_end_of_it(stranger: Correspondent) -> None:
    stranger.writes("HELP")
    told = stranger.letter
    assert stranger.answers(told, "NO").verdict == "ok"
    assert stranger.answers(told, "YES Dora").verdict == Code.EXPIRED
    assert not Player.objects.people().exists()


def test_what_stands_below_register_is_done_after_the_yes(
    alice: Correspondent, bruno: Correspondent, stranger: Correspondent
) -> None:
    """Anyone who is asked sees it; what changes an address, and talk, is left out."""
    stranger.writes(
        "Hello!\nREGISTER Dora\nCHALLENGE alice zertz first\nsfida bruno trabocchetto\nadd address x@example.net"
    )
    [question] = stranger.reads()
    assert "    CHALLENGE alice zertz first\n    sfida bruno trabocchetto\n" in question.text.replace(
        "\r", ""
    )
    assert "x@example.net" not in question.text
    assert (alice.kinds(), bruno.kinds()) == ([], [])
    assert stranger.answers(question, "Who is it?").verdict == "ok"
    [again] = stranger.reads()
    assert "CHALLENGE alice zertz first" in again.text
    assert stranger.answers(again, "YES").verdict == "ok"
    [welcome] = stranger.reads()
    assert welcome.kind == "welcome"
    assert welcome.text.count("Your challenge is on its way to") == 2
    assert (alice.kinds(), bruno.kinds()) == (["challenge"], ["challenge"])
    assert Confirmation.objects.count() == 1


def test_what_cannot_be_done_below_register_is_refused_and_the_player_is_in(stranger: Correspondent) -> None:
    stranger.writes("ISCRIVIMI Dora\nSFIDA nessuno zertz")
    assert stranger.answers(stranger.letter, "SÌ").verdict == Code.NO_SUCH_PLAYER
    assert stranger.player
    assert "nessuno" in stranger.reads()[-1].text


def test_what_cannot_be_read_below_register_is_told(stranger: Correspondent) -> None:
    stranger.writes("REGISTER Nora\nMy brother Tom told me of it, and he has won three times\nSee you, Tom!")
    assert "We could not read the rest of your email" in stranger.letter.text


def test_of_a_greeting_below_register_nothing_is_said(stranger: Correspondent) -> None:
    stranger.writes("Hello,\nREGISTER Nora\n\nThanks!\nNora")
    assert "We could not read" not in stranger.letter.text


@pytest.mark.parametrize(
    ("first", "said", "game"),
    [
        (
            "Is there anyone to play with?",
            "Yes that's me. I'd like to play Emergo please, against a robot",
            "emergo",
        ),
        ("Mi chiamo Ugo. Cosa si può giocare?", "Va bene, mi iscrivo. Zèrtz contro un robot facile", "zertz"),
    ],
)
def test_a_yes_that_says_which_game_against_a_robot_is_asked_about(
    stranger: Correspondent, first: str, said: str, game: str
) -> None:
    stranger.writes(first)
    stranger.answers(stranger.letter, said)
    assert not Match.objects.exists()
    stranger.answers(stranger.letter, "YES")
    match = Match.objects.get()
    assert match.game_name == game
    assert "Robot-1" in match.players


def test_help_on_a_command_is_nothing_that_a_stranger_asks_for(stranger: Correspondent) -> None:
    stranger.writes("ciao, si può provare lo zertz con un robot?")
    assert "AIUTO" not in stranger.letter.text
    stranger.answers(stranger.letter, "sì")
    assert "Robot-1" in Match.objects.get().players
