"""Letters as mail programs send them, a paragraph a line, however long."""

from tests.post import Correspondent, Post

PINA = """Gentilissimi,

mi chiamo Giuseppina ma tutti mi chiamano Pina, ho settantaquattro anni e mio nipote mi ha mandato il vostro indirizzo dicendomi che si può giocare per posta elettronica senza installare nulla. Vorrei tanto fare una partita a Emergo con la mia cara amica Elsa, il suo indirizzo è elsa@example.net.

Cara Elsa, ti ricordi quando giocavamo a dama al mare? Ho trovato questo gioco, si chiama Emergo, proviamo? Un bacione.

Distinti saluti,
Giuseppina Rossi
via Verdi 3
tel. 06 555123
"""  # noqa: E501 - as it came


def test_a_friend_named_far_down_a_paragraph_is_invited_with_the_words_to_them(post: Post) -> None:
    pina = Correspondent(post, "Giuseppina Rossi", "pina@example.net")
    elsa = Correspondent(post, "Elsa", "elsa@example.net")
    pina.writes(PINA)
    assert "SFIDA elsa@example.net emergo" in pina.letter.text
    assert "robot" not in pina.letter.text
    pina.answers(pina.letter, "Sì.\n\nDistinti saluti,\nGiuseppina Rossi\nvia Verdi 3\ntel. 06 555123")
    written = " ".join(elsa.letter.text.split())
    assert "Cara Elsa, ti ricordi" in written
    assert "Gentilissimi" not in written
    assert "nipote" not in written
    assert "555123" not in written
