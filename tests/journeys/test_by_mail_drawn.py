"""Positions that players draw for each other arrive as they were drawn, as text and as HTML."""

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent

DRAWN = "    a   b   c\n 1  o   .   x\n   2  .   o\n\n      o - o"


def test_a_drawing_arrives_as_it_is(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert alice.answers(alice.letter, f"Wd4, a1\n\n{DRAWN}").verdict == "ok"
    text = bruno.letter.text.replace("\r\n", "\n")
    assert "\n".join(f"  | {line}".rstrip() for line in DRAWN.split("\n")) in text
    html = bruno.letter.html
    assert "    a   b   c<br> 1  o   .   x<br>   2  .   o<br><br>      o - o" in html
    assert "white-space: pre-wrap" in html[html.index("<blockquote") :]
