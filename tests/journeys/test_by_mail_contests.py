"""Contests by mail, in both languages: found, entered, begun with one letter each, played, looked at, left."""

from random import Random

from games.protocol import Outcome, Side
from pbem.competitions.models import Competition, Entrant
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.tasks import begin_and_end
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match
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
    alice.writes("CONTESTS")
    assert "There are no contests at present" in unwrapped(alice.letter.text)
    cup = opened(alice.post)
    bruno.writes("TORNEI")
    assert f"[{cup.pk}] Autumn cup" in bruno.letter.text
    assert f"PARTECIPO {cup.pk}" in bruno.letter.text
    assert f"PARTECIPO%20{cup.pk}" in bruno.letter.html
    bruno.answers(bruno.letter, f"PARTECIPO {cup.pk}")
    assert "Sei in lista per Autumn cup." in unwrapped(bruno.letter.text)
    assert alice.writes("STANDINGS 1").verdict == Code.CONTEST_NOT_BEGUN
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
    assert "- sta dove" not in over.text, "everybody has met everybody"
    assert "1=" in over.text
    assert "1=</td>" in over.html, "a table, which a phone can show"
    assert "You share first place" in alice.letter.text
    alice.writes(f"STANDINGS {cup.pk}")
    assert all(len(line) <= 72 for line in alice.letter.text.splitlines() if "http" not in line)
    assert "The final table of Autumn cup:" in unwrapped(alice.letter.text)
    assert "1=</td>" in alice.letter.html
    bruno.writes(f"CLASSIFICA {cup.pk}")
    assert "La classifica finale di Autumn cup:" in unwrapped(bruno.letter.text)
    Match.objects.filter(pk=mover.pk).update(status="void")
    bruno.writes(f"CLASSIFICA {cup.pk}")
    assert "- sta dove due non hanno una partita fra loro" in unwrapped(bruno.letter.text)


def test_leaving_is_asked_about(alice: Correspondent, bruno: Correspondent, charlie: Correspondent) -> None:
    cup = opened(alice.post)
    for each in (alice, bruno, charlie):
        each.writes(f"ENTER {cup.pk}")
    charlie.writes(f"LEAVE {cup.pk}")
    charlie.answers(charlie.letter, "YES LEAVE")
    assert "You are not on the list of Autumn cup any more." in unwrapped(charlie.letter.text)
    assert charlie.writes("LEAVE 99").verdict
    charlie.writes(f"ENTER {cup.pk}")
    begins(cup, alice)
    for each in (alice, bruno, charlie):
        each.reads()
    alice.writes(f"LEAVE {cup.pk}")
    assert Entrant.objects.filter(state=Entrant.State.PLAYING).count() == 3
    alice.answers(alice.letter, "YES LEAVE")
    alice.post.send()
    assert "You do not play in Autumn cup any more." in unwrapped(alice.letter.text)
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
