"""Every kind of letter in both languages: complete, 72 columns wide, and the same at every attempt."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import cycle
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest
from django.conf import settings
from django.utils.translation import override

from games.registry import games
from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.operator.management.commands import collect_messages
from pbem.outbox.notifications.kinds import KINDS
from pbem.refusals import REFUSALS
from pbem.reply_marker import MARKER, is_marker
from tests.mail_fixtures import READING
from tests.pbem.outbox.conftest import Letters, Written
from tests.pbem.outbox.correspondence import MESSAGES, STRANGER, Correspondence, Letter
from tests.programs import WAYS, Original

pytestmark = pytest.mark.django_db

COLUMNS = 72
ONCE = [
    *("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
    *("X-Auto-Response-Suppress", "List-Id", "MIME-Version", "Content-Type", "Content-Language"),
    *("X-PBeM-Letter", "List-Unsubscribe", "List-Unsubscribe-Post"),
]
ABOUT_A_MATCH = ["References", "In-Reply-To"]
TO_A_GUEST = {
    "invites, first",
    "invites, second",
    "invites, a move asked about",
    "invites, a family, unclear",
}
BILINGUAL = {
    "invitation",
    "invitation, unclear",
    "invitation, for the organiser",
    "invitation, proposed",
    "invitation, absent",
    "invitation, by a player",
    "invitation, a friend is named",
    *TO_A_GUEST,
}


@pytest.fixture(scope="module", params=["en", "it"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def letters(language: str, written: Written) -> Letters:
    return written(language)


def parsed(letter: Letter) -> EmailMessage:
    return _parsed(letter.composed.raw)


@cache
def _parsed(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=READING)


def tree(part: EmailMessage) -> str:
    kind = part.get_content_type().removeprefix("multipart/")
    return f"{kind}({', '.join(map(tree, part.iter_parts()))})" if part.is_multipart() else kind


def squeezed(text: str) -> str:
    return " ".join(text.split())


class Page(HTMLParser):
    """What an HTML part shows and loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.alts: list[str] = []
        self.loaded: list[str] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.loaded += [values[name] or "" for name in ("src", "background") if name in values]
        if tag == "link":
            self.loaded.append(values.get("href") or "")
        if tag == "img":
            self.alts.append(values.get("alt") or "")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_every_kind_of_letter_is_here(letters: Letters) -> None:
    assert {section["kind"] for letter in letters.values() for section in letter.row.sections} == set(KINDS)


def test_every_refusal_that_is_answered_is_here(letters: Letters) -> None:
    codes = {section.get("code") for letter in letters.values() for section in letter.row.sections}
    assert codes - {None} == {code for code, refusal in REFUSALS.items() if refusal.answered}


def test_every_letter_to_a_player_has_a_reply_address_of_theirs(letters: Letters) -> None:
    """Of their seat, of what is asked, or of the player: an answer to any letter is believed."""
    for name, letter in letters.items():
        if letter.row.player_id:
            local, _, domain = parseaddr(str(parsed(letter)["Reply-To"]))[1].partition("@")
            assert (local[:2] in ("m+", "l+", "c+", "i+", "w+"), domain) == (True, settings.MAIL_DOMAIN), name


def test_text_is_72_columns_wide(letters: Letters) -> None:
    for name, letter in letters.items():
        for line in letter.composed.text.splitlines():
            assert len(line) <= COLUMNS or "@" in line or "://" in line, (name, line)
            assert line == line.rstrip(), (name, line)


def test_text_has_no_empty_lines_in_a_row_and_no_template_left(letters: Letters) -> None:
    for name, letter in letters.items():
        text = letter.composed.text
        assert "\n\n\n" not in text, name
        assert not text.startswith("\n"), name
        assert not re.search(r"\{[{%]|[%}]\}|%\(|&\w+;|None", text), (name, text)


def test_sentences_stand_one_space_apart(letters: Letters) -> None:
    for name, letter in letters.items():
        for line in letter.composed.text.splitlines():
            assert not re.search(r"[a-z)]\d*[.!?] {2,}\S", line), (name, line)


def test_no_sentence_is_said_twice(letters: Letters) -> None:
    for name, letter in letters.items():
        if letter.row.kind not in ("games", "help"):
            paragraphs = [squeezed(part) for part in letter.composed.text.split("\n\n")]
            said = [sentence for part in paragraphs for sentence in part.split(". ") if len(sentence) > 40]
            told = [sentence for sentence in said if "( )" not in sentence and "+---" not in sentence]
            assert len(told) == len(set(told)), name


