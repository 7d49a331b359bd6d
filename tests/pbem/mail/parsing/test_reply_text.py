"""What of a reply was typed, line by line."""

import pytest

from pbem.mail.parsing.reply_text import new_text
from pbem.mail.parsing.sent_text import ours, with_words_marked

SENT = """\
Hello Alice, it is your turn.

  a4  b5  c6
a3  b4  c5  d6

Write your move, for example:
    Nd2,b1
    Gc3,f3

===== answer above this line =====
Match 105 - write HELP for all commands.
"""
QUOTED = "\n".join(f"> {line}".rstrip() for line in SENT.splitlines())


@pytest.mark.parametrize(
    "said",
    [
        "On Sat, Nov 21, 2026 at 9:14 AM PBeM <m@pbem.example> wrote:",
        "On Sat, Nov 21, 2026 at 9:14 AM PBeM\n<m@pbem.example>\nwrote:",
        "Il giorno sab 21 nov 2026 alle ore 09:14 PBeM <m@pbem.example> ha\nscritto:",
        "Il 21/11/2026 09:14, PBeM ha scritto:",
        "PBeM <m@pbem.example> schrieb am Sa., 21.\nNov. 2026 um 09:14 Uhr:",
        "Le sam. 21 nov. 2026 à 09:14, PBeM <m@pbem.example> a écrit :",
        "2026-11-21 9:14 GMT+01:00 PBeM <m@pbem.example>:",
        "2026-11-21 9:14 GMT+01:00 PBeM",
        "Am Sa., 21. Nov. 2026 um 09:14 Uhr schrieb PBeM <m@pbem.example>:",
        "Am 21.11.26 um 09:14 schrieb PBeM:",
        "Le 21/11/2026 à 09:14, PBeM a écrit :",
        "El sáb, 21 nov 2026 a las 9:14, PBeM (<m@pbem.example>) escribió:",
        "El 21/11/26 a las 9:14, PBeM escribió:",
        "Em sáb., 21 de nov. de 2026 às 09:14, PBeM <m@pbem.example> escreveu:",
        "PBeM <m@pbem.example> escreveu no dia sábado, 21/11/2026 à(s) 09:14:",
        "Op za 21 nov. 2026 om 09:14 schreef PBeM <m@pbem.example>:",
        "Den lör 21 nov. 2026 kl 09:14 skrev PBeM <m@pbem.example>:",
        "lør. 21. nov. 2026 kl. 09:14 skrev PBeM <m@pbem.example>:",
        "la 21. marrask. 2026 klo 9.14 PBeM (m@pbem.example) kirjoitti:",
        "sob., 21 lis 2026 o 09:14 PBeM <m@pbem.example> napisał(a):",
        "so 21. 11. 2026 v 9:14 odesílatel PBeM <m@pbem.example> napsal:",
        "сб, 21 нояб. 2026 г. в 09:14, PBeM <m@pbem.example>:",
        "21.11.2026 09:14, PBeM пишет:",
        "21 Kas 2026 Cmt, 09:14 tarihinde PBeM <m@pbem.example> şunu yazdı:",
        "PBeM <m@pbem.example> 于2026年11月21日周六 09:14写道：",
        "2026年11月21日(土) 9:14 PBeM <m@pbem.example>:",
        "În sâm., 21 nov. 2026 la 09:14, PBeM <m@pbem.example> a scris:",
        "PBeM <m@pbem.example> ezt írta (időpont: 2026. nov. 21., Szo, 9:14):",
        "Στις Σάβ 21 Νοε 2026 στις 9:14 π.μ., ο χρήστης PBeM <m@pbem.example> έγραψε:",
        "El ds., 21 de nov. 2026, 9:14, PBeM <m@pbem.example> va escriure:",
    ],
)
def test_who_wrote_when_is_not_part_of_the_letter(said):
    assert new_text(f"Kd3,c1\n\n{said}\n\n{QUOTED}") == ("Kd3,c1",)
    assert new_text(f"{said}\n{QUOTED}\n\nKd3,c1") == ("Kd3,c1",)


