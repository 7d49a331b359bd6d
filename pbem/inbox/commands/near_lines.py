"""Reads all that one line nearly says: matches, settings, a move and a draw, a plan, terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.inbox.commands import joined
from pbem.inbox.commands.bars import Bar, has_intent
from pbem.inbox.commands.cells import CELL, cells_of_move, names_cell
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.harmless import HARMLESS
from pbem.inbox.commands.kinds import DEEDS, SAID_PLAINLY
from pbem.inbox.commands.line import plain
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.line_parts import WISHED, LineParts
from pbem.inbox.commands.match_list import MatchList
from pbem.inbox.commands.near_games import with_game_spelled, with_variant_spelled
from pbem.inbox.commands.near_moves import near_move
from pbem.inbox.commands.nearest import MOST_CLAUSES, SENTENCE, Near
from pbem.inbox.commands.never_asked import is_wish_for_time
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.plainer import unfilled
from pbem.inbox.commands.playing.grammar import Draw, Move, Resign
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.takeback.grammar import Undo
from pbem.inbox.commands.tell_them import asks_to_tell
from pbem.wording import wording

_WORDS = wording(__package__)
_EXCLAIMING = tuple(f"{word} " for word in _WORDS.words("exclaiming"))  # `What a story!`
_ONE_WORD = re.compile(rf"(?<![^\W_]){CELL}{CELL}(?![^\W_])", re.IGNORECASE)
_DRAWN = re.compile(rf"\b(?:{_WORDS.either('draw_words')})", re.IGNORECASE)  # not `and we are even`
_MOST_SETTINGS = 4
_FOR_ORGANISER = ("ERASE", "HUMAN")


@dataclass(frozen=True)
class Reader(LineParts):
    """Reads the lines of one letter."""

    def near(self, line: str) -> Sequence[Near]:
        """Returns what the line may mean; one entry for each match that it asks for."""
        if line.endswith("!") and bare(line).startswith(_EXCLAIMING):
            return ()
        text = self._with_moves_parted(plain(line))
        if self.own is None and self.guess and any(has_intent(each, text) for each in _FOR_ORGANISER):
            return ()  # the organiser reads it
        if self.own is None:  # no opponent reads the words
            text = unfilled(with_variant_spelled(with_game_spelled(text)))
        one = self._near(text)
        if (one is None or isinstance(one.command, Set)) and len(settings := self._settings(text)) > 1:
            return settings
        if self.own is not None and one and is_wish_for_time(one.command, text):
            return replace(self, guess=None)._in_match(None, text)
        if self.own is not None:
            return self._in_match(one, text)
        several = MatchList(self._commanded, self._written).asked_in(text, one.command if one else None)
        if several:
            return [self.with_terms(Near(each), text) for each in several]
        one = one or self._intended(text, helps=True)
        return [self.with_terms(one, text)] if one else []

    def _with_moves_parted(self, text: str) -> str:
        """Splits a move that is written as one word: `ok b8b6 from the bus`."""
        for word in _ONE_WORD.findall(text) if self.legal and " " in text else ():
            if (parted := "-".join(cells_of_move(word))) and self.is_move(parted, None):
                text = text.replace(word, parted)
        return text

    def _commanded(self, text: str) -> Command | None:
        near = self._near(text)
        return near.command if near else None

    def _written(self, line: str, text: str) -> Command | None:
        near = self._meant([line], text)
        return near.command if near else None

    def _settings(self, text: str) -> Sequence[Near]:
        """Reads both settings of `dark colours? and my city is London`."""
        parts = [said for part in WISHED.split(text) if (said := part.strip(" ,;:.!?"))]
        near = [self._near(part) for part in parts[:_MOST_SETTINGS]] if len(parts) > 1 else []
        wished = [each for each in near if each and not each.guess and isinstance(each.command, Set)]
        once = {each.command.line.split()[1] for each in wished}
        return wished if len(once) == len(wished) else ()

    def _in_match(self, one: Near | None, text: str) -> Sequence[Near]:
        """Returns the requests of a reply line, with its other words."""
        found = self._with_what_is_beside(one, text)
        move = found[0] if len(found) == 1 and isinstance(found[0].command, Move) else None
        if move and (wish := self._wish_behind(move, text)):
            return [
                replace(move, rest=wish.rest.lstrip(" ,;"), guess=None),
                replace(wish, rest="", guess=None),
            ]
        return found

    def _with_what_is_beside(self, one: Near | None, text: str) -> Sequence[Near]:
        if with_plan := self._with_plan(text):
            return with_plan
        if (one is None or isinstance(one.command, HARMLESS)) and (wish := self._wish_beside_told(text)):
            return [wish]
        if names_cell(text) and (one is None or not isinstance(one.command, SAID_PLAINLY)):
            if has_intent("LEGAL", text) and not (one and isinstance(one.command, Help)):
                return []  # the refusal tells them
            if told := self._with_cells(text, Bar.SURE):
                return told
        if (one and self._is_part(one, text)) and (plan := self._plan(one, text)):
            return plan
        several = joined.both(text, self._deed)
        if several and not all(
            isinstance(each, Move) for each in several
        ):  # `b8 to c6 and the trap on d4` is one
            return [Near(each) for each in several]
        if one is None:
            found = joined.with_friendly_words(text, self._plainly)
            if found:
                return [Near(found[0], rest=found[1])]
            if (told := self._with_cells(text, Bar.USUAL)) or asks_to_tell(text, ()):
                move = self._leading_move(told[0], text) if len(told) == 1 else None
                return [move, replace(told[0], guess=None)] if move else told
            guessed = self._intended(text, helps=True)
            if guessed and not is_wish_for_time(guessed.command, text):
                return [guessed]
            return self._only_move(text)
        if move := self._leading_move(one, text):
            return [move, one]
        if beside := self._in_another_sentence(one, text):
            return beside
        if isinstance(one.command, (Draw, Resign, Undo)):
            others = text if len(SENTENCE.split(text)) > 1 else ""  # which the opponent is to read, too
            one = replace(one, rest=one.rest or joined.beside(text, one.command, self._deed) or others)
        if isinstance(one.command, HARMLESS) and has_intent("TELL", text):
            one = replace(one, sure=False, rest=one.rest or text)
        return self._with_draw(self.with_terms(one, text) if isinstance(one.command, Set) else one, text)

    def _deed(self, text: str) -> Command | None:
        near = self._near(text)
        said = near and near.guess is None and not near.rest
        return near.command if near and said and isinstance(near.command, DEEDS) else None

    def _plainly(self, text: str) -> Command | None:
        command = read_line(text, self.is_move, self.own)
        return command if isinstance(command, DEEDS) and self._is_to_move(command) else None

    def _with_draw(self, near: Near, text: str) -> list[Near]:
        """Reads both commands of `b8-b6, draw?`."""
        if isinstance(near.command, Move) and near.rest:
            beside = self._near(near.rest) if _DRAWN.search(near.rest) else None
            return [replace(near, rest=""), beside] if beside and isinstance(beside.command, Draw) else [near]
        if not isinstance(near.command, Draw):
            return [near]
        clauses = (*SENTENCE.split(text)[:MOST_CLAUSES], *WISHED.split(text)[:MOST_CLAUSES])
        said = (near_move(clause.strip(), self.legal) for clause in clauses)
        return [*[Near(Move(found.move, line=found.move)) for found in said if found][:1], near]