def test_an_italian_letter_has_no_english_in_it(language: str, letters: Letters) -> None:
    (path,) = collect_messages.translations(settings.ROOT)
    foreign = [
        (english, italian) if language == "it" else (italian, english)
        for message in collect_messages.read(path)
        for english, italian in [(message.id, message.string)]
        if isinstance(english, str) and english
    ]
    fragments = {
        squeezed(piece)
        for theirs, ours in foreign
        for piece in re.split(r"%\(\w+\)s", theirs)
        if len(squeezed(piece)) >= 10 and squeezed(piece) not in squeezed(ours)
    }
    for name, letter in letters.items():
        if name not in BILINGUAL:
            shown = squeezed(letter.composed.text), squeezed(" ".join(Page(letter.composed.html).words))
            found = [(piece, text) for text in shown for piece in fragments if piece in text]
            assert not [piece for piece, text in found if re.search(rf"\b{re.escape(piece)}\b", text)], name


def test_the_stranger_who_gave_no_language_is_invited_in_both(letters: Letters) -> None:
    text = letters["invitation"].composed.text
    assert "REGISTER Alice" in text
    assert "ISCRIVIMI Alice" in text
    assert letters["invitation, by a player"].composed.text.count("Friday") <= 1


def test_commands_are_named_in_the_readers_language(language: str, letters: Letters) -> None:
    verbs = {"en": "DRAW RESIGN RULES UNDO HELP", "it": "PATTA ABBANDONO REGOLE ANNULLA AIUTO"}[
        language
    ].split()
    for verb in verbs:
        assert verb in letters["turn"].composed.text
    assert {"en": "YES", "it": "SÌ"}[language] in letters["challenge, first"].composed.text


def test_the_first_line_says_how_things_stand(language: str, letters: Letters) -> None:
    first_lines = {
        "turn, with message": (
            "Your turn · 10 days left · Bruno played Bb4,b5",
            "Tocca a te · restano 10 giorni · Bruno ha giocato Nb4,b5",
        ),
        "turn, calendar": (
            "Your turn · 10 days left · Alice played b1-b3",
            "Tocca a te · restano 10 giorni · Alice ha giocato b1-b3",
        ),
        "turn, start": (
            "Your turn · 10 days left · the match begins",
            "Tocca a te · restano 10 giorni · la partita comincia",
        ),
        "turn and offer": (
            "Your turn · Bruno played Gd6,f3 · draw offered",
            "Tocca a te · Bruno ha giocato Gd6,f3 · patta proposta",
        ),
        "played": ("Played: We5,g4 · Bruno's turn", "Giocata: Be5,g4 · Tocca a Bruno"),
        "offer": ("Draw offered · Alice's turn", "Patta proposta · Tocca ad Alice"),
        "asks": (
            "Pause proposed · Your turn · 10 days left",
            "Pausa proposta · Tocca a te · restano 10 giorni",
        ),
        "refused, G06": ("Your move was not played: Gd2, a4", "La mossa non è stata giocata: Gd2, a4"),
        "result, won": ("You won against Alice", "Hai vinto contro Alice"),
        "reminder": ("Your turn · 3 days left", "Tocca a te · restano 3 giorni"),
    }
    for name, lines in first_lines.items():
        assert letters[name].composed.text.splitlines()[0] == lines[language == "it"], name


def test_lists_of_letters_show_the_first_line(letters: Letters) -> None:
    """It stands first in the HTML, hidden, with blanks behind it, lest the programs go on with what follows."""
    shown = 0
    for name, letter in letters.items():
        page = letter.composed.html.partition("<body")[2]
        if hidden := re.search(
            r'class="unseen" style="display: none[^>]*>([^<]*)\u200c</div>\s*<div class="sheet"', page
        ):
            said = squeezed(unescape(hidden[1]).replace("\u200c", ""))
            assert squeezed(letter.composed.text).startswith(said), name
            shown += 1
        else:
            assert letter.row.match is None or letter.row.kind not in ("turn", "result", "offer", "asks"), (
                name
            )
    assert shown > 100


