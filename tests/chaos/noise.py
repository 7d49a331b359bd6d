"""Letters that must change nothing: copies, answers too late, machines, strangers, and forgers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from tests.chaos.relay import Submission
from tests.chaos.sink import GONE, SHUT
from tests.chaos.writer import DOMAIN, STRANGERS, Pen
from tests.smtp_fixtures import Letter

MALLORY = "mallory@forgers.localhost"
PESTS = 12  # strangers who write again and again
TRIES = 2  # how often a stranger's relay tries, where a person's never gives up


@dataclass(frozen=True)
class Move:
    """A move that was just written, and the reply addresses of older letters to the same player."""

    letter: Submission
    body: str
    older: Sequence[str]


def around(
    pen: Pen, rng: Random, letter: Submission, body: str, *, older: Sequence[str]
) -> Iterator[Submission]:
    """What comes with a move."""
    move = Move(letter, body, older)
    for share, write in AROUND:
        if rng.random() < share and (submission := write(pen, move)):
            yield submission


def by_strangers(pen: Pen, rng: Random, letter: Letter) -> Iterator[Submission]:
    """What else comes to the door at the time when a letter has left."""
    for share, write in BY_STRANGERS:
        if rng.random() < share and (submission := write(pen, rng, letter)):
            submission.tries = TRIES
            yield submission


def _copy(pen: Pen, move: Move) -> Submission:
    """The same octets once more."""
    return move.letter.copy(move.letter.raw)


def _relayed(pen: Pen, move: Move) -> Submission:
    """The same letter, come by another way."""
    received = b"Received: from elsewhere by mx.chaos.test; Fri, 01 Aug 2025 12:00:00 +0000\r\n"
    return move.letter.copy(received + move.letter.raw)


def _again(pen: Pen, move: Move) -> Submission:
    """Somebody presses the button twice: a second letter with the same move."""
    letter = move.letter
    return pen.letter("again", letter.sender, move.body, to=letter.to, move=letter.move)


def _late(pen: Pen, move: Move) -> Submission | None:
    """The answer to a board of long ago. Of two digests both may show the board of now."""
    if not move.older:
        return None
    letter, to = move.letter, move.older[-1]
    if to.startswith("l+"):
        return pen.letter("again", letter.sender, move.body, to=to, move=letter.move)
    return pen.letter("late", letter.sender, move.body, to=to)


def _absent(pen: Pen, move: Move) -> Submission:
    """The machine of somebody on holiday, quoting what it answers."""
    headers = {"Auto-Submitted": "auto-replied", "Subject": "I am away"}
    return pen.letter(
        "automatic", move.letter.sender, move.body, to=move.letter.to, envelope="", headers=headers
    )


def _stolen(pen: Pen, move: Move) -> Submission:
    """Somebody to whom the letter was forwarded answers it."""
    return pen.letter("forged", MALLORY, move.body, to=move.letter.to, dmarc="pass")


def _pretended(pen: Pen, move: Move) -> Submission:
    """Somebody else writes in the player's name."""
    return pen.letter("forged", move.letter.sender, "RESIGN", envelope=MALLORY, dmarc="fail")


AROUND: Sequence[tuple[float, Callable[[Pen, Move], Submission | None]]] = (
    (0.06, _copy),
    (0.03, _relayed),
    (0.04, _again),
    (0.06, _late),
    (0.04, _absent),
    (0.02, _stolen),
    (0.02, _pretended),
)


def _spam(pen: Pen, rng: Random, letter: Letter) -> Submission:
    """Nobody knows the sender, and it has no Message-ID."""
    body = f"Dear friend, claim number {rng.randrange(10**9)} is yours.\nRESIGN now!"
    return pen.letter("junk", f"rich{rng.randrange(10**6)}@{STRANGERS}", body, named=False, dmarc="none")


def _pest(pen: Pen, rng: Random, letter: Letter) -> Submission:
    """One of a few who sign up under ever new names and never say YES."""
    number = rng.randrange(PESTS)
    return pen.letter(
        "junk", f"pest{number}@{STRANGERS}", f"REGISTER Pest{rng.randrange(10**6)}", dmarc="none"
    )


def _gone(pen: Pen, rng: Random, letter: Letter) -> Submission:
    """Their mailbox refuses the answer."""
    who = f"{rng.choice(sorted(GONE | SHUT))}-{rng.randrange(10**6)}"
    return pen.letter("junk", f"{who}@{STRANGERS}", f"REGISTER Gone{rng.randrange(10**6)}", dmarc="none")


def _list(pen: Pen, rng: Random, letter: Letter) -> Submission:
    headers = {"List-Id": "<news.strangers.localhost>", "Precedence": "list"}
    return pen.letter("automatic", f"news@{STRANGERS}", "REGISTER News", headers=headers)


def _bounce(pen: Pen, rng: Random, letter: Letter) -> Submission | None:
    """A letter to a stranger comes back, to where bounces go."""
    if not letter.to.endswith(STRANGERS):
        return None
    return pen.letter(
        "automatic", f"mailer-daemon@{STRANGERS}", "550 5.1.1 no such user", to=letter.sender, envelope=""
    )


def _guessed(pen: Pen, rng: Random, letter: Letter) -> Submission:
    """A reply address that nobody was given."""
    token = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=32))
    return pen.letter("guessed", MALLORY, "RESIGN", to=f"m+{token}@{DOMAIN}")


BY_STRANGERS: Sequence[tuple[float, Callable[[Pen, Random, Letter], Submission | None]]] = (
    (0.02, _spam),
    (0.03, _pest),
    (0.01, _gone),
    (0.01, _list),
    (0.2, _bounce),
    (0.01, _guessed),
)
