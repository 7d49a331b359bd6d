"""The script of the demonstration: two players register, challenge each other and play, by letters alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from textwrap import indent

from django.conf import settings
from django.utils import timezone

from games.move_numbers import numbered
from games.protocol import Notation
from games.registry import find
from pbem.demo.post_office import TIMEOUT, Delivery, PostOffice, answer_to, hand_over, message, quoted
from pbem.outbox.notifications.notify import RECEIPT

# The two games, move by move, with an illegal move in the first

ZERTZ = (
    "We5,g4 Bb4,b5 We3,d7 Gd6,f3 Bc1,f7 Wg6,d1 Ga2,a3 We7,c6 e7xc5 b4xd6 We4,e2 e4xe6 d6xf6 g6xe6 "
    "Wc4,f4 Gb2,g7 a2xc2 c1xc3xc5 Gc2,g6 Be4,e7 e3xe5 e6xe4"
)
LINES_OF_ACTION = (
    "g1-a1 a7-b6 a1-b2 b6xb2 g8-g7 a2-b3 g7-e7 a6-c4 e7-c7 a5-c5 f8-a8 a4-d4 f1-f2 h2-e5 a8-b7 a3-d3 b7-c6 "
    "h7-e4 c8-b7 h3-e3 b8-a7 h6-f6 d1xb3 b2-d2 c7xe5 f6-d6 c1-b2 d6-d1 a7-c7 d1-d6 b1-b5 h5-g4 c7-e7 d2-f4"
)


@dataclass(frozen=True)
class Game:
    """A game: `first` moves first, `winner` wins for `reason`; `slip` is an illegal move before a ply."""

    name: str
    first: str
    moves: tuple[str, ...]
    winner: str
    reason: str
    slip: tuple[int, str] | None = None
    chat: tuple[tuple[int, str], ...] = ()


GAMES = (
    Game(
        "zertz",
        first="Alice",
        moves=tuple(ZERTZ.split()),
        winner="Bruno",
        reason="white",
        slip=(9, "Gd2, a4"),
        chat=((0, "Hello Bruno, good game!"), (1, "Ciao Alice, e buona fortuna."), (20, "I see it coming.")),
    ),
    Game(
        "loa",
        first="Bruno",
        moves=tuple(LINES_OF_ACTION.split()),
        winner="Alice",
        reason="joined",
        chat=((0, "Adesso tocca a me cominciare."),),
    ),
)


# A scripted player with a mailbox, who answers letters as mail programs do


@dataclass
class Correspondent:
    """A player; `door` is the (host, port) of the mail door."""

    name: str
    address: str
    wrote: str  # the line above a quotation in this player's mail program, as a date format
    post: PostOffice
    door: tuple[str, int]
    sent: int = field(default=0)

    def write(self, to: str, body: str, subject: str = "") -> None:
        """Sends a new letter."""
        self._send(self._letter(to, subject, body))

    def answer(self, letter: Delivery, body: str) -> None:
        """Sends a reply above the quoted letter, to its Reply-To."""
        reply = self._letter(
            str(letter.message["Reply-To"]),
            f"Re: {letter.message['Subject']}",
            f"{body}\n\n{timezone.localtime():{self.wrote}}\n{quoted(letter.text)}\n",
        )
        self._send(answer_to(letter.message, reply))

    def read(self) -> Delivery:
        """Returns the next letter in the mailbox."""
        return self.post.next_letter(self.address, TIMEOUT)

    def _letter(self, to: str, subject: str, body: str) -> EmailMessage:
        return message(Address(self.name, addr_spec=self.address), to, subject, body)

    def _send(self, letter: EmailMessage) -> None:
        hand_over(letter, self.door)
        self.sent += 1


Report = Callable[[str], None]


class OffScript(Exception):
    """A letter came that the script does not expect; the message says which."""


@dataclass(frozen=True)
class Words:
    """The notation and the verbs of a player."""

    notation: Notation
    register: str
    challenge: str
    first: str
    second: str
    yes: str
    site: str


ENGLISH = Words(Notation("en"), "REGISTER", "CHALLENGE", "first", "second", "YES", "SET SITE yes")
ITALIAN = Words(Notation("it"), "ISCRIVIMI", "SFIDA", "primo", "secondo", "SÌ", "IMPOSTA SITO sì")


@dataclass(frozen=True)
class Cast:
    """The two players, and the words of each."""

    players: dict[str, Correspondent]
    words: dict[str, Words]
    report: Report

    def sign_up(self, name: str) -> None:
        who, words = self.players[name], self.words[name]
        who.write(_play(), f"{words.register} {who.name}")
        who.answer(self._expect(name, "signup"), words.yes)
        self._expect(name, "welcome")
        self.report(f"{who.name} has signed up from {who.address}")

    def agree_to_site(self, name: str) -> None:
        """Says that the site may show the player's matches with the name."""
        self.players[name].write(_play(), self.words[name].site)
        self._expect(name, "preferences")

    def play(self, game: Game) -> None:
        """Plays a game until both players have the letter with the result. Raises OffScript."""
        letters = self._begin(game)
        rules_of, rules = find(game.name)
        position = rules_of.start(rules, "")
        names = (game.first, self._other(game.first))
        chat = dict(game.chat)
        for ply, canonical in enumerate(game.moves):
            name, other = names[position.to_move], names[position.to_move.other]
            who, move = self.players[name], rules_of.move(canonical)
            if game.slip and game.slip[0] == ply:
                self._slip(name, letters[name], game.slip[1])
            written = rules_of.write(position, move, self.words[name].notation)
            who.answer(letters[name], f"{written}\n\n{chat[ply]}" if ply in chat else written)
            position = position.play(move)
            over = position.outcome() is not None
            if over:
                self._expect(name, "result")
            letters[other] = self._expect(other, "result" if over else "turn")
            self.report(f"{game.name} {numbered(ply, f'{name}: {written}')}")
        outcome = position.outcome()
        if outcome is None or outcome.reason != game.reason or names[outcome.winner or 0] != game.winner:
            raise OffScript(
                f"{game.name} ended with {outcome}, not with {game.winner} winning: {game.reason}"
            )
        self.report(f"{game.name} is over: {game.winner} wins")

    def _begin(self, game: Game) -> dict[str, Delivery]:
        """Alice challenges, Bruno accepts. Returns the newest letter of each."""
        words = self.words["Alice"]
        side = words.first if game.first == "Alice" else words.second
        alice, bruno = self.players["Alice"], self.players["Bruno"]
        alice.write(_play(), f"{words.challenge} {bruno.name} {game.name} {side}")
        told = self._expect("Alice", "confirm", "challenged")
        if told.message["X-PBeM-Letter"] == "confirm":  # her sender is not authenticated
            alice.answer(told, words.yes)
            self._expect("Alice", "challenged")
        bruno.answer(self._expect("Bruno", "challenge"), self.words["Bruno"].yes)
        self.report(f"Alice has challenged Bruno to {game.name}, and Bruno accepts")
        return {"Alice": self._expect("Alice", "turn"), "Bruno": self._expect("Bruno", "turn")}

    def _slip(self, name: str, letter: Delivery, written: str) -> None:
        self.players[name].answer(letter, written)
        refusal = self._expect(name, "refused")
        self.report(f"{name} tries {written}, and is told why not:")
        self.report(indent(refusal.text.rstrip(), "    "))

    def _expect(self, name: str, *kinds: str) -> Delivery:
        """Returns the next letter, unless it is a receipt: these come for the first moves alone."""
        letter = self.players[name].read()
        came = letter.message["X-PBeM-Letter"]
        if came == RECEIPT:
            return self._expect(name, *kinds)
        if came not in kinds:
            raise OffScript(
                f"{name} expected a {' or '.join(kinds)} letter, this one came instead: {came}\n{letter.text}"
            )
        return letter

    def _other(self, name: str) -> str:
        return next(other for other in self.players if other != name)


def _play() -> str:
    return f"play@{settings.MAIL_DOMAIN}"