def test_a_subject_says_what_happened(language: str, letters: Letters) -> None:
    """Of a match the same each time, with its game as the reader calls it."""
    subjects = {
        "help, trapdoor": ("How Trapdoor Chess is played", "Come si gioca a Scacchi Trabocchetto"),
        "confirm, to resign": (
            "Resign match 11 (Lines of Action) against Bruno?",
            "Abbandoni la partita 11 (Lines of Action) contro Bruno?",
        ),
        "last, of anybody": ("The last answer of today", "L'ultima risposta di oggi"),
    }
    for name, said in subjects.items():
        numbered = re.sub(
            r"\b[0-9]+\b", "11", letters[name].composed.subject
        )  # by what ran before in this process
        assert numbered == said[language == "it"], name
    refused = letters["refused, C02"].composed
    first = squeezed(refused.text).partition(". ")[0]
    assert refused.subject.casefold().endswith(first.casefold())
    assert ": non" in refused.subject or language == "en"
    assert (
        letters["refused, stranger"].composed.subject
        == squeezed(letters["refused, stranger"].composed.text).partition(". ")[0]
    )


def test_a_page_shown_as_text_has_the_position_in_words(letters: Letters) -> None:
    """Alpine has [IMAGE] where the picture is: hidden, but there, the words follow it."""
    for name, letter in letters.items():
        if letter.row.kind in ("turn", "played", "result", "challenge", "invites"):
            for alt, words in re.findall(
                r'<img[^>]*alt="([^"]*)"[^>]*>\s*<div[^>]*>([^<]*)</div>', letter.composed.html
            ):
                assert unescape(words).endswith(unescape(alt)), name
                assert alt, name


def test_a_picture_of_no_match_has_a_name(letters: Letters) -> None:
    names = {picture.name for letter in letters.values() for picture in letter.composed.pictures}
    assert "zertz-0.png" in names
    assert not [name for name in names if "None" in name]


def test_a_letter_goes_dark_where_the_program_does(letters: Letters) -> None:
    for name, letter in letters.items():
        html = letter.composed.html
        assert '<meta name="color-scheme" content="light dark">' in html, name
        assert "@media (prefers-color-scheme: dark)" in html, name
        assert "version 1" not in letter.composed.text, name


def test_a_turn_letter_is_short(letters: Letters) -> None:
    """Beside the board, and what the opponent says. Also the first of each game, which says what it is about."""
    turns = {name: letter for name, letter in letters.items() if letter.board}
    assert {f"turn, guest, {game}, Frida-{game}" for game in games()} <= set(turns)
    for name, letter in turns.items():
        assert letter.board in letter.composed.text, name
        beside = letter.composed.text.replace(f"\n{letter.board}", "").splitlines()
        said = [line for line in beside if line.startswith("  |")]
        assert len(beside) - len(said) <= 32, (name, letter.composed.text)


def test_help_fits_a_screen(language: str, letters: Letters) -> None:
    text = letters["help"].composed.text
    assert len(text.splitlines()) <= 24
    assert "HELP ALL" in text or "AIUTO TUTTO" in squeezed(text)
    contents = letters["help, all"].composed
    assert len(contents.text.splitlines()) <= 44
    for word in {"en": ("HELP CHALLENGE", "HELP loa"), "it": ("AIUTO SFIDA", "AIUTO loa")}[language]:
        assert f"body={quote(word)}" in contents.html


def test_rules_as_text_have_no_marks_of_markdown(letters: Letters) -> None:
    for game in games():
        text = letters[f"help, {game}"].composed.text
        assert not re.search(r"^#|\*\*|`|^\|[ -]", text, re.MULTILINE), game
        assert "LINES OF ACTION" in text or game != "loa"


