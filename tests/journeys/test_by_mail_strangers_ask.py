"""Somebody who has not signed up, asks something in words of their own, and reaches a person; and who that is."""

from __future__ import annotations

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from pbem.inbox.models import InboundMail, PersonalMessage
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, play_address, unwrapped

ENGLISH = [
    "May I enter my class of 20?",
    "Can I talk to a person?",
    "Hello, I am a teacher. May I enter my class of 20 pupils?",
    "Who runs this service?",
    "Do you have a phone number?",
    "Telephone number?",
    "I wrote to you last week and nobody answered me.",
    "I have a question about your privacy policy: where is the data stored?",
    "My son plays here and I would like to know who he writes with.",
    "Dear organiser, our club in Leeds wants to run a tournament with you. Whom should I ring?",
    "I lost access to my old address, please help me get my account back",
]
ITALIAN = [
    "Posso iscrivere la mia classe di 20 ragazzi?",
    "Posso parlare con una persona?",
    "Chi gestisce questo servizio?",
    "Buongiorno, sono un'insegnante e vorrei iscrivere la mia classe di 20 alunni. Come devo fare?",
    "Avete un numero di telefono?",
    "Nessuno mi ha risposto la settimana scorsa, c'è qualcuno lì?",
]
READS_IT = {
    "en": "gone to the organiser, a real person",
    "it": "arrivata all'organizzatore, una persona vera",
}


@pytest.fixture
def desk(db: None) -> Client:
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(User.objects.create_superuser("olga"))
    return browser


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("body", ENGLISH + ITALIAN)
def test_a_question_reaches_a_person_and_its_writer_hears_so(
    stranger: Correspondent, body: str, dmarc: str
) -> None:
    assert stranger.writes(body, dmarc=dmarc).verdict == "ok"
    [told] = stranger.reads()
    language = "it" if body in ITALIAN else "en"
    assert READS_IT[language] in unwrapped(told.text)
    assert ("ISCRIVIMI Dora" if language == "it" else "REGISTER Dora") in told.text
    message = PersonalMessage.objects.get()
    assert (message.player, message.address, message.text) == (None, stranger.email, body)
    assert message.doubted == (dmarc != "pass")


@pytest.mark.parametrize("dmarc", ["pass", "none"])
def test_a_second_email_of_a_day_gets_one_line_and_a_third_is_read(
    post: Post, stranger: Correspondent, dmarc: str
) -> None:
    stranger.writes(ENGLISH[0], dmarc=dmarc)
    stranger.reads()
    assert stranger.writes("We would come on Monday, all of us.", dmarc=dmarc).verdict == "ok"
    [told] = stranger.reads()
    assert "The organiser has this email, too." in told.text
    assert "REGISTER" not in told.text
    assert stranger.writes("Did you get my two emails?", dmarc=dmarc).verdict == "ok"
    assert stranger.kinds() == []
    assert PersonalMessage.objects.count() == 3
    row = stranger.writes("Is anybody ever there?", dmarc=dmarc)
    assert (row.verdict, row.reading["silenced"]) == (Code.UNVERIFIED, ["stranger_words"])
    post.wait(days=1)
    stranger.writes(ENGLISH[1], dmarc=dmarc)
    assert READS_IT["en"] in unwrapped(stranger.letter.text)


def test_an_answer_to_the_line_reaches_them_too(stranger: Correspondent) -> None:
    stranger.writes(ENGLISH[0])
    stranger.answers(stranger.letter, "They are eleven years old, and very keen.")
    assert PersonalMessage.objects.count() == 2
    stranger.answers(stranger.letters[0], "REGISTER Dora")
    assert stranger.letter.kind == "signup"


