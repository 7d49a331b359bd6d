"""What a player can write: every verb, and the talk that must never act."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.move_numbers import MoveNumber
from games.protocol import LANGUAGES, AmbiguousMove, IllegalMove, Notation, Side, UnreadableMove
from games.registry import games
from pbem.inbox.commands.command import (
    AddAddress,
    Addresses,
    Allow,
    Block,
    Command,
    Games,
    Help,
    Limit,
    Limits,
    MakeToken,
    Message,
    Refuse,
    Register,
    RemoveAddress,
    Say,
    SetAddress,
    SetName,
)
from pbem.inbox.commands.match_commands import (
    Absences,
    Accept,
    Away,
    Back,
    Challenge,
    Close,
    Decline,
    Draw,
    Give,
    Join,
    Leave,
    Move,
    Offer,
    Open,
    Pause,
    Rematch,
    Resign,
    Show,
    Swap,
)
from pbem.inbox.commands.parser import Understood, understand
from pbem.inbox.commands.verbs import VERBS, VERBS_OF, essentials, help_contents, help_on
from pbem.inbox.understanding.slots.dates import Day
from pbem.refusals import Code
from pbem.wording import fold

EVERYDAY = {
    language: Path(__file__).with_name(f"everyday.{language}.txt").read_text("utf-8").splitlines()
    for language in LANGUAGES
}


def is_move(text: str, match: int | None) -> bool:
    """The shape of a move of Zèrtz or Lines of Action, in either language."""
    return any(_reads(key, text, language) for key in ("zertz", "loa") for language in LANGUAGES)


def _reads(key: str, text: str, language: str) -> bool:
    game = games()[key]
    position = game.start(next(iter(game.presets.values())), "")
    try:
        game.read(position, text, Notation(language))
    except UnreadableMove:
        return False
    except (IllegalMove, AmbiguousMove):
        return True
    return True


def reply(*lines: str, language: str = "en") -> Understood:
    """A reply to a turn letter of match 105."""
    return understand(lines, subject=None, language=language, is_move=is_move, match=105)


def letter(*lines: str, subject: str = "", language: str = "en") -> Understood:
    """A new letter to play@."""
    return understand(lines, subject=subject, language=language, is_move=is_move)


def one(line: str) -> Command | None:
    commands = reply(line).commands
    assert len(commands) < 2
    return commands[0] if commands else None


MEANINGS: list[tuple[str, Command]] = [
    ("HELP", Help()),
    ("help zertz", Help("zertz")),
    ("Help challenge", Help("challenge")),
    ("AIUTO Zèrtz.", Help("Zèrtz")),
    ("help Lines of Action", Help("loa")),
    ("aiuto scacchi trabocchetto", Help("trapdoor")),
    ("CHALLENGE gianni Trapdoor Chess", Challenge("gianni", "trapdoor")),
    ("SFIDA Emma Scacchi Trabocchetto bianco", Challenge("Emma", "trapdoor", ("bianco",))),
    ("sfida emma trabocchetto", Challenge("emma", "trapdoor")),
    (
        "Challenge carla@example.org Lines of Action:scrambled 7 days per move",
        Challenge("carla@example.org", "loa:scrambled", ("7", "days", "per", "move")),
    ),
    ("Offro Scacchi Trabocchetto KEEP 2", Offer("trapdoor", (), 2)),
    ("open lines of action", Open("loa")),
    ("LIMIT Lines of Action 3", Limit("loa", 3)),
    ("limite trabocchetto 3", Limit("trapdoor", 3)),
    ("HELP ratings", Help("ratings")),
    ("HELP ALL", Help("ALL")),
    ("Aiuto tutto", Help("tutto")),
    ("games", Games()),
    ("Partite.", Games()),
    ("Addresses", Addresses()),
    ("INDIRIZZI", Addresses()),
    ("set address Alice@Work.example", SetAddress("alice@work.example")),
    ("set name Teo", SetName("Teo")),
    ("IMPOSTA NOME: Teo.", SetName("Teo")),
    ("IMPOSTA: INDIRIZZO alice@work.example.", SetAddress("alice@work.example")),
    ("ADD ADDRESS alice+go@work.example <mailto:alice+go@work.example>", AddAddress("alice+go@work.example")),
    ("Togli indirizzo alice@work.example", RemoveAddress("alice@work.example")),
    ("accept", Accept()),
    ("Yes", Accept()),
    ("YES!", Accept()),
    ("Sì.", Accept()),
    ("si'", Accept()),
    ("SI\N{COMBINING GRAVE ACCENT}", Accept()),
    ("Accetto 105", Accept(105)),
    ("105 accept", Accept(105)),
    ("- accept #105", Accept(105)),
    ("no", Decline()),
    ("No.", Decline()),
    ("no 105", Decline(105)),
    ("RIFIUTO", Decline()),
    ("reject 105", Decline(105)),
    ("decline 105 Too busy until May.", Decline(105, "Too busy until May.")),
    ("DECLINE too busy", Decline(reason="too busy")),
    ("rifiuto: ho troppe partite", Decline(reason="ho troppe partite")),
    ("b1-b3", Move("b1-b3")),
    ("Bd4, a1", Move("Bd4, a1")),
    ("Bd4, a1.", Move("Bd4, a1")),
    ("  g5×e3  ", Move("g5xe3")),
    ("b1\N{EN DASH}b3", Move("b1-b3")),
    ("Bd4,\N{NO-BREAK SPACE}a1", Move("Bd4, a1")),
    ("Ｂｄ４，ａ１", Move("Bd4,a1")),
    ("* b1-b3", Move("b1-b3")),
    ("12. b1-b3", Move("b1-b3")),
    ("12.b1-b3", Move("b1-b3")),
    ("12... b1-b3", Move("b1-b3")),
    ("12…b1-b3", Move("b1-b3")),
    ("b1-b3#12", Move("b1-b3", number=MoveNumber(12))),
    ("b1-b3#12.", Move("b1-b3", number=MoveNumber(12, Side.FIRST))),
    ("b1-b3 # 12...", Move("b1-b3", number=MoveNumber(12, Side.SECOND))),
    ("105 b1-b3#12…", Move("b1-b3", 105, MoveNumber(12, Side.SECOND))),
    ("105 Nd2, a3", Move("Nd2, a3", 105)),
    ("#105 Nd2, a3", Move("Nd2, a3", 105)),
    ("[105] Nd2, a3#7", Move("Nd2, a3", 105, MoveNumber(7))),
    ("MOVE b1-b3", Move("b1-b3")),
    ("Move: b1-b3", Move("b1-b3")),
    ("move 105 Nd2,a3", Move("Nd2,a3", 105)),
    ("muovo 105: Nd2,a3#12", Move("Nd2,a3", 105, MoveNumber(12))),
    ("105 MOVE Nd2,a3", Move("Nd2,a3", 105)),
    ("zertz move 105 Nd2,a3", Move("Nd2,a3", 105)),
    ("show", Show()),
    ("Show 105", Show(105)),
    ("105 show", Show(105)),
    ("SHOW 105 AT 12", Show(105, MoveNumber(12))),
    ("MOSTRA 105 ALLA 12", Show(105, MoveNumber(12))),
    ("SHOW 105 AT MOVE 12.", Show(105, MoveNumber(12, Side.FIRST))),
    ("SHOW AT 12...", Show(None, MoveNumber(12, Side.SECOND))),
    ("MOSTRA ALLA MOSSA 12 ...", Show(None, MoveNumber(12, Side.SECOND))),
    ("show 105#12...", Show(105, MoveNumber(12, Side.SECOND))),
    ("mostra a 12", Show(None, MoveNumber(12))),
    ("show 105#12", Show(105, MoveNumber(12))),
    ("show #105 #12", Show(105, MoveNumber(12))),
    ("zertz show 105#12", Show(105, MoveNumber(12))),
    ("resign", Resign()),
    ("Resign.", Resign()),
    ("RESIGN 105", Resign(105)),
    ("105 resign", Resign(105)),
    ("Abbandono [105].", Resign(105)),
    ("loa resign 105", Resign(105)),
    ("draw", Draw()),
    ("PATTA 105", Draw(105)),
    ("SAY Good luck!", Say("Good luck!")),
    ("say: Good luck!", Say("Good luck!")),
    ("DICO: «d’accordo»…", Say("«d’accordo»…")),
    ("105 say Good luck!", Say("Good luck!", 105)),
    ("SAY 106: Good luck!", Say("Good luck!", 106)),
    ("SAY 2 more moves and you win", Say("2 more moves and you win")),
    ("AWAY 3 August TO 20 August", Away(Day(3, 8), Day(20, 8))),
    ("AWAY from 3 Aug until the 20th of August 2026", Away(Day(3, 8), Day(20, 8, 2026))),
    ("AWAY 3/8 - 20/8", Away(Day(3, 8), Day(20, 8))),
    ("AWAY 28–30 December", Away(Day(28, 12), Day(30, 12))),
    ("AWAY from the third of August to the twenty-first of August", Away(Day(3, 8), Day(21, 8))),
    ("ASSENTE dal tre agosto al venti agosto", Away(Day(3, 8), Day(20, 8))),
    ("AWAY 31 November TO 2 December", Away(Day(31, 11), Day(2, 12))),
    ("CHALLENGE “Robot-1” loa", Challenge("Robot-1", "loa")),
    ("CHALLENGE *Bruno* zertz", Challenge("Bruno", "zertz")),
    ("MESSAGGIO A Carla: ti chiamo domani", Message("Carla", "ti chiamo domani")),
    ("AWAY to Friday", Away(Day(ahead=0), Day(weekday=4))),
    ("AWAY tomorrow", Away(Day(ahead=1))),
    ("AWAY 5 DAYS", Away(Day(ahead=0), days=5)),
    ("AWAY for 5 days, at the sea.", Away(Day(ahead=0), days=5, text="at the sea.")),
    ("AWAY tomorrow for 3 days", Away(Day(ahead=1), days=3)),
    ("AWAY 3 Aug TO 20 Aug: no net there", Away(Day(3, 8), Day(20, 8), text="no net there")),
    ("AWAY from 3 August to 20 August", Away(Day(3, 8), Day(20, 8))),
    ("Away: until Monday", Away(Day(ahead=0), Day(weekday=0))),
    ("AWAY", Absences()),
    ("AWAY LIST", Absences()),
    ("Assenze", Absences()),
    ("ASSENTE dal 3 agosto AL 20 agosto", Away(Day(3, 8), Day(20, 8))),
    ("ASSENTE dal 3 al 20 agosto", Away(Day(3, 8), Day(20, 8))),
    ("AWAY 3 to 20 August 2026", Away(Day(3, 8, 2026), Day(20, 8, 2026))),
    ("ASSENTE fino al 20 agosto: vado al mare", Away(Day(ahead=0), Day(20, 8), text="vado al mare")),
    ("ASSENTE da domani a venerdì", Away(Day(ahead=1), Day(weekday=4))),
    ("ASSENTE per 5 giorni", Away(Day(ahead=0), days=5)),
    ("ASSENTE dall'8 giugno al 10 giugno", Away(Day(8, 6), Day(10, 6))),
    ("BACK", Back()),
    ("BACK 3 August", Back(Day(3, 8))),
    ("TORNATO", Back()),
    ("TORNATA dal 3 agosto", Back(Day(3, 8))),
    ("PAUSE 10 days", Pause(10)),
    ("105 pause 10d", Pause(10, 105)),
    ("PAUSA 105 10 giorni", Pause(10, 105)),
    ("GIVE 3 DAYS", Give(72)),
    ("give 105: 12 hours", Give(12, 105)),
    ("CONCEDO 12 ore", Give(12)),
    ("CHALLENGE Bruno zertz", Challenge("Bruno", "zertz")),
    ("sfida Bruno Zèrtz:+11", Challenge("Bruno", "zertz:+11")),
    (
        "challenge bruno@posta.example loa second scrambled",
        Challenge("bruno@posta.example", "loa", ("second", "scrambled")),
    ),
    (
        "challenge bruno@posta.example <mailto:bruno@posta.example> loa",
        Challenge("bruno@posta.example", "loa"),
    ),
    ("zertz challenge alice", Challenge("alice", "zertz")),
    ("zertz+11 challenge alice -standard --first", Challenge("alice", "zertz+11", ("standard", "first"))),
    (r"CHALLENGE Bruno zertz setup=-/|\+x", Challenge("Bruno", "zertz", setup=r"-/|\+x")),
    ("CHALLENGE Bruno zertz first setup=.W…  –.", Challenge("Bruno", "zertz", ("first",), ".W... -.")),
    ("SFIDA Bruno zertz --disposizione= a  b.", Challenge("Bruno", "zertz", setup="a b.")),
    ("CHALLENGE Bruno insert setup=", Challenge("Bruno", "insert", setup="")),
    ("zertz challenge alice blitz set-up=a b", Challenge("alice", "zertz", ("blitz",), "a b")),
]


@pytest.mark.parametrize(("line", "meaning"), MEANINGS, ids=[line for line, _ in MEANINGS])
def test_what_a_line_means(line: str, meaning: Command) -> None:
    command = one(line)
    assert command == meaning
    assert command.line == line.strip() or line.startswith(("zertz", "loa")), (
        "what older servers had may hold a password"
    )


@pytest.mark.parametrize(
    "line",
    [
        "Se vieni a Milano",
        "Poi ci sentiamo",
        "No, grazie",
        "Basta così",
        "1. Yes",
        "- No",
        "NO WAY",
        "help me",
        "Help!",
        "Resign!",
        "Draw?",
        "resign now",
        "Move along",
        "Move 12 was the mistake",
        "Say hello to Maria",
        "Show 105 people",
        "show 105 at noon",
        "show 105 at 12345",
        "Challenge accepted!",
        "Challenge Maria to chess",
        "challenge Maria",
        "challenge Maria zertz, she is strong",
        "Zertz challenge!",
        "register soon",
        "games 105",
        "b1-b3 was better",
        "b1-b3?",
        "b1-b3...",
        "MOVE b1-b3??",
        "105",
        "#12",
        "b1-b3" + " " * 500 + "x",
    ],
)
def test_what_is_talk(line: str) -> None:
    understood = reply(line)
    assert understood.commands == ()
    assert understood.chat == line
    assert understood.verdict == Code.NO_MOVE_FOUND


@pytest.mark.parametrize("language", LANGUAGES)
def test_everyday_talk_around_a_move_reaches_the_opponent_whole(language: str) -> None:
    lines = EVERYDAY[language]
    understood = reply(*lines[:50], "b1-b3", *lines[50:], language=language)
    assert understood.commands == (Move("b1-b3"),)
    assert understood.verdict is None
    assert understood.chat == "\n".join(lines)


def test_alice_moves_and_chats() -> None:
    understood = reply("", "Hi Bruno!", "", "", "Bd4, a1", "How is Milan?  ", "", "-- ", "Alice", "g5xe3")
    assert understood == Understood((Move("Bd4, a1"),), "Hi Bruno!\n\nHow is Milan?")


def test_several_commands_are_taken_in_their_order() -> None:
    understood = letter("105 Nd2, a3", "106 b1-b3", "resign 107", "show 105", "games")
    assert understood.commands == (Move("Nd2, a3", 105), Move("b1-b3", 106), Resign(107), Show(105), Games())
    assert understood.verdict is None


@pytest.mark.parametrize(
    "lines",
    [
        ("b1-b3", "b1-b4"),
        ("b1-b3", "Oh wait", "no, better:", "MOVE b1-b4"),
        ("b1-b3", "105 b1-b4"),
        ("106 b1-b3", "106 b1-b4", "105 Bd4,a1"),
    ],
)
def test_two_different_moves_for_a_match_are_a_question(lines: tuple[str, ...]) -> None:
    assert reply(*lines).verdict == Code.SEVERAL_MOVES


@pytest.mark.parametrize("lines", [("Bd4, a1", "bd4,a1"), ("b1-b3", "105 b1-b3"), ("b1-b3", "106 b1-b4")])
def test_the_same_move_twice_or_moves_of_two_matches_are_not(lines: tuple[str, ...]) -> None:
    assert reply(*lines).verdict is None


def test_what_is_said_twice_is_done_once() -> None:
    assert letter("105 Bd4,a1", "games", "Games", subject="105 Bd4, a1").commands == (
        Move("Bd4, a1", 105),
        Games(),
    )


def test_the_subject_of_a_new_letter_is_read_first_and_is_never_chat() -> None:
    assert letter("Ciao!", subject="RESIGN 105") == Understood((Resign(105),), "Ciao!")
    assert letter("105 b1-b3", subject="A question").chat == ""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("REGISTER Alice", "Alice"),
        ("register alice", "alice"),
        ("ISCRIVIMI Bruno Rossi", "Bruno Rossi"),
        ("Iscrivimi: Niccolò D'Àvila", "Niccolò D'Àvila"),
        ("register", ""),
        ("REGISTER Emilia (from Rome)", "Emilia"),
        ("REGISTER Emilia 🎲", "Emilia"),
    ],
)
def test_a_stranger_signs_up_in_a_new_letter_only(line: str, name: str) -> None:
    assert letter(subject=line).commands == (Register(name),)
    assert letter(line).commands == (Register(name),)
    assert reply(line).commands == ()


@pytest.mark.parametrize("line", ["Register for the tournament", "iscrivimi al torneo", "REGISTER a b c d"])
def test_a_sentence_does_not_sign_up(line: str) -> None:
    assert letter(line).commands == ()


def test_end_stops_the_reading() -> None:
    assert reply("b1-b3", "END", "resign").commands == (Move("b1-b3"),)
    assert reply("b1-b3", "Fine.", "resign", language="it").commands == (Move("b1-b3"),)


def test_fine_is_talk_in_english() -> None:
    assert reply("Fine.", "b1-b3") == Understood((Move("b1-b3"),), "Fine.")


def test_a_number_before_a_message_names_its_match_only_where_none_is_known() -> None:
    assert letter("SAY 105 hello").commands == (Say("hello", 105),)
    assert letter("say 105: hello").commands == (Say("hello", 105),)
    assert letter("105 say hello").commands == (Say("hello", 105),)
    assert letter("Say 2 weeks and I believe you").commands == ()
    assert reply("SAY 105 hello").commands == (Say("105 hello"),)


def test_after_the_word_move_even_a_bad_move_is_one() -> None:
    """So that the answer can say what was read."""
    assert one("MOVE z9,q1") == Move("z9,q1")
    assert one("z9,q1") is None


def test_is_move_is_asked_about_the_match_that_the_line_names() -> None:
    asked = []

    def note(text: str, match: int | None) -> bool:
        asked.append((text, match))
        return True

    understand(["b1-b3.", "106 c1 – c3 # 4"], subject=None, language="en", is_move=note, match=105)
    assert asked == [("b1-b3", None), ("c1 - c3", 106)]


@pytest.mark.parametrize(
    ("line", "language", "suggestions"),
    [
        ("rezign", "en", ("RESIGN",)),
        ("abandono 105", "en", ("RESIGN",)),
        ("sospensi", "en", ("PAUSE",)),
        ("challange", "it", ("SFIDA",)),
        ("mvoe b1-b3 b4", "en", ("MOVE",)),
        ("yes please", "en", ()),  # it says so, and only a question can hear it
        ("accet", "it", ("ACCETTO",)),
        ("Love from London", "en", ()),
        ("Non male", "it", ()),
    ],
)
def test_a_letter_without_a_command_gets_the_nearest_verbs(
    line: str, language: str, suggestions: tuple[str, ...]
) -> None:
    understood = reply(line, language=language)
    assert (understood.verdict, understood.suggestions) == (Code.NO_MOVE_FOUND, suggestions)


def test_a_letter_with_a_command_gets_none() -> None:
    assert reply("b1-b3", "rezign").suggestions == ()


def in_a_new_letter(line: str) -> Command | None:
    commands = letter(line).commands
    return commands[0] if len(commands) == 1 else None


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("OFFER zertz:blitz white 3d/move KEEP 3", Offer("zertz:blitz", ("white", "3d/move"), 3)),
        ("Offro Zèrtz --bianco, tengo 2.", None),
        ("OFFRO zertz TENGO", Offer("zertz", (), 1)),
        ("offer insert setup=a b c", Offer("insert", setup="a b c")),
        ("OPEN", Open()),
        ("Aperte zertz:+11", Open("zertz")),
        ("JOIN 12", Join(12)),
        ("ENTRO #12.", Join(12)),
        ("12 chiudo", Close(12)),
        ("CLOSE", None),
        ("LIMIT zertz+11 3", Limit("zertz", 3)),
        ("Limite nessuno", Limit("", None)),
        ("LIMITI", Limits()),
        ("REFUSE carla loa:scrambled", Refuse("carla", "loa")),
        ("RIFIUTO Carla", Refuse("Carla")),
        ("rifiuto carla", None),
        ("Rifiuto 12 Carla", Decline(12, "Carla")),
        ("Blocco: carla", Block("carla")),
        ("Ammetto Carla", Allow("Carla")),
        ("REMATCH 105", Rematch(105)),
        ("Rivincita.", Rematch()),
        ("SWAP", Swap()),
        ("MUOVO 105 scambio", Swap(105)),
        ("105 swap", Swap(105)),
    ],
)
def test_finding_each_other(line: str, command: Command | None) -> None:
    assert in_a_new_letter(line) == command


def test_an_absence_in_small_letters_needs_a_date_and_a_letter_of_its_own() -> None:
    line = "Away from 3 to 20 August."
    assert letter("", subject=line).commands == (Away(Day(3, 8), Day(20, 8)),)
    assert letter("Assente dal 3 al 20 agosto").commands == (Away(Day(3, 8), Day(20, 8)),)
    assert reply(line).commands == ()
    assert letter("Away until Monday").commands == ()


def test_what_always_confirms() -> None:
    assert {verb.command for verb in VERBS if verb.command.confirms} == {
        Leave,
        AddAddress,
        MakeToken,
        RemoveAddress,
        Resign,
        SetAddress,
        SetName,
    }


def test_every_command_has_a_verb_in_every_language_and_every_verb_is_understood() -> None:
    for verb in VERBS:
        assert set(verb.phrases) == set(LANGUAGES)
        for wording in verb.phrases.values():
            assert all(verb in VERBS_OF[fold(word)] for word in wording.words)
    assert {verb.command for verb in VERBS} == set(Command.__subclasses__())


def test_help_says_how_to_write_each_command_and_what_it_does() -> None:
    usage, does = help_on("resign", "en")[1][0]
    assert (usage, does) == ("RESIGN [match]", "Resigns the match. We ask you to confirm with YES RESIGN.")
    assert "IMPOSTA INDIRIZZO tu@example.org" in dict(help_on("set", "it")[1])
    for language in LANGUAGES:
        for usage, does in (
            line for verb in VERBS for line in help_on(verb.phrases[language].words[0], language)[1]
        ):
            assert does.endswith(".")
            assert does[0].isupper()
            assert "\n" not in does
            assert len(usage) <= 40


def test_the_contents_of_help_name_every_command_once() -> None:
    for language in LANGUAGES:
        words = [word for _, named in help_contents(language) for _, word in named]
        assert set(words) == {verb.phrases[language].words[0] for verb in VERBS}
        assert len(words) == len(set(words))


def test_help_begins_with_a_few_commands_that_can_be_written() -> None:
    for language in LANGUAGES:
        lines = [how for how, _ in essentials(language)]
        assert len(lines) == 13
        for line in lines:
            [command] = understand(
                [line], subject=None, language=language, is_move=is_move, match=None
            ).commands
            assert isinstance(command, Command), line


WORDS = [
    *VERBS_OF,
    "105",
    "#12",
    "[7]",
    ":",
    ".",
    "!",
    "b1-b3",
    "zertz",
    "zertz+11",
    "at",
    "--",
    "end",
    "-",
    "\n",
]


@given(
    st.lists(
        st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)),
        max_size=12,
    ),
    st.none() | st.text(max_size=40),
    st.sampled_from([*LANGUAGES, "eo"]),
    st.none() | st.just(105),
)
def test_no_letter_raises(lines: list[str], subject: str | None, language: str, match: int | None) -> None:
    understood = understand(lines, subject=subject, language=language, is_move=is_move, match=match)
    assert (understood.verdict == Code.NO_MOVE_FOUND) == (not understood.commands)
    assert not (understood.commands and understood.suggestions)


@pytest.mark.prove
@pytest.mark.parametrize(
    "unit", ["b1-b3 ", "105 ", "SAY ", "<mailto:", "- ", "#1", "ﷺ", "\N{COMBINING GRAVE ACCENT}"]
)
def test_a_huge_letter_is_bounded(unit: str) -> None:
    """Only so many lines are searched and so many commands taken; whatever is longer is talk."""
    asked = []

    def never(text: str, match: int | None) -> bool:
        asked.append(len(text))
        return False

    lines = [unit * 50_000, *[unit * 10] * 20_000]
    understood = understand(lines, subject=unit * 50_000, language="en", is_move=never)
    assert len(asked) <= 800
    assert max(asked, default=0) <= 200
    assert len(understood.commands) <= 40