def test_what_we_ask_can_be_answered_by_a_touch(language: str, letters: Letters) -> None:
    """Each button writes a letter to where the answer goes."""
    yes, no = {"en": ("YES", "NO"), "it": ("SÌ", "NO")}[language]
    draw, resign = {"en": ("YES DRAW", "YES RESIGN"), "it": ("SÌ PATTA", "SÌ ABBANDONO")}[language]
    rules = {"en": "RULES", "it": "REGOLE"}[language]
    friend = {"en": "CHALLENGE friend@example.org loa", "it": "SFIDA amica@example.org loa"}[language]
    asked = {
        "signup": [yes],
        "signup, proposed": [f"{yes}<br>{friend.replace('loa', 'zertz')}", yes],
        "signup, alone": [f"{yes}<br>{friend}", yes],
        "address": [yes],
        "new_address": [no],
        "new_address, asks": [yes, no],
        "confirm": [yes, no],
        "confirm, in doubt": [yes, no],
        "confirm, to resign": [resign, no],
        "challenge, first": [yes, no],
        "challenge, a return match": [yes, no],
        "offer": [draw, no],
        "turn, draw offered": [draw, no],
        "turn and offer": [draw, no],
        "asks": [yes, no],
        "asks, for a takeback": [yes, no],
        "invites, a player": ["Gc4,a3", yes, rules, no],
        "refused, challenged": [yes, no],
        "invites, first": [f"{yes} Carla2", rules, no],  # Carla is somebody's name already
        "invites, a move asked about": [f"{yes} Bruno2", rules, no],
        "invites, a family, unclear": [f"{yes} Anna", f"{yes} Berta", rules, no],
        "result, won": {"en": ["REMATCH", "ANALYSE"], "it": ["RIVINCITA", "ANALIZZA"]}[language],
        "clock_runs": [{"en": "GO ON", "it": "CONTINUO"}[language]],
        "leaving": {
            "en": ["YES RESIGN", "YES STOP", "YES ERASE"],
            "it": ["SÌ ABBANDONO", "SÌ BASTA", "SÌ CANCELLA"],
        }[language],
    }
    for name, words in asked.items():
        reply_to = parseaddr(str(parsed(letters[name])["Reply-To"]))[1]
        buttons = re.findall(
            r'class="(?:button|plain)[^"]*" href="([^"]*)"[^>]*>(.*?)</a>', letters[name].composed.html
        )
        assert [unescape(text) for _, text in buttons] == words, name
        for url, text in buttons:
            to, query = urlsplit(unescape(url)).path, parse_qs(urlsplit(unescape(url)).query)
            body = unescape(text).replace("<br>", "\n").replace("SÌ", "SI")  # which no mail program spoils
            assert (unquote(to), query["body"]) == (reply_to, [body]), name


def test_moves_can_be_touched_wherever_a_board_asks_for_one(letters: Letters) -> None:
    """Those of Lines of Action are few; of what is tried, the first."""
    touched = {
        "asks, for a takeback": 36,
        "cascade": 39,
        "reminder, no clock": 36,
        "tried, whole": 1,
        "turn, the first, loa, Edith": 36,
    }
    for name, moves in touched.items():
        (links,) = re.findall(r'<p class="links"[^>]*>(.*?)</p>', letters[name].composed.html, re.DOTALL)
        assert links.count("href=") == moves, name


def test_lists_of_offers_and_players_can_be_touched(language: str, letters: Letters) -> None:
    join, close, challenge = {"en": ("JOIN", "CLOSE", "CHALLENGE"), "it": ("ENTRO", "CHIUDO", "SFIDA")}[
        language
    ]
    for name, words in (("open, some", {join, close}), ("players", {challenge})):
        buttons = re.findall(r"<a href=[^>]*body=[^>]*>([^<]*)</a>", letters[name].composed.html)
        assert words <= {text.split()[0] for text in buttons}, name


def test_a_question_about_a_move_says_which(language: str, letters: Letters) -> None:
    said = {"en": "That is: Alice moves from d3 to d5.", "it": "Cioè: Alice muove da d3 a d5."}[language]
    assert said in letters["confirm, of a near miss"].composed.text


def test_a_deadline_of_the_other_player_is_theirs(language: str, letters: Letters) -> None:
    theirs = {"en": "Bruno's deadline: ", "it": "Scadenza di Bruno: "}[language]
    own = {"en": "Deadline: ", "it": "Scadenza: "}[language]
    for name in ("played, clock", "turn, start, clock, waiting"):
        reader = letters[name].row.player
        assert reader
        text = letters[name].composed.text
        assert theirs.replace("Bruno", "Bruno" if reader.name == "Alice" else "Alice") in text, name
        assert own not in text, name


def test_a_turn_letter_says_things_in_order(language: str, letters: Letters) -> None:
    """The state, who moved what, what they say, the board, how to answer, the last moves, the same in words."""
    text = letters["turn, with message"].composed.text
    in_order = {
        "en": [
            "Your turn · 10 days left · Bruno played Bb4,b5",
            "Bruno puts",
            "Bruno writes",
            "Pool",
            "Answer this letter",
            "The last moves",
            "In words",
        ],
        "it": [
            "Tocca a te · restano 10 giorni · Bruno ha giocato Nb4,b5",
            "Bruno colloca",
            "Bruno scrive",
            "Riserva",
            "Rispondi",
            "Le ultime mosse",
            "A parole",
        ],
    }[language]
    with override(language):
        marker = str(MARKER)
    assert is_marker(marker)
    places = [text.index(words) for words in [*in_order, marker]]
    assert places == sorted(places)


