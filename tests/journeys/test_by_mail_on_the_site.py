"""Players say by mail what the public pages show of them; only an answer of their own brings their name there."""

from pbem.outbox.notifications.direct_messages import ask_about_site
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post

Site = Player.Site


def asked(post: Post) -> None:
    Player.objects.update(site_asked_at=None)
    ask_about_site(now=post.now, most=100)
    post.send()


def test_newcomers_read_the_question_in_their_welcome(post: Post) -> None:
    dora = Correspondent(post, "Dora", "dora@example.org")
    dora.writes("REGISTER Dora")
    dora.answers(dora.letter, "YES")
    assert dora.letter.kind == "welcome"
    assert "SET SITE yes" in " ".join(dora.letter.text.split())
    assert (dora.player.site, dora.player.site_asked_at) == (Site.UNNAMED, post.now)


def test_each_is_asked_once_and_a_yes_shows_the_name(post: Post, bruno: Correspondent) -> None:
    asked(post)
    letter = bruno.letter
    assert letter.kind == "site_asks"
    assert bruno.player.site == Site.UNNAMED
    assert ask_about_site(now=post.now, most=100) == 0
    assert bruno.answers(letter, "Sì, grazie").verdict == "ok"
    assert bruno.player.site == Site.NAMED
    assert "SITO" in bruno.letter.text
    assert bruno.answers(letter, "NO").verdict == "ok"
    assert bruno.player.site == Site.UNNAMED


def test_the_word_sets_each_step(alice: Correspondent, bruno: Correspondent) -> None:
    for said, step in (
        ("yes", Site.NAMED),
        ("index", Site.INDEXED),
        ("never", Site.NO),
        ("no", Site.UNNAMED),
    ):
        assert alice.writes(f"SET SITE {said}").verdict == "ok"
        assert alice.player.site == step
    assert bruno.writes("IMPOSTA SITO sì").verdict == "ok"
    assert bruno.player.site == Site.NAMED
    assert bruno.writes("IMPOSTA SITO mai").verdict == "ok"
    assert bruno.player.site == Site.NO


def test_talk_and_others_bring_no_name(post: Post, alice: Correspondent, bruno: Correspondent) -> None:
    asked(post)
    letter = bruno.letter
    bruno.answers(letter, "Che sito è? Ci penso.")
    alice.answers(letter, "YES")
    assert (alice.player.site, bruno.player.site) == (Site.UNNAMED, Site.UNNAMED)
    bruno.answers(letter, "Sì", dmarc="fail")
    bruno.writes("IMPOSTA SITO sì", dmarc="fail")
    assert bruno.player.site == Site.UNNAMED