@pytest.mark.parametrize("talk", ["A domani!", "On we go.", "Il resto dopo, ciao", "At last!"])
def test_talk_right_above_it_is_part_of_the_letter(talk):
    said = "Il giorno sab 21 nov 2026 alle ore 09:14 PBeM <m@pbem.example> ha\nscritto:"
    assert new_text(f"Kd3,c1\n{talk}\n{said}\n\n{QUOTED}") == ("Kd3,c1", talk)


def test_who_wrote_when_with_a_torn_link():
    said = "On Sat, 21 Nov 2026 at 09:14 PBeM\n\n<\nmailto:PBeM <m@pbem.example>\n> wrote:\n"
    assert new_text(f"Kd3,c1\n\n{said}\n{SENT}") == ("Kd3,c1",)
    assert new_text(f"On 21 Nov 2026 we meet\n\nKd3,c1\n\n{said}\n{SENT}")[-1] == "Kd3,c1"


@pytest.mark.parametrize(
    "beginning",
    [
        "-----Original Message-----",
        "-----Messaggio originale-----",
        "________________________________",
        "Begin forwarded message:",
        "*From:* PBeM\n*Sent:* Saturday\n*To:* Alice",
        "Da: PBeM\nInviato: sabato 21 novembre 2026\nA: Alice\nOggetto: [105]",
        "-----\nFrom: PBeM\nSent: today\nTo: Alice",
        "---\n\nDa: PBeM\nInviato: oggi\nA: Alice",
        "Lähettäjä: PBeM\nLähetetty: 21. marraskuuta 2026\nVastaanottaja: Alice\nAihe: [105]",
        "Feladó: PBeM\nElküldve: 2026. november 21.\nCímzett: Alice\nTárgy: [105]",
        "Od: PBeM\nOdesláno: sobota\nKomu: Alice\nPředmět: [105]",
        "Kimden: PBeM\nGönderildi: Cumartesi\nKime: Alice\nKonu: [105]",
        "Από: PBeM\nΣτάλθηκε: Σάββατο\nΠρος: Alice\nΘέμα: [105]",
        "De la: PBeM\nTrimis: sâmbătă\nCătre: Alice\nSubiect: [105]",
        "보낸 사람: PBeM\n보낸 날짜: 2026년\n받는 사람: Alice\n제목: [105]",
        "מאת: PBeM\nנשלח: שבת\nאל: Alice\nנושא: [105]",
        "差出人: PBeM\n送信日時: 2026年11月21日\n宛先: Alice\n件名: [105]",
        "---- On Sat, 21 Nov 2026 09:14:00 +0100 PBeM <m@pbem.example> wrote ----",
        "===== answer above this line =====",
        "===== rispondi sopra questa riga =====",
        "<< ===== answer above this line ===== >>",
    ],
)
def test_a_letter_quoted_without_marks_ends_the_reading(beginning):
    assert new_text(f"Kd3,c1\n\n{beginning}\nGc3,f3\n") == ("Kd3,c1",)


@pytest.mark.parametrize(
    "footer",
    [
        "Sent from my iPhone",
        "Inviato da iPhone",
        "Inviato dal mio dispositivo Samsung Galaxy",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Scarica Outlook per Android",
        "Sent with [Proton Mail](https://proton.me) secure email.",
        "\u1427",
        "This email was sent from my BlackBerry",
        "Someone from mobile",
        "Get BlueMail for Android",
        "Scarica BlueMail per Android",
        "Sent with AquaMail for Android\nhttps://www.mobisystems.com/aqua-mail",
        "Sent with Edison",
        "Get Edison Mail for iOS",
        "Virus-free. www.avast.com",
        "Virus-free.www.avast.com",
        "Privo di virus. www.avast.com",
        "This email has been checked for viruses by Avast antivirus software.\nwww.avast.com",
        "Questa e-mail è stata controllata per individuare virus con Avast antivirus.\nhttps://www.avast.com/antivirus",
        "Secured with Tuta Mail:\nhttps://tuta.com/free-email",
    ],
)
def test_adverts_of_the_mail_program_are_left_out_and_text_below_them_read(footer):
    assert new_text(f"Kd3,c1\n\n{footer}") == ("Kd3,c1",)
    assert new_text(f"{footer}\n\nKd3,c1\n\n{QUOTED}") == ("Kd3,c1",)