def test_a_turn_letter_gives_two_legal_moves(letters: Letters) -> None:
    """Both lines alone, as they are to be written; one where the rules leave no choice."""
    for name, most in (("turn", 2), ("turn, no choice", 1)):
        text = letters[name].composed.text
        examples = re.findall(r"^    (\w\w\d,\w\d|\w\dx\w\d)$", text, re.MULTILINE)
        assert len(examples) == most, name
        assert all(re.search(f">{example}</(code|a)>", letters[name].composed.html) for example in examples)


def test_who_waits_is_not_asked_to_move(letters: Letters) -> None:
    for name in ("played", "turn, start, waiting", "turn, after a pass", "result, won"):
        assert "<code" not in letters[name].composed.html.split("<img")[-1], name


def test_a_move_that_comes_with_an_offer_is_told_once(letters: Letters) -> None:
    for name in ("turn and offer", "played and offered"):
        text = letters[name].composed.text
        assert text.count("Gd6,f3") == 2, name  # in the headline, and in the score
        assert len(letters[name].composed.pictures) == 1, name


def test_the_end_is_told_from_the_readers_side(language: str, letters: Letters) -> None:
    first_words = {
        "result, won": {"en": "You won", "it": "Hai vinto"},
        "result, lost": {"en": "You lost", "it": "Hai perso"},
        "result, resigned": {"en": "You lost", "it": "Hai perso"},
        "result, opponent resigned": {"en": "You won", "it": "Hai vinto"},
    }
    for name, words in first_words.items():
        assert letters[name].composed.text.startswith(words[language]), name


def test_nobody_is_to_move_after_the_end(letters: Letters) -> None:
    """After a resignation the position alone would say otherwise."""
    for name in ("result, resigned", "result, agreed", "result, won"):
        assert not re.search(r"^ *> |to play\.|[Mm]uove (Alice|Bruno)\.", letters[name].composed.text), name


def test_what_the_opponent_says_stands_behind_a_bar(language: str, letters: Letters) -> None:
    for name in ("turn, with message", "declined, told", "message", "said"):
        letter = letters[name].composed
        behind = [
            line.removeprefix("  |").strip() for line in letter.text.splitlines() if line.startswith("  |")
        ]
        assert squeezed(" ".join(behind)) == squeezed(MESSAGES[language]), name
        assert "<blockquote" in letter.html, name


def test_the_tree_shows_pictures_inline(letters: Letters) -> None:
    for name, letter in letters.items():
        pictures = [f"image/{picture.subtype}" for picture in letter.composed.pictures]
        page = f"related({', '.join(['text/html', *pictures])})" if pictures else "text/html"
        body = f"alternative(text/plain, {page})"
        ended = name == "watched, over" or name.startswith(("result", "record"))
        film = ", image/gif" if "image/gif" not in pictures else ""
        attached = [f"text/plain, application/json{film}"] if ended else []
        attached += ["text/calendar"] if name == "turn, calendar" else []
        attached += ["application/zip"] if name.startswith("my_data") else []
        assert tree(parsed(letter)) == (f"mixed({body}, {attached[0]})" if attached else body), name


def test_what_shows_a_board_has_it_as_text_picture_and_words(letters: Letters) -> None:
    for name, letter in letters.items():
        pages, cids = Page(letter.composed.html), [picture.cid for picture in letter.composed.pictures]
        assert pages.loaded == [f"cid:{cid}" for cid in cids], name
        films = [picture for picture in letter.composed.pictures if picture.subtype == "gif"]
        for alt in pages.alts[: len(cids) - len(films)]:
            assert alt, name
            assert squeezed(alt) in squeezed(letter.composed.text), name


def test_the_alt_text_is_the_position_in_words(language: str, letters: Letters) -> None:
    alt = {
        "en": "1 white marble: e5. Removed ring: g4. Pool: 5 white marbles, 8 grey marbles and 10 black"
        " marbles. Captured by Alice: nothing. Captured by Bruno: nothing. Bruno to play.",
        "it": "1 biglia bianca: e5. Anello rimosso: g4. Riserva: 5 biglie bianche, 8 biglie grigie e 10"
        " biglie nere. Catture di Alice: nessuna. Catture di Bruno: nessuna. Tocca a Bruno.",
    }[language]
    assert Page(letters["turn"].composed.html).alts == [alt]