@pytest.mark.parametrize("first", ["HELP", "REGISTER Dora", "AIUTO"])
def test_a_command_once_more_in_a_day_gets_one_line(stranger: Correspondent, first: str) -> None:
    stranger.writes(first)
    stranger.reads()
    assert stranger.writes(first).verdict == Code.UNVERIFIED, "the same words are not the same email"
    assert stranger.kinds() == ["told_before"]
    row = stranger.writes(first)
    assert (row.verdict, row.reading["silenced"]) == (Code.UNVERIFIED, ["stranger_again"])
    assert stranger.kinds() == []
    assert not PersonalMessage.objects.exists()


@pytest.mark.parametrize(
    "body", ["How much does it cost?", "I'd like to play emergo with the robot", "Ciao", "zertz?"]
)
def test_what_the_program_answers_is_for_no_person_and_says_how_to_reach_one(
    stranger: Correspondent, body: str
) -> None:
    stranger.writes(body)
    assert not PersonalMessage.objects.exists()
    if stranger.letter.kind == "invitation":
        said = unwrapped(stranger.letter.text)
        assert "a real person, reads it" in said or "ti legge l'organizzatore" in said
    assert stranger.writes("I see. May I enter my class of 20?").verdict == "ok"
    assert PersonalMessage.objects.get().text == "I see. May I enter my class of 20?"
    assert len(stranger.letters) == 2


@pytest.mark.parametrize("dmarc", ["pass", "none"])
@pytest.mark.parametrize("first", ["HELP", "REGISTER Dora"])
def test_a_question_in_answer_to_ours_reaches_a_person_and_ours_stays_open(
    stranger: Correspondent, first: str, dmarc: str
) -> None:
    stranger.writes(first, dmarc=dmarc)
    [asked] = stranger.reads()
    assert stranger.answers(asked, "May I enter my class of 20?", dmarc=dmarc).verdict == "ok"
    [told] = stranger.reads()
    assert (told.kind, told.reply_to) == (asked.kind, asked.reply_to)
    assert READS_IT["en"] in unwrapped(told.text)
    assert "could not" not in told.text
    assert PersonalMessage.objects.get().text == "May I enter my class of 20?"
    assert stranger.answers(told, "YES Dora", dmarc=dmarc).verdict == "ok"
    assert stranger.player.email == stranger.email


@pytest.mark.parametrize(
    ("headers", "dmarc"),
    [
        ({}, "fail"),
        ({"Auto-Submitted": "auto-replied"}, "pass"),
        ({"List-Id": "<teachers.example.org>"}, "pass"),
        ({"X-Spam-Flag": "YES"}, "pass"),
        ({"From": "mailer-daemon@example.org"}, "pass"),
    ],
)
def test_what_may_be_forged_and_what_no_person_wrote_is_silence(
    stranger: Correspondent, headers: dict[str, str], dmarc: str
) -> None:
    stranger.writes(ENGLISH[0], dmarc=dmarc, headers=headers)
    assert (stranger.letters, PersonalMessage.objects.exists()) == ([], False)


SOLD = [
    "Cheap watches",
    "Great offer! Buy cheap watches at http://spam.example.com now, 50% off for you!",
    "Dear Sir/Madam, we are a leading SEO company and would like to offer our services to rank your website.",
    "b1-b3",
]


@pytest.mark.parametrize("body", SOLD)
def test_neither_is_what_sells_or_says_nothing(stranger: Correspondent, body: str) -> None:
    assert stranger.writes(body).verdict == Code.UNVERIFIED
    assert (stranger.letters, PersonalMessage.objects.exists()) == ([], False)


@pytest.mark.parametrize(("dmarc", "heard"), [("pass", True), ("none", False)])
def test_a_link_is_believed_of_whom_a_provider_vouches_for(
    stranger: Correspondent, dmarc: str, heard: bool
) -> None:
    stranger.writes("Our school is https://school.example.org, may all of us take part?", dmarc=dmarc)
    assert PersonalMessage.objects.exists() == heard
    assert bool(stranger.letters) == heard


