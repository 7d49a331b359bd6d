"""What Alice has signed once, sent again by somebody else: nothing is done without her YES."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from pbem.inbox.models import InboundMail, SeenMessage
from pbem.matches.models import Match
from pbem.matches.services import decline, offer_draw
from pbem.players.models import Absence, Player
from pbem.players.models.message import PlayerBlock
from pbem.refusals import Code
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Post, play_address
from tests.nameserver import Zone, served
from tests.replays import FOLDER, replays
from tests.signing import rsa_key

MALLORY = "mallory@evil.example"
HONEST = ("honest", "honest_careful")
# What we find of each, what we find where a server in front has said pass, and what speaks against it.
DOUBTS = """
honest                       pass  pass  no
honest_careful               pass  pass  no
second_subject               fail  fail  open
second_subject_below         fail  fail  open
subject_replaced             pass  pass  open
subject_replaced_no_move     pass  pass  open
content_type                 pass  pass  open
transfer_encoding            pass  pass  open
text_appended                fail  pass  open
cc_added                     pass  pass  copied
reply_to_added               pass  pass  open
in_reply_to_added            pass  pass  answers-others
second_to                    fail  fail  answers-others
to_replaced                  pass  pass  open
date_replaced                pass  pass  open
message_id_replaced          pass  pass  open
fake_signature               pass  pass  open
hidden_headers               fail  none  open
private_yes                  pass  pass  copied
private_draw                 pass  pass  copied
private_question             pass  pass  answers-others
private_question_unthreaded  pass  pass  unnumbered
private_to_both              pass  pass  copied
old                          pass  pass  old
undated                      pass  pass  old
unnamed                      pass  pass  seen
"""
CASES = [line.split() for line in DOUBTS.split("\n") if line]
Bring = Callable[[bytes, str], InboundMail]


def in_front(raw: bytes) -> bytes:
    """What a mail server that checks writes on top: it was Mallory's that brought it, and the signature is good."""
    seal = re.sub(rb"\s", b"", raw.rpartition(b"DKIM-Signature:")[2].partition(b" b=")[2])[:8].decode()
    found = (
        f"Authentication-Results: {AUTHSERV_ID};\r\n dkim=pass header.d=example.org header.s=s1 header.b={seal};\r\n"
        f" spf=pass smtp.mailfrom={MALLORY};\r\n dmarc=pass header.from=example.org\r\n"
    )
    return found.encode() + raw


@pytest.fixture(params=["here", "in front"])
def bring(request: pytest.FixtureRequest, post: Post, zertz: Match, settings: Settings) -> Iterator[Bring]:
    """Hands a letter over as Mallory does, where signatures are checked here, and where a server in front has."""
    if request.param == "in front":
        yield lambda raw, to: post.deliver(in_front(raw), to, MALLORY)
        return
    zone = Zone()
    zone.txt("_dmarc.example.org", "v=DMARC1; p=reject")
    zone.txt("s1._domainkey.example.org", rsa_key().record)
    with served(zone):
        settings.AUTHSERV_IDS = []
        settings.VERIFY_SENDERS = True
        settings.DNS_SERVERS = [zone.server]
        yield lambda raw, to: post.deliver(raw, to, MALLORY)


def eml(name: str) -> bytes:
    return (FOLDER / f"{name}.eml").read_bytes()


def everything() -> list[object]:
    """What a letter could have changed."""
    match = Match.objects.values("ply", "status", "draw_offered_by", "winner", "stopped")
    players = [{**row, "complaint_mentioned": None} for row in Player.objects.order_by("pk").values()]
    lists = [list(model.objects.order_by("pk").values()) for model in (Absence, PlayerBlock)]
    return [list(match), players, lists]


@pytest.mark.prove
def test_the_files_are_what_they_are_made_from() -> None:
    assert {path.stem: path.read_bytes() for path in Path(FOLDER).glob("*.eml")} == replays()
    assert {name for name, *_ in CASES} == set(replays())


@pytest.mark.parametrize(("name", "here", "in_front", "doubt"), CASES)
def test_sent_again(
    name: str,
    here: str,
    in_front: str,
    doubt: str,
    bring: Bring,
    zertz: Match,
    alice: Correspondent,
    bruno: Correspondent,
    settings: Settings,
) -> None:
    """While Bruno offers a draw, so that even a YES would end the match."""
    if name not in HONEST:
        offer_draw(zertz.seats.get(player=bruno.player), now=alice.post.now)
        alice.post.send()
    alice.reads()
    bruno.reads()
    before = everything()
    row = bring(eml(name), play_address())
    if name in HONEST:
        assert (row.verdict, row.reading["doubt"], bruno.kinds()) == ("ok", "no", ["offer"])
        return
    assert everything() == before
    assert bruno.kinds() == []
    assert {"confirm"} >= set(alice.kinds()) or row.verdict == Code.NO_MOVE_FOUND
    assert row.verdict in (Code.CONFIRM_NEEDED, Code.NO_MOVE_FOUND)
    dmarc = in_front if settings.AUTHSERV_IDS else here
    assert (row.reading["dmarc"], row.reading["doubt"]) == (dmarc, doubt.replace("-", " "))


def test_the_same_letter_once_more(
    bring: Bring, zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    """The offer was turned down; anyone who has her letter would like to make it again."""
    assert bring(eml("honest"), play_address()).verdict == "ok"
    decline(Match.objects.get().seats.get(player=bruno.player), now=alice.post.now)
    alice.post.send()
    alice.reads()
    before = everything()
    rows = InboundMail.objects.count()
    bring(eml("honest"), play_address())
    assert InboundMail.objects.count() == rows, "it is the letter that is there already"
    blank = eml("honest").replace(b"DRAW", b"DRAW  ")  # of which a relaxed signature knows nothing
    row = bring(blank, play_address())
    assert (row.verdict, row.reading["doubt"]) == (Code.CONFIRM_NEEDED, "seen")
    InboundMail.objects.all().delete()  # the organiser has erased somebody, or keeps nothing for long
    row = bring(eml("honest"), play_address())
    assert (row.verdict, row.reading["doubt"]) == (Code.CONFIRM_NEEDED, "seen")
    assert everything() == before
    assert SeenMessage.objects.count() > 0
