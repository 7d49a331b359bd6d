"""Guests who accept, or do not, in words of their own."""

import pytest

from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, unwrapped

GUEST = "guest@example.net"


@pytest.fixture
def guest(post: Post) -> Correspondent:
    return Correspondent(post, "Gianna", GUEST)


@pytest.mark.parametrize(
    "said",
    [
        "Accetto volentieri, ma comincia tu perché io non ho mai giocato.",
        "Che bella sorpresa, Bruno! Accetto volentieri, ma comincia tu perché io non ho mai giocato.",
    ],
)
def test_a_guest_accepts(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    assert guest.answers(guest.letter, said).verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING
    assert any("  | " in letter.text for letter in bruno.reads())


UNSURE = [
    "si accetto! bruno comincia tu che io non so come si fa",
    "e ancora valida la sfida? se si accetto",
    "I gladly accept, but you start because I have never played.",
    "is the challenge still open? if so I accept",
    "ok im in, what do i do?",
    "okk",
    "Sì, esatto, quella!",
    "Yes, exactly, that one!",
]


@pytest.mark.parametrize("said", UNSURE)
def test_a_sentence_that_is_less_sure_is_asked_again(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    assert guest.answers(guest.letter, said).verdict == Code.NO_MOVE_FOUND
    assert not Match.objects.exists()
    assert guest.letter.kind == "invites"
    assert guest.answers(guest.letter, "SÌ").verdict == "ok"
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.parametrize(
    "said",
    [
        "Sorry Bruno, no time at the moment",
        "Sorry Bruno, no time at the moment! Maybe after Christmas.",
        "Scusa Bruno, in questo momento non ho tempo",
    ],
)
def test_no_time_is_a_no_with_words(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    bruno.reads()
    assert guest.answers(guest.letter, said).verdict == "ok"
    [told] = bruno.reads()
    assert "  | " in told.text


@pytest.mark.parametrize(
    "said", ["is it still valid?", "se sì, chi comincia?", "I would accept, but no time", "non accetto"]
)
def test_nothing_begins_by_less(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    guest.answers(guest.letter, said)
    assert not Match.objects.filter(status=Match.Status.PLAYING).exists()
    assert Player.objects.people().count() == 1


@pytest.mark.parametrize(
    "said",
    [
        "va be proviamo",
        "dai su, giochiamo",
        "come on, let's play",
    ],
)
def test_a_sentence_that_surely_accepts_is_a_yes(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    guest.answers(guest.letter, said)
    assert Match.objects.get().status == Match.Status.PLAYING


@pytest.mark.parametrize(
    "said",
    [
        "No guarda, in questo periodo non ho proprio tempo. Grazie lo stesso.",
        "preferisco di no: non sono portata per i giochi",
        "no aspetta, ci ripenso",
        "No look, I really have no time these days. Thanks anyway.",
        "I'd rather not: I am no good at games",
    ],
)
def test_a_no_with_its_reason_is_one(bruno: Correspondent, guest: Correspondent, said: str) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    bruno.reads()
    assert guest.answers(guest.letter, said).verdict == "ok"
    assert bruno.kinds() == ["uninvited"]


MOVES_NOT = ["Sì, grazie!\nMuovo la pedina in k99"]


@pytest.mark.parametrize("said", MOVES_NOT)
def test_a_yes_counts_beside_a_move_that_is_none(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    guest.answers(guest.letter, said)
    match = Match.objects.get()
    assert (match.status, match.ply) == (Match.Status.PLAYING, 0)
    told = " ".join(guest.letter.text.split())
    assert "La partita è cominciata" in told
    assert "Nessuna delle tue mosse possibili contiene" in told
    assert f"| {said.split(chr(10))[-1]}" in bruno.letter.text
    assert guest.answers(guest.letter, "e1").verdict == "ok"


def test_it_counts_beside_a_move_that_is_not_allowed(bruno: Correspondent, guest: Correspondent) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    guest.answers(guest.letter, "Sì.\nMetto la pedina in e5.")
    assert Match.objects.get().status == Match.Status.PLAYING
    assert "La prima pedina del Bianco non può andare nella casella centrale" in unwrapped(guest.letter.text)
    assert guest.answers(guest.letter, "e1").verdict == "ok"


def test_who_moves_second_is_not_asked_for_a_move(bruno: Correspondent, guest: Correspondent) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo primo")
    assert guest.answers(guest.letter, "Sì.\nMetto la pedina in e5.").verdict == Code.NOT_YOUR_TURN
    assert Match.objects.get().status == Match.Status.PLAYING
    assert "prima mossa" not in guest.letter.text


WISHES = [
    "Sì. Ma preferirei che cominciasse Bruno",
    "Sì, però vorrei più tempo per ogni mossa",
    "Ok, ma giochiamo a zertz invece?",
    "Yes, but I would rather Bruno began",
    "Yes please. But could I have more time for each move?",
]


@pytest.mark.parametrize("said", WISHES)
@pytest.mark.parametrize("answer", ["SÌ", "NO"])
def test_a_yes_with_a_wish_is_asked_about(
    bruno: Correspondent, guest: Correspondent, said: str, answer: str
) -> None:
    bruno.writes(f"SFIDA {GUEST} emergo")
    guest.answers(guest.letter, said)
    told = " ".join(guest.letter.text.split())
    heard = {
        "Sì": (
            "Che bello leggere il tuo sì!",
            "In entrambi i casi Bruno legge ciò che hai scritto",
            "Bruno ti invita",
        ),
        "Ye": ("Glad you want to play!", "Bruno reads what you wrote", "Bruno invites you"),
    }
    lead, words, subject = heard["Ye" if said.startswith("Yes") else "Sì"]
    assert lead in told
    assert words in told
    assert guest.letter.subject.startswith(subject)
    bruno.reads()
    assert guest.answers(guest.letter, answer).verdict == "ok"
    assert Match.objects.exists() == (answer == "SÌ")
    assert said in " ".join(bruno.letter.text.replace("|", "").split())


@pytest.mark.parametrize(
    "said", ["Sì. Ma preferirei che cominciasse Alice", "Yes, but I would rather Alice began"]
)
def test_a_player_who_wishes_another_match_hears_how_to_propose_it(
    alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    alice.writes("CHALLENGE Bruno emergo second")
    bruno.answers(bruno.letter, said)
    told = " ".join(bruno.letter.text.split())
    assert "Accetti la sfida di Alice?" in told
    assert "Per proporre un'altra partita rispondi NO, e sulla riga dopo SFIDA Alice" in told
    assert bruno.answers(bruno.letter, "NO\nSFIDA Alice emergo secondo").verdict == "ok"
    assert [match.proposer_id for match in Match.objects.filter(status=Match.Status.PROPOSED)] == [
        bruno.player.pk
    ]


@pytest.mark.parametrize(
    "said",
    [
        "No, non voglio un'altra partita: chiedevo soltanto le regole di Lines of Action.",
        "No no, I only asked for the rules",
    ],
)
def test_who_only_wants_the_rules_declines_nothing(
    bruno: Correspondent, guest: Correspondent, said: str
) -> None:
    bruno.writes(f"SFIDA {guest.email} loa")
    bruno.reads()
    invited = guest.letter
    guest.answers(invited, said)
    assert "LO SCOPO" in guest.letter.text
    assert bruno.reads() == []
    assert guest.answers(invited, "b1-b3").verdict == "ok"
