"""Reads the parts of a reply line: a move, a plan, words to the opponent, a request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.inbox.commands.absence.grammar import Away, Pause
from pbem.inbox.commands.bars import Bar, bar_of, has_intent
from pbem.inbox.commands.cells import cells_in, cells_of_move, named_cells, names_cell
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.conditional.grammar import If, Next
from pbem.inbox.commands.conditional.sentences import before_plan, condition_in
from pbem.inbox.commands.general.grammar import RULES, Help
from pbem.inbox.commands.harmless import HARMLESS
from pbem.inbox.commands.intended import intended_with_cells, is_improbable
from pbem.inbox.commands.intended_moves import intended_moves
from pbem.inbox.commands.kinds import DEEDS, OF_MATCHES, SAID_PLAINLY
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.matchmaking.grammar import Rematch
from pbem.inbox.commands.near_moves import near_move
from pbem.inbox.commands.nearest import SENTENCE, Near, Nearest
from pbem.inbox.commands.notes.grammar import Note
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.said_hours import hours_in
from pbem.inbox.commands.said_terms import said_terms
from pbem.inbox.commands.sketches import blanks_in
from pbem.inbox.commands.tell_them import asks_to_tell
from pbem.inbox.commands.time_in_talk import in_digits
from pbem.inbox.commands.variations.grammar import Try
from pbem.inbox.commands.words import language_of
from pbem.intents import TALK
from pbem.intents import language_of as written_in
from pbem.wording import fold, wording

_WORDS = wording(__package__)
WISHED = re.compile(
    rf"[,.;!?]+\s+(?:(?:{_WORDS.either('joining')})\s+)?|\s+(?:{_WORDS.either('joining')})\s+"
)
_WISHED_END = re.compile(rf"(?:[,.;!?\s]+(?:{_WORDS.either('joining')}))?[,;\s]+$")
_FEWEST_WISHED = 3  # words
_LIKELY = 0.3  # for a further command
# Commands that another sentence may add to one
_BESIDE: Sequence[tuple[tuple[type[Command], ...], tuple[type[Command], ...]]] = (
    ((Away, Pause), (Move,)),
    ((Rematch,), (Resign,)),
    ((Set,), tuple(kind for kind in HARMLESS if kind is not Help)),
)


@dataclass(frozen=True)
class LineParts(Nearest):
    """Reads what a line says beside its main command."""

    def _in_another_sentence(self, one: Near, text: str) -> Sequence[Near]:
        """Reads both commands of `I'm away from Monday. For now I play b1-b3`."""
        kinds = next((kinds for of, kinds in _BESIDE if isinstance(one.command, of)), ())
        sentences = [each.strip(" ,;:.") for each in SENTENCE.split(text)] if kinds else []
        near = [(said, found) for said in sentences if (found := self._near(said) or self._move_in(said))]
        others = [
            each for said, each in near if isinstance(each.command, kinds) and self._is_likely(each, said)
        ]
        return [replace(others[0], rest="", sure=False), one] if len(others) == 1 else ()

    def _move_in(self, text: str) -> Near | None:
        return next(iter(self._only_move(text)), None)

    def _is_likely(self, near: Near, said: str) -> bool:
        """Whether a read-only command is likely for the text; other commands always are."""
        reads = isinstance(near.command, HARMLESS)
        return not reads or not is_improbable(near.command, said, anew=False, least=_LIKELY)

    def _only_move(self, text: str) -> Sequence[Near]:
        """Finds the only legal move that the text tells, in any words."""
        if self.legal is None or self.guess is not Bar.USUAL or "?" in text or has_intent(TALK, text):
            return []
        lines = intended_moves("PLAY", text, self.is_move, self.legal, bar=bar_of("PLAY", text))
        return [Near(Move(line, line=line), rest=text) for line in lines if len(lines) == 1]

    def _with_plan(self, text: str) -> Sequence[Near]:
        """Reads a move and the plan behind it."""
        before, plan = before_plan(text) or ("", "")
        near = (self._near(before), self._of_match(plan)) if plan else ()
        return [each for each in near if each] if all(near) else []

    def _wish_beside_told(self, text: str) -> Near | None:
        """Reads the request of `tell her hello, and please show me where I can move`."""
        if not (asks_to_tell(text, ()) or has_intent("TELL", text, bar=Bar.REFUSED)):
            return None
        told, *wished = WISHED.split(text)
        asks = (self._near(each) for each in wished[-1:] if len(each.split()) >= _FEWEST_WISHED)
        wish = next((each for each in asks if each and isinstance(each.command, HARMLESS)), None)
        behind = text.rpartition(wished[-1])[0] if wished else ""
        return replace(wish, sure=False, rest=_WISHED_END.sub("", behind)) if wish and told else None

    def _leading_move(self, one: Near, text: str) -> Near | None:
        """Reads the move of `b8-b6 and can you make the pictures bigger?`."""
        if isinstance(one.command, (*SAID_PLAINLY, *DEEDS)) or not names_cell(text):
            return None
        begins = WISHED.split(text)[0].strip()
        asked = text.removeprefix(begins).startswith("?")
        if asked:
            return None
        found = near_move(begins, self.legal)
        told = Near(Move(found.move, line=found.move)) if found else self._move_in(begins)
        return replace(told, rest="") if told else None

    def _wish_behind(self, move: Near, text: str) -> Near | None:
        """Reads the request of `b8-b6, and could you make the board dark?`."""
        begins, *others = WISHED.split(text, maxsplit=1)
        told = set(cells_in(begins)) == set(cells_of_move(move.command.line))
        wish = self._near(others[0]) if others and told else None
        if wish and isinstance(wish.command, Set):
            wish = self.with_terms(wish, others[0])
        if wish is None or (isinstance(wish.command, Help) and "?" not in text):  # `b8-b6, if I got it right`
            return None
        if self.guess and not self._is_likely(wish, others[0]):
            return None
        whole = isinstance(wish.command, Set) or not wish.rest
        return wish if whole and isinstance(wish.command, (Set, Draw, *HARMLESS)) else None

    def _with_cells(self, text: str, bar: Bar) -> Sequence[Near]:
        """Reads a plan, moves to try, a note or a move, told by the cells of the text."""
        usual = self.guess is Bar.USUAL
        noted = self.guess is not None and has_intent("NOTE", text)
        lines: Sequence[str] = ()
        if noted:  # kept from the opponent
            move, behind = self._first_move(text)
            lines = [*move, *intended_moves("NOTE", behind, self.is_move, self.legal)]
        elif usual:
            lines = intended_with_cells(text, self.is_move, self.legal, bar=bar)
        commands = [command for line in lines if (command := read_line(line, self.is_move, self.own))]
        moves = any(isinstance(each, Move) for each in commands)
        if len(commands) < len(lines) or (moves and "?" in text):
            return []
        rest = text if moves and len(commands) == 1 else ""
        return [
            Near(replace(each, line=line), rest=rest, guess=bar)
            for each, line in zip(commands, lines, strict=True)
        ]

    def _first_move(self, text: str) -> tuple[Sequence[str], str]:
        """Splits a move in the first sentence from the other sentences."""
        first, *others = SENTENCE.split(text, maxsplit=1)
        found = near_move(first.strip(" .,;:"), self.legal) if others else None
        return ([found.move], others[0]) if found and not found.rest else ([], text)

    def _plan(self, move: Near, text: str) -> Sequence[Near]:
        """Reads a move for later or to look at, with HELP when the text tells more."""
        plan = self._with_cells(text, Bar.USUAL)
        if any(isinstance(each.command, (If, Next, Try, Note)) for each in plan):
            return plan
        helps = [replace(each, guess=None) for each in plan if isinstance(each.command, Help)]
        return [replace(move, rest=""), *helps] if helps and self._names_more(move, text) else []

    def _is_part(self, near: Near, text: str) -> bool:
        """Whether it is a move, and the text names more cells or a condition."""
        if not isinstance(near.command, Move):
            return False
        tried = has_intent("TRY", text, bar=Bar.CERTAIN)
        return tried or self._names_more(near, text) or condition_in(text, written_in(text)) is not None

    def _names_more(self, near: Near, text: str) -> bool:
        return not set(named_cells(text)) <= set(cells_of_move(near.command.line))

    def with_terms(self, near: Near, text: str) -> Near:
        """Adds terms to a challenge, an hour to daily letters, or a game to its rules."""
        if isinstance(near.command, Help) and fold(near.command.topic) in RULES and self.own is None:
            game = blanks_in(text).get("game")
            return (game and self._meant([f"{near.command.line.split()[0]} {game}"], text)) or near
        if isinstance(near.command, Set):
            daily = dict(near.command.wishes) == {"cadence": "daily"}
            hour = hours_in(in_digits(text)).get("hour", "") if daily else ""
            return (hour and self._meant([f"{near.command.line} {hour}"], text)) or near
        terms = said_terms(text, language_of(near.command.line))
        if not isinstance(near.command, OF_MATCHES) or near.command.options or not terms:
            return near
        return self._meant([" ".join([near.command.line, *terms])], text) or near