@pytest.mark.parametrize(
    "notice",
    [
        "This e-mail and any attachments are confidential and intended solely for the\naddressee. Thank you.",
        "CONFIDENTIALITY NOTICE: the contents are for the addressee alone.",
        "The information contained in this message is privileged.\n\n"
        "If you are not the intended recipient, please delete it.",
        "Le informazioni contenute in questo messaggio sono riservate e destinate\nal solo destinatario.",
        "Questo messaggio è riservato. Se lo avete ricevuto per errore, distruggetelo.",
        "Ai sensi del Regolamento UE 2016/679 (GDPR) si precisa che nulla va diffuso.",
        "Please consider the environment before printing this email.",
        "Rispetta l'ambiente: non stampare questa mail se non è necessario.",
        "Diese E-Mail enthält vertrauliche Informationen und ist nur für Sie bestimmt.",
        "Ce message est strictement confidentiel et réservé à son destinataire.",
    ],
)
def test_notices_of_lawyers_are_left_out_and_text_below_them_read(notice):
    assert new_text(f"Kd3,c1\n\n{notice}") == ("Kd3,c1",)
    assert new_text(f"{notice}\n\nKd3,c1\n\n{QUOTED}") == ("Kd3,c1",)


@pytest.mark.parametrize(
    "talk",
    [
        "This message is a bit late, sorry.",
        "Questo messaggio arriva tardi, scusa.",
        "If you are not too tired, shall we go on tomorrow?",
        "The Bat! is what I wrote this with.",
        "By the way, I said: not today.",
        "Prima o poi vinco io.",
        "This message is confidential: I am lost.",
        "Se il mio cavallo sta lì per errore, pazienza: ormai la partita è andata, e tu hai giocato benissimo.",
        "If you received this by mistake: it was my sister who played, and she says she would do so again.",
        "Get Edith to play, too.",
        "De la belle ouvrage:",
        "Konu komşu:",
    ],
)
def test_talk_that_begins_like_what_programs_add_is_talk(talk):
    assert new_text(f"Kd3,c1\n{talk}\nBye") == ("Kd3,c1", talk, "Bye")


def test_a_drawn_line_is_kept_with_what_stands_below_it():
    assert new_text("Kd3,c1\n-----\nAnd something else:\n-----\nBye") == (
        *("Kd3,c1", "-----", "And something else:", "-----", "Bye"),
    )


@pytest.mark.parametrize(
    "talk",
    [
        "Sent from my desk, is much easier than my telephone.",
        "This email was sent from way too many places at once.",
    ],
)
def test_talk_of_where_one_writes_is_no_advert(talk):
    assert new_text(f"Kd3,c1\n{talk}") == ("Kd3,c1", talk)


@pytest.mark.parametrize("line", ["-- ", "--", "END", "end", "FINE", "Fine."])
def test_reading_stops(line):
    assert new_text(f"Kd3,c1\n{line}\nGc3,f3") == ("Kd3,c1",)


def test_fine_as_the_first_word_is_english():
    assert new_text("Fine\nKd3,c1") == ("Fine", "Kd3,c1")


@pytest.mark.parametrize("mark", ["> ", ">", "| ", "PB> ", "&gt; "])
def test_quote_marks(mark):
    quotation = "\n".join((mark + line).rstrip() for line in SENT.splitlines())
    assert new_text(f"Kd3,c1\n{quotation}") == ("Kd3,c1",)


