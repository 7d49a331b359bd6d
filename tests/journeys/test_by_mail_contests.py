"""Contests by mail, in both languages: found, entered, begun with one letter each, played, looked at, left."""

from random import Random

from games.protocol import Outcome, Side
from pbem.competitions.models import Competition, Entrant
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.tasks import begin_and_end
from pbem.competitions.tournaments import begin, begin_list, drawn, open_tournament
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match
from pbem.matches.services import resign
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped


def opened(post, system: str = "round_robin", name: str = "Autumn cup", **settings) -> Competition:
    kept = SYSTEMS[system](**settings).kept()
    return Competition.objects.create(
        name=name, system=system, game_name="loa", settings=kept, created_at=post.now
    )


def begins(contest: Competition, *readers: Correspondent) -> None:
    post = readers[0].post
    Competition.objects.filter(pk=contest.pk).update(begins_at=post.now)
    swept(*readers)


def swept(*readers: Correspondent) -> None:
    post = readers[0].post
    begin_and_end(now=post.now, rng=Random(1))
    post.send()


def test_a_cup_of_three(alice: Correspondent, bruno: Correspondent, charlie: Correspondent) -> None:
    alice.writes("COMPETITIONS")
    assert "There are no competitions at present" in unwrapped(alice.letter.text)
    cup = opened(alice.post)
    bruno.writes("GARE")
    assert f"[{cup.pk}] Autumn cup" in bruno.letter.text
    assert f"PARTECIPO {cup.pk}" in bruno.letter.text
    assert f"PARTECIPO%20{cup.pk}" in bruno.letter.html
    bruno.answers(bruno.letter, f"PARTECIPO {cup.pk}")
    assert "Sei in lista per Autumn cup." in unwrapped(bruno.letter.text)
    assert alice.writes("TABLE 1").verdict == Code.CONTEST_NOT_BEGUN
    assert alice.writes("ENTER 99").verdict == Code.NO_SUCH_CONTEST
    alice.writes("ENTER")  # there is but one
    assert alice.writes(f"ENTER {cup.pk}").verdict == Code.ENTERED_ALREADY
    charlie.writes(f"enter {cup.pk}")
    for reader in (alice, bruno, charlie):
        reader.reads()
    begins(cup, alice)
    (letter,) = alice.reads()
    assert letter.subject.endswith("Autumn cup begins")
    assert "You have 2 matches, all of which have begun" in unwrapped(letter.text)
    assert "Bruno" in letter.text
    assert "Charlie" in letter.text
    (his,) = bruno.reads()
    assert his.subject.endswith("Comincia Autumn cup")
    assert len(charlie.reads()) == 1
    # One answer to it plays a move in the match that it names.
    mover = Match.objects.get(seats__player=bruno.player, seats__side=0)
    bruno.answers(his, f"{mover.pk} b1-b3")
    mover.refresh_from_db()
    assert mover.ply == 1
    for match in Match.objects.filter(status="playing"):
        finish(match, Outcome(Side.FIRST, "resigned"), now=alice.post.now, side=None)
    alice.post.send()
    for reader in (alice, bruno, charlie):
        reader.reads()
    swept(alice)
    (over,) = bruno.reads()
    assert over.subject.endswith("Autumn cup: classifica finale")
    assert "La tua posizione finale: 1ª a pari merito" in over.text
    assert "- indica due" not in over.text, "everybody has met everybody"
    assert "1=" in over.text
    assert "1=</td>" in over.html, "a table, which a phone can show"
    assert "You share first place" in alice.letter.text
    assert f"TABELLA%20{cup.pk}" in his.html
    alice.writes(f"TABLE {cup.pk}")
    assert all(len(line) <= 72 for line in alice.letter.text.splitlines() if "http" not in line)
    assert "The final table of Autumn cup:" in unwrapped(alice.letter.text)
    assert "1=</td>" in alice.letter.html
    bruno.writes(f"TABELLA {cup.pk}")
    assert "La classifica finale di Autumn cup:" in unwrapped(bruno.letter.text)
    Match.objects.filter(pk=mover.pk).update(status="void")
    bruno.writes(f"CLASSIFICA {cup.pk}")
    assert "- indica due che non giocano fra loro" in unwrapped(bruno.letter.text)


def test_the_words_of_before_are_still_understood(alice: Correspondent, bruno: Correspondent) -> None:
    """STANDINGS and CLASSIFICA have a number with a competition, and none with the ratings."""
    cup = opened(alice.post)
    for who, line, kind in (
        (alice, "CONTESTS", "contests"),
        (alice, "TOURNAMENTS", "contests"),
        (bruno, "TORNEI", "contests"),
        (alice, "STANDINGS", "ratings"),
        (bruno, "CLASSIFICA", "ratings"),
        (alice, "TABLE", "contests"),
    ):
        who.writes(line)
        assert who.letter.kind == kind, line
    for who in (alice, bruno):
        who.writes(f"ENTER {cup.pk}")
    begins(cup, alice)
    for who, line in (
        (alice, f"STANDINGS {cup.pk}"),
        (bruno, f"CLASSIFICA {cup.pk}"),
        (alice, "TABLE"),
        (bruno, "TABELLA"),
    ):
        who.writes(line)
        assert who.letter.kind == "contest_table", line


