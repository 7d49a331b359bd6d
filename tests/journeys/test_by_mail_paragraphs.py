"""Letters as mail programs send them, a paragraph a line, however long."""

import pytest

from pbem.players.models import Player
from tests.mail_fixtures import Correspondent, Post

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


CARLA = """Buongiorno,

mi chiamo Carla e sono un'insegnante. Ho ricevuto da un'amica il collegamento al vostro servizio e mi piacerebbe molto provare il gioco che si chiama Gemma. Vorrei giocare con il mio collega Dino, il cui indirizzo è dino@example.net. Potreste invitarlo da parte mia, per cortesia?

Ciao Dino, non ridere: ho pensato che dopo trent'anni di consigli di classe meritiamo un po' di svago. Ti va di giocare con me?

Un caro saluto,
Carla
"""  # noqa: E501 - as it came


def test_an_invitation_as_a_teacher_writes_it_takes_one_yes(post: Post) -> None:
    carla = Correspondent(post, "Carla Neri", "carla@example.com")
    dino = Correspondent(post, "Dino", "dino@example.net")
    carla.writes(CARLA)
    assert "SFIDA dino@example.net gemma" in carla.letter.text
    carla.answers(carla.letter, "SÌ, grazie.\n\nUn caro saluto,\nCarla")
    written = " ".join(dino.letter.text.split())
    assert "Ciao Dino, non ridere" in written
    assert "insegnante" not in written


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("si sono io!! cmq chiamami tommy", "Tommy"),
        ("sì, confermo, sono proprio io, ma vi prego di chiamarmi Pina.", "Pina"),
        ("Yes, that's me, but everybody calls me Bob.", "Bob"),
    ],
)
def test_the_name_beside_a_yes_is_taken(post: Post, said: str, name: str) -> None:
    somebody = Correspondent(post, "Giuseppina Rossi", "somebody@example.net")
    somebody.writes(
        "vorrei giocare a zertz contro il computer"
        if name != "Bob"
        else "I'd like to play zertz against a robot"
    )
    somebody.answers(somebody.letter, said)
    if not Player.objects.filter(name=name).exists():  # what says more than YES is asked about once
        somebody.answers(somebody.letter, "YES")
    assert Player.objects.filter(name=name).exists()