def test_a_copy_of_the_very_same_email_is_a_duplicate_and_no_other(stranger: Correspondent) -> None:
    """The door keeps it once; nothing is told again."""
    stranger.writes(ENGLISH[0], headers={"Message-ID": "<1@school.example.org>"})
    stranger.writes(ENGLISH[0], headers={"Message-ID": "<1@school.example.org>"})
    assert len(stranger.letters) == 1
    assert stranger.writes(ENGLISH[0]).verdict == "ok"
    assert not InboundMail.objects.filter(verdict=Code.DUPLICATE).exists()


@pytest.mark.prove
def test_the_caps_of_strangers_hold(post: Post) -> None:
    writers = [Correspondent(post, "Someone", f"someone{number}@example.net") for number in range(52)]
    for writer in writers:
        writer.writes(ENGLISH[0], dmarc="none")
    assert [len(writer.letters) for writer in writers] == [1] * 50 + [0] * 2
    assert PersonalMessage.objects.count() == 50


def test_the_organiser_reads_and_answers_it(
    post: Post, stranger: Correspondent, desk: Client, settings: Settings
) -> None:
    settings.ORGANISER_EMAIL = "olga@example.org"
    stranger.writes(ITALIAN[0])
    stranger.reads()
    notice = OutboundMail.objects.get(address="olga@example.org")
    assert stranger.email in notice.text
    assert ITALIAN[0] not in notice.text
    message = PersonalMessage.objects.get()
    assert stranger.email in desk.get("/admin/").content.decode()
    assert stranger.email in desk.get("/admin/inbox/personalmessage/?q=dora%40ex").content.decode()
    page = f"/admin/inbox/personalmessage/{message.pk}/"
    shown = desk.get(f"{page}change/").content.decode()
    assert ITALIAN[0] in shown
    assert stranger.email in shown
    with time_machine.travel(post.now, tick=False):
        desk.post(f"{page}press/answer/", {"text": "Volentieri, quando volete."})
    post.send()
    [answer] = stranger.reads()
    assert "L'organizzatore ti scrive" in answer.text
    assert "Volentieri, quando volete." in answer.text
    assert answer.reply_to == "olga@example.org"
    assert PersonalMessage.objects.get().done_at is not None


def test_without_a_mailbox_of_theirs_what_is_answered_to_the_organiser_comes_back(
    post: Post, stranger: Correspondent, desk: Client
) -> None:
    stranger.writes(ENGLISH[0])
    message = PersonalMessage.objects.get()
    with time_machine.travel(post.now, tick=False):
        desk.post(f"/admin/inbox/personalmessage/{message.pk}/press/answer/", {"text": "When?"})
    post.send()
    assert stranger.letter.reply_to == play_address()
    stranger.answers(stranger.letter, "On Monday, if you like.")
    assert PersonalMessage.objects.latest("pk").text == "On Monday, if you like."


@pytest.mark.parametrize(
    ("name", "email", "said"),
    [
        ("Olga Rossi", "olga@example.org", "run by: Olga Rossi, olga@example.org"),
        ("Circolo di Lecco", "", "run by: Circolo di Lecco"),
        ("", "olga@example.org", "run by: olga@example.org"),
    ],
)
def test_every_letter_and_the_front_page_name_who_runs_the_service(
    alice: Correspondent, stranger: Correspondent, settings: Settings, name: str, email: str, said: str
) -> None:
    settings.ORGANISER_NAME, settings.ORGANISER_EMAIL = name, email
    alice.writes("GAMES")
    stranger.writes("HELP")
    for letter in (alice.letter, stranger.letter):
        below = unwrapped(letter.text).partition("answer above this line")[2]
        assert said in below
        assert (f'href="mailto:{email}"' in letter.html) == bool(email)
    front = unwrapped(Client().get("/", follow=True).content.decode())
    assert f"run by: {name}" in front
    assert (f'href="mailto:{email}"' in front) == bool(email)


def test_where_nobody_is_named_nothing_is_said(alice: Correspondent) -> None:
    alice.writes("GAMES")
    assert (
        "run by"
        not in alice.letter.text + alice.letter.html + Client().get("/", follow=True).content.decode()
    )
