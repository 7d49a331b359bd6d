"""Describes scenes, objections and outcomes in words, for alt texts and screen readers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from games.kit.scene import Body, Edge, Piece, Scene, Tray
from games.protocol import Game, Notation, Outcome, Remark, Side, phrases_of

# The optional d of Italian before an equal vowel, in phrases such as `a(d) {player}`: ad Ada, a Emma.
_MAYBE = re.compile(r"\b([aeo])\(d\)(?=\s*(\w)?)", re.IGNORECASE)


def euphonic(text: str) -> str:
    """Resolves each `(d)`: kept before an equal vowel, removed elsewhere."""
    return _MAYBE.sub(_settled, text) if "(d)" in text else text


def _settled(found: re.Match[str]) -> str:
    vowel, begins = found[1], unicodedata.normalize("NFD", found[2] or " ")[0]
    return f"{vowel}d" if begins.casefold() == vowel.casefold() else vowel


HEADINGS = {"captured": "captured_by", "hand": "hand_of", "stock": "hand_of"} | {
    held: f"{held}_by" for held in ("lost", "claimed")
}


@dataclass(frozen=True)
class Speech:
    """How to speak to one reader: the game's phrases, the names of cells and of both sides."""

    language: str
    phrases: Mapping[str, Any]
    label: Callable[[str], str]
    players: tuple[str, str]

    @property
    def kit(self) -> Mapping[str, Any]:
        """Returns the phrases shared by all games."""
        return kit_phrases(self.language)

    def side(self, side: Side) -> str:
        return self.players[side]

    def letters(self, stack: Iterable[Piece]) -> str:
        """Returns the letters of a stack, bottom first."""
        return "".join(self.phrases["pieces"][piece.kind]["letter"] for piece in stack)

    def remark(self, table: str, remark: Remark) -> str:
        """Returns the sentence of a remark of `table`: "objections", "changes" or "notes"."""
        sentence: str = self.phrases[table][remark.code]
        return euphonic(sentence.format(**self._filled(remark)))

    def outcome(self, outcome: Outcome) -> str:
        sentence: str = self.phrases["outcomes"].get(outcome.reason) or self.kit["outcomes"][outcome.reason]
        if outcome.winner is None:
            return sentence
        return sentence.format(winner=self.side(outcome.winner), loser=self.side(outcome.winner.other))

    def changes(self, scene: Scene) -> str:
        """Describes the last move; its subject is the mover. Empty when there was none."""
        return self.listed(self.remark("changes", change) for change in scene.changes)

    def turn(self, scene: Scene) -> str:
        """Says which side is to move, as part of a caption."""
        if scene.to_move is None:
            return str(self.kit["over"])
        player = self.side(scene.to_move)
        nameless = (
            player in self.phrases.get("sides", {}).values()
        )  # Italian: tocca a Emma, but tocca al Nero
        return euphonic(str(self.kit["turn_of_side" if nameless else "turn"]).format(player=player))

    def tray(self, tray: Tray) -> str:
        """Returns the heading of a tray."""
        return self._pool(tray) if tray.owner is None else self.side(tray.owner)

    def position(self, scene: Scene) -> tuple[str, ...]:
        """Describes a position, a sentence each: pieces, columns, removed cells, free places, printed lines,
        targets, trays, turn.
        """
        order = reading_order(scene)
        return (
            *(self._men(scene, order) or self._bodies(scene) or (self.kit["empty"],)),
            *self._gone(scene, order),
            *self._free(scene, order),
            *self._printed(scene, order),
            *self._targets(scene),
            *map(self._contents, scene.trays),
            f"{capital(self.turn(scene))}.",
        )

    def cell(self, scene: Scene, name: str) -> str:
        """Says what stands on a cell: d4: white marble."""
        over = [body for body in scene.bodies if name in body.cells]
        match self.label(name), scene.pieces.get(name, ()):
            case label, () if over:
                return f"{label}: {self.phrases['pieces'][over[-1].owner]['one']}, {self._body(over[-1])}"
            case label, ():
                return str(self.kit["vacant"]).format(cell=label)
            case label, (piece,):
                return f"{label}: {self.phrases['pieces'][piece.kind]['one']}"
            case label, stack:
                return self._stack(label, stack, scene).removesuffix(".")

    def word(self, word: str) -> str:
        """Says a word of the path of a move: a colour, a promotion, `pass`. Others are said as they are."""
        said: str = {**self.kit["words"], **self.phrases.get("words", {})}.get(word, word)
        return said

    def listed(self, parts: Iterable[str]) -> str:
        """Lists the parts as in: one, two and three."""
        *rest, last = list(parts) or [""]
        if not rest:
            return last
        joint = self.kit["and_before"].get(last[:1].lower(), self.kit["and"])
        return f"{', '.join(rest)}{joint}{last}"

    def counted(self, pieces: Mapping[str, int]) -> str:
        """Counts the pieces as in: 1 white marble and 2 grey marbles."""
        return self.listed(
            f"{n} {self.phrases['pieces'][kind]['one' if n == 1 else 'many']}"
            for kind, n in pieces.items()
            if n
        )

    def _filled(self, remark: Remark) -> dict[str, Any]:
        labels = [self.label(cell) for cell in remark.cells]
        filled: dict[str, Any] = {
            "cells": self.listed(labels),
            "legs": self._legs(labels),
            "pieces": self.counted(Counter(remark.pieces)),
            **_numbered("cell", labels),
            **_numbered("n", remark.numbers),
        }
        if remark.pieces:
            piece = self.phrases["pieces"][remark.pieces[0]]
            filled |= {
                "piece": piece["one"],
                "a_piece": piece["a"],
                "short": piece.get("short", piece["one"]),
            }
        return filled

    def _legs(self, labels: Sequence[str]) -> str:
        """Describes the path of a man after its first cell: b2 and on to c3."""
        then = (str(self.kit["then"]).format(cell=label) for label in labels[2:])
        return self.listed([*labels[1:2], *then])

    def _stack(self, label: str, stack: Sequence[Piece], scene: Scene) -> str:
        if scene.counted and len(set(stack)) == 1:
            piece = self.phrases["pieces"][stack[0].kind]["one"]
            return str(self.kit["high"]).format(cell=label, piece=piece, n=len(stack))
        if scene.lettered:
            pieces = self.listed(self.phrases["pieces"][piece.kind]["short"] for piece in reversed(stack))
            return str(self.kit["above"]).format(cell=label, pieces=pieces)
        return self._column(label, stack)

    def _men(self, scene: Scene, order: Sequence[str]) -> tuple[str, ...]:
        single: dict[str, list[str]] = {}
        columns = []
        for cell in order:
            match scene.pieces.get(cell, ()):
                case ():
                    pass
                case (piece,):
                    single.setdefault(piece.kind, []).append(self.label(cell))
                case stack:
                    columns.append(self._stack(self.label(cell), stack, scene))
        men = (
            f"{self.counted({kind: len(single[kind])})}: {self.listed(single[kind])}."
            for kind in self.phrases["pieces"]
            if kind in single
        )
        return (*men, *columns)

    def _bodies(self, scene: Scene) -> tuple[str, ...]:
        """Lists the pieces over several cells of each owner, with their levels above the board."""
        owners = dict.fromkeys(body.owner for body in scene.bodies)
        return tuple(
            f"{capital(self.phrases['pieces'][owner]['many'])}: "
            f"{self.listed(self._body(body) for body in scene.bodies if body.owner == owner)}."
            for owner in sorted(owners, key=list(self.phrases["pieces"]).index)
        )

    def _body(self, body: Body) -> str:
        level = str(self.kit["on_level"]).format(n=body.level) if body.level else ""
        cells = "/".join(map(self.label, body.cells))
        return f"{self.phrases['pieces'][body.piece.kind]['one']} {cells}{level}"

    def _column(self, label: str, stack: Sequence[Piece]) -> str:
        runs = [(kind, len(list(run))) for kind, run in groupby(reversed(stack), lambda piece: piece.kind)]
        pieces = self.listed(self.counted({kind: n}) for kind, n in runs)
        return str(self.kit["above"]).format(cell=label, pieces=pieces)

    def _gone(self, scene: Scene, order: Sequence[str]) -> tuple[str, ...]:
        without = {cell.name for cell in scene.cells if cell.ground == "gone"}
        gone = [self.label(cell) for cell in order if cell in without]
        if not gone:
            return ()
        noun = self.kit["gone"][scene.shape]["one" if len(gone) == 1 else "many"]
        return (f"{noun}: {self.listed(gone)}.",)

    def _free(self, scene: Scene, order: Sequence[str]) -> Iterator[str]:
        """Lists the cells by their free places, most first."""
        free = {cell.name: cell.free for cell in scene.cells if cell.free}
        for n in sorted(set(free.values()), reverse=True):
            cells = self.listed(self.label(cell) for cell in order if free.get(cell) == n)
            yield self.kit["free"].format(n=n, cells=cells)

    def _printed(self, scene: Scene, order: Sequence[str]) -> Iterator[str]:
        """Describes the lines on the empty cells."""
        names = self.kit["lines"]
        printed = {
            cell.name: cell.lines for cell in scene.cells if cell.lines and not scene.pieces.get(cell.name)
        }
        for lines in names if printed else ():
            cells = [self.label(cell) for cell in order if printed.get(cell) == lines]
            if cells:
                yield self.kit["printed"].format(lines=names[lines], cells=self.listed(cells))

    def _targets(self, scene: Scene) -> Iterator[str]:
        """Lists the targets, each with its printed lines."""
        cells = [mark.cell for mark in scene.marks if mark.kind == "target"]
        if cells:
            names = {cell.name: self.kit["lines"].get(cell.lines) for cell in scene.cells}
            labels = (f"{self.label(c)} ({names[c]})" if names[c] else self.label(c) for c in cells)
            yield self.phrases.get("targets", self.kit["targets"]).format(cells=self.listed(labels))

    def _contents(self, tray: Tray) -> str:
        words = {**self.kit, **self.phrases.get("trays", {})}
        heading, nothing = words["unclaimed" if tray.held == "claimed" else "pool"], words["nothing"]
        if tray.owner is not None:
            heading = words[HEADINGS[tray.held]].format(player=self.side(tray.owner))
            if tray.held == "captured":
                nothing = words["no_captures"]
        if tray.held == "claimed":
            names = [(self.phrases["pieces"][piece.kind]["short"], n) for piece, n in tray.pieces]
            pieces = self.listed(f"{name} ({n})" if n else name for name, n in names)
        else:
            pieces = self.counted({piece.kind: n for piece, n in tray.pieces})
        return f"{capital(heading)}: {pieces or nothing}."

    def _pool(self, tray: Tray) -> str:
        return str(self.kit["unclaimed" if tray.held == "claimed" else "pool"])