def test_a_competition_run_by_hand_has_its_number(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    """Its players find it in the list, look at its table and can leave it; others are not told of it."""
    cup = open_tournament("Coppa", game="loa", system="single", now=alice.post.now)
    number = cup.competition_id
    cup.enter([alice.player, bruno.player])
    bruno.writes("GARE")
    told = unwrapped(bruno.letter.text)
    assert "Girone all'italiana, Lines of Action. Ci giocano in 2. Partecipi." in told
    assert alice.writes(f"TABLE {number}").verdict == Code.CONTEST_NOT_BEGUN
    begin(cup, [each.pk for each in drawn(cup)], at_once=True, now=alice.post.now, rng=Random(1))
    alice.post.send()
    assert f"TABLE%20{number}" in alice.letter.html
    resign(Match.objects.get().seated[0], now=alice.post.now)
    begin_list(cup, "Alice,Bruno", number=2, now=alice.post.now, rng=Random(1))
    alice.writes("COMPETITIONS")
    assert "Entries are closed. You have entered." in unwrapped(alice.letter.text)
    bruno.writes("TABELLA")
    assert "La classifica di Coppa oggi:" in unwrapped(bruno.letter.text)
    assert f"1. {Match.objects.earliest('pk').players[1]}" in bruno.letter.text
    charlie.writes("COMPETITIONS")
    assert "Coppa" not in charlie.letter.text
    for line, code in (("TABLE", Code.NO_SUCH_CONTEST), ("ENTER", Code.ENTRIES_CLOSED)):
        assert charlie.writes(f"{line} {number}").verdict == code
    alice.writes(f"LEAVE {number}")
    alice.answers(alice.letter, "YES LEAVE")
    alice.post.send()
    assert "You no longer play in Coppa." in unwrapped(alice.letter.text)


def test_leaving_is_asked_about(alice: Correspondent, bruno: Correspondent, charlie: Correspondent) -> None:
    cup = opened(alice.post)
    for each in (alice, bruno, charlie):
        each.writes(f"ENTER {cup.pk}")
    charlie.writes(f"LEAVE {cup.pk}")
    charlie.answers(charlie.letter, "YES LEAVE")
    assert "You are no longer on the list for Autumn cup." in unwrapped(charlie.letter.text)
    assert charlie.writes("LEAVE 99").verdict
    charlie.writes(f"ENTER {cup.pk}")
    begins(cup, alice)
    for each in (alice, bruno, charlie):
        each.reads()
    alice.writes(f"LEAVE {cup.pk}")
    assert Entrant.objects.filter(state=Entrant.State.PLAYING).count() == 3
    alice.answers(alice.letter, "YES LEAVE")
    alice.post.send()
    assert "You no longer play in Autumn cup." in unwrapped(alice.letter.text)
    (told,) = bruno.reads()
    assert "Alice non gioca più in Autumn cup." in unwrapped(told.text)
    assert Match.objects.filter(status="void").count() == 2


def test_a_ladder(alice: Correspondent, bruno: Correspondent) -> None:
    ladder = opened(alice.post, "ladder", "Scala di novembre")
    alice.writes(f"ENTER {ladder.pk}")
    bruno.writes(f"PARTECIPO {ladder.pk}")
    begins(ladder, alice)
    letter = bruno.reads()[-1]
    assert "Sei al posto 2" in letter.text
    bruno.writes("SCALA")
    assert "SCALA 1 Alice".replace("1", str(ladder.pk)) in bruno.letter.text
    assert alice.writes("LADDER Bruno").verdict == Code.TOO_FAR_ABOVE
    bruno.answers(letter, "SCALA Alice")
    match = Match.objects.get()
    assert (match.status, match.proposer) == ("proposed", bruno.player)
    alice.post.send()
    alice.answers(alice.letter, "YES")
    match.refresh_from_db()
    assert match.status == "playing"
    side = next(seat.side for seat in match.seated if seat.player == bruno.player)
    finish(match, Outcome(Side(side), "resigned"), now=alice.post.now, side=None)
    swept(alice)
    alice.writes("LADDER")
    assert "1. Bruno" in alice.letter.text
    assert f"LADDER {ladder.pk} Bruno" in alice.letter.text


def test_what_people_say_about_entering_is_talk(alice: Correspondent, bruno: Correspondent, begin) -> None:
    begin("loa")
    opened(alice.post)
    for said in ("Leave it to me.", "Enter the room", "Ladder 3 steps up, I fell.", "Esco stasera"):
        alice.answers(alice.letter, said)
        assert not Entrant.objects.exists()