def test_a_typed_line_that_repeats_our_example_is_new():
    for quotation in (QUOTED, SENT, ""):
        assert new_text(f"Gc3,f3\n\n{quotation}", SENT) == ("Gc3,f3",)
        assert new_text(f"{quotation}\n\nNd2,b1", SENT) == ("Nd2,b1",)


def test_a_long_line_that_our_letter_has_to_be_sent_is_new_by_itself_and_ours_in_a_quotation():
    line = "CHALLENGE carla@example.org loa"
    sent = (
        f"Dora, you are registered. To begin:\n\nInvite a friend:\n\n    {line}\n\nWhat can be played here:\n"
    )
    assert new_text(f"{line}\n", sent) == (line,)
    assert new_text(f"Hello!\n\n{line}\n\n> Dora, you are registered.", sent) == ("Hello!", "", line)
    assert new_text(f"Thanks\n\nInvite a friend:\n{line}\nWhat can be played here:", sent) == ("Thanks",)
    assert new_text(f"Thanks\n\nDora, you are registered. To begin:\n{line}\n", sent) == ("Thanks",)


def test_our_lines_are_known_however_they_are_wrapped_and_marked():
    for mark in ("", "    ", "| ", "] ", "* ", "PB> "):
        quotation = "\n".join(mark + line for line in SENT.splitlines())
        assert new_text(f"Kd3,c1\n\n{quotation}", SENT) == ("Kd3,c1",)
    assert new_text("Kd3,c1\n\n" + " ".join(SENT.split()), SENT) == ("Kd3,c1",)


def test_a_sentence_of_ours_in_another_order_is_known_beside_others():
    html = SENT.replace("Hello Alice, it is your turn.\n\n", "").replace(
        "Write your", "It is your turn.\n\nWrite your"
    )
    assert new_text(f"{html}\nKd3,c1", SENT) == ("Kd3,c1",)


@pytest.mark.parametrize("typed", ["N d2, b1", "CHALLENGE Bruno loa", "MOVE Nd2,b1", ":-)"])
def test_what_is_copied_from_our_letter_beside_the_quotation_is_new(typed):
    sent = SENT + "Another one? Write:\n    CHALLENGE Bruno loa\n    MOVE Nd2,b1\n"
    for quotation in (sent, "\n".join(f"> {line}" for line in sent.splitlines())):
        assert new_text(f"{quotation}\n{typed}", sent) == (typed,)


def test_the_tail_of_a_wrapped_quotation_is_known_though_it_has_no_mark():
    wrapped = "> Write your move, for\nexample:\n> Nd2,b1\nGc3,f3\n>"
    assert new_text(f"Kd3,c1\n\n{wrapped}", SENT) == ("Kd3,c1",)


def test_a_reply_below_an_unmarked_quotation_is_read_when_the_letter_is_known():
    assert new_text(f"From: PBeM\nSent: today\nTo: Alice\n\n{SENT}\nKd3,c1", SENT)[-1] == "Kd3,c1"


@pytest.mark.parametrize("chat", ["On your remote board you can see:", "A: yes", "From: me", "5-3 for me:"])
def test_talk_that_looks_like_a_quotation_is_talk(chat):
    assert new_text(f"Kd3,c1\n{chat}\nBye") == ("Kd3,c1", chat, "Bye")


def test_nothing_is_new():
    assert new_text(QUOTED) == ()
    assert new_text(SENT, SENT) == ()
    assert new_text("") == ()


def test_what_our_letter_quotes_of_its_reader_is_theirs() -> None:
    sent = "No line of your email is a move.\n\nWe read: my new number is 335 1234567,\ncall me soon\n\nHELP lists all."
    marked = with_words_marked(sent, ["my new number is 335 1234567, call me soon", "HELP"])
    assert marked.splitlines()[2:6] == [
        "We read: ",
        "  | my new number is 335 1234567,",
        "  | call me soon",
        "",
    ]
    assert "HELP lists all." in marked
    assert ours(["my new number is 335 1234567, call me soon"], marked) == [False]
    assert ours(["my new number is 335 1234567, call me soon"], sent) == [True]