def test_letters_are_small(letters: Letters) -> None:
    for name, letter in letters.items():
        most = (
            250_000 if name.startswith(("result", "record")) else 100_000
        )  # it brings the whole game as a film
        assert len(letter.composed.raw) < most, name
        boards = (picture.content for picture in letter.composed.pictures if picture.subtype == "png")
        assert all(len(board) <= 32_000 for board in boards), name


def test_a_second_attempt_sends_the_same_bytes(letters: Letters) -> None:
    """Each letter in one of the languages, about half of them in this."""
    tried = {name: letter for name, letter in letters.items() if letter.again is not None}
    assert len(tried) > len(letters) // 3
    for name, letter in tried.items():
        assert letter.again == letter.composed.raw, name


def test_headers_stand_once(letters: Letters) -> None:
    for name, letter in letters.items():
        message = parsed(letter)
        expected = [*ONCE]
        expected += ABOUT_A_MATCH if letter.row.match else []
        assert sorted(message.keys()) == sorted(expected), name


def test_headers_say_where_to_answer(letters: Letters) -> None:
    for name, letter in letters.items():
        message, row = parsed(letter), letter.row
        to = message["Reply-To"].addresses[0].username
        asked = any("reply_to" in section for section in row.sections)
        plays = row.match is not None and any(seat.player_id == row.player_id for seat in row.match.seated)
        whole = (
            "l+" if row.player or row.kind in ("event", "new_address") else "play"
        )  # which asks strangers, too
        assert to.startswith(("c+", "i+", "w+") if asked else "m+" if plays else whole), name
        assert message["Message-ID"] == row.message_id, name
        assert message["Auto-Submitted"] == "auto-generated", name
        assert parseaddr(str(message["To"])) == (row.player.name if row.player else "", row.address), name
        if row.match:
            assert message["References"] == f"<match.{row.match.pk}@{settings.MAIL_DOMAIN}>", name
            assert message["List-Id"] == f"PBeM <{row.match.game.key}.{settings.MAIL_DOMAIN}>", name
        if row.player:
            web, mail = message["List-Unsubscribe"].split(", ")
            assert web.startswith(f"<{settings.SITE_URL}/u/"), name
            assert re.fullmatch(r"<mailto:u\+[a-z2-7]{32}@[\w.]+\?subject=unsubscribe>", mail), name
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click", name


def test_no_program_makes_a_quotation_of_ours_the_answer(letters: Letters, language: str) -> None:
    """Whatever is answered, and however it is quoted: the lines typed are read, and nothing else."""
    typed = [
        "24: d3-d5",
        "IF a2-c2 THEN b3-b1",
        "DRAW",
        {"en": "See you on Friday.", "it": "A domani!"}[language],
    ]
    for (name, letter), (program, style, only_html) in zip(letters.items(), cycle(WAYS), strict=False):
        ours = Original(letter.composed.text, letter.composed.html)
        if not ours.html:
            continue
        raw = program.answer(typed, ours, language, style, only_html=only_html)
        for sent in (ours.text, None):
            said = [line.strip() for line in read_letter(ParsedMail(raw), sent=sent).lines if line]
            assert said == typed, (name, program.name, style)


def test_a_thread_has_one_subject(letters: Letters) -> None:
    subjects: dict[int, set[str]] = {}
    for letter in letters.values():
        match = letter.row.match
        if match and match != letters["replaced"].row.match:  # there it names another player
            subjects.setdefault(match.pk, set()).add(str(parsed(letter)["Subject"]))
    assert subjects
    assert all(len(of_match) == 1 for of_match in subjects.values())


def test_a_name_cannot_write_headers() -> None:
    """Names are one word, but a stranger's letter comes before anybody has looked at theirs."""
    correspondence = Correspondence("en")
    correspondence._to_stranger(
        "signup", name="Eve\r\nBcc: charlie@example.org\r\n\r\nHello", reply_to="c+x@pbem.localhost"
    )
    message = parsed(correspondence.letters["signup"])
    assert "Bcc" not in message
    assert message["To"] == STRANGER
    assert message["Subject"] == "Please confirm: Eve Bcc: charlie@example.org Hello wants to play"


def test_markup_in_a_message_stays_text() -> None:
    correspondence = Correspondence("en")
    correspondence._to_stranger(
        "invitation", host="Eve", note='<img src="https://example.org/x.png"> & so on'
    )
    page = Page(correspondence.letters["invitation"].composed.html)
    assert page.loaded == []
    assert '<img src="https://example.org/x.png"> & so on' in squeezed(" ".join(page.words))
