"""Plays the script: two people sign up, challenge each other and play, by nothing but letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import indent

from django.conf import settings

from games.move_numbers import numbered
from games.protocol import Notation
from games.registry import find
from pbem.demo.correspondent import Correspondent
from pbem.demo.post_office import Delivery
from pbem.demo.script import Game

Report = Callable[[str], None]


class OffScript(Exception):
    """A letter came that the script does not expect. The message says which."""


@dataclass(frozen=True)
class Words:
    """How a player writes: their notation and their verbs."""

    notation: Notation
    register: str
    challenge: str
    first: str
    second: str
    yes: str


ENGLISH = Words(Notation("en"), "REGISTER", "CHALLENGE", "first", "second", "YES")
ITALIAN = Words(Notation("it"), "ISCRIVIMI", "SFIDA", "primo", "secondo", "SÌ")


@dataclass(frozen=True)
class Cast:
    """The two players and how each writes."""

    players: dict[str, Correspondent]
    words: dict[str, Words]
    report: Report

    def sign_up(self, name: str) -> None:
        who, words = self.players[name], self.words[name]
        who.write(_play(), f"{words.register} {who.name}")
        who.answer(self._expect(name, "signup"), words.yes)
        self._expect(name, "welcome")
        self.report(f"{who.name} has signed up from {who.address}")

    def play(self, game: Game) -> None:
        """The whole game, to the result letters of both. Raises OffScript."""
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
            self._expect(name, "result" if over else "played")
            letters[other] = self._expect(other, "result" if over else "turn")
            self.report(f"{game.name} {numbered(ply, f'{name}: {written}')}")
        outcome = position.outcome()
        if outcome is None or outcome.reason != game.reason or names[outcome.winner or 0] != game.winner:
            raise OffScript(
                f"{game.name} ended with {outcome}, not with {game.winner} winning: {game.reason}"
            )
        self.report(f"{game.name} is over: {game.winner} wins")

    def _begin(self, game: Game) -> dict[str, Delivery]:
        """Alice challenges, Bruno accepts; the newest letter of each."""
        words = self.words["Alice"]
        side = words.first if game.first == "Alice" else words.second
        alice, bruno = self.players["Alice"], self.players["Bruno"]
        alice.write(_play(), f"{words.challenge} {bruno.name} {game.name} {side}")
        told = self._expect("Alice", "confirm", "challenged")
        if told.message["X-PBeM-Letter"] == "confirm":  # nobody vouches for her
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
        letter = self.players[name].read()
        came = letter.message["X-PBeM-Letter"]
        if came not in kinds:
            raise OffScript(
                f"{name} expected a {' or '.join(kinds)} letter, this one came instead: {came}\n{letter.text}"
            )
        return letter

    def _other(self, name: str) -> str:
        return next(other for other in self.players if other != name)


def _play() -> str:
    return f"play@{settings.MAIL_DOMAIN}"