def speech(
    game: Game[Any, Any, Any], rules: Any, notation: Notation, players: tuple[str, str] | None = None
) -> Speech:
    """Returns the speech for readers of `notation`; without `players`, the names of the sides are used."""
    phrases = game.phrases(notation.language)
    first, second = (phrases["sides"][side] for side in game.sides)
    return Speech(
        language=notation.language,
        phrases=phrases,
        label=lambda cell: game.cell(rules, cell, notation),
        players=players or (first, second),
    )


def label(edge: Edge, speech: Speech) -> str:
    """Returns the text of a coordinate."""
    name = speech.label(edge.cell)
    match edge.part:
        case "letter":
            return re.sub(r"\d+$", "", name)
        case "number":
            return re.sub(r"^\D+", "", name)
        case "name":
            return name


def reading_order(scene: Scene) -> list[str]:
    """Returns the names of the cells from the top row down, each row from the left."""
    return [cell.name for cell in sorted(scene.cells, key=lambda cell: (cell.y, cell.x))]


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _numbered(name: str, values: Sequence[Any]) -> dict[str, Any]:
    """Numbers the values: name, name2, name3, ..."""
    return {f"{name}{i if i > 1 else ''}": value for i, value in enumerate(values, start=1)}


def kit_phrases(language: str) -> Mapping[str, Any]:
    """Returns the phrases shared by all games."""
    return phrases_of("games.kit", language)
