"""Finds the command or move that one text is nearest to: in other words, among words, or mistyped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

from pbem.budget import check
from pbem.inbox.commands.absence.grammar import Away, Pause
from pbem.inbox.commands.absence.sentences import absent, all_games, paused_until
from pbem.inbox.commands.account.newcomers import names_machine
from pbem.inbox.commands.account_wide import is_account_wide
from pbem.inbox.commands.agreement import agrees, is_beside, is_friendly
from pbem.inbox.commands.bars import Bar, has_intent
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.conditional.sentences import planned
from pbem.inbox.commands.contradictions import contradicts, fills, is_how_to_ask
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.harmless import HARMLESS
from pbem.inbox.commands.intended import intended, is_improbable, is_of_intent
from pbem.inbox.commands.kinds import DEEDS, OF_MATCHES
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.near_asked import asked_first, helps, without_doubts
from pbem.inbox.commands.near_moves import LONGEST_MOVE, near_move, talked_move, unplayable
from pbem.inbox.commands.near_words import FEW_WORDS, about, mistyped
from pbem.inbox.commands.never_asked import (
    asks_how,
    is_never_asked,
    is_offered,
    tells_where,
)
from pbem.inbox.commands.normalization import wishes
from pbem.inbox.commands.notes.sentences import private_note
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.commands.paraphrases import asked_how, nearly
from pbem.inbox.commands.plainer import plainer
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.reports.sentences import put_to_organiser
from pbem.inbox.commands.short_spellings import spelled_out
from pbem.inbox.commands.sketches import asked_to_read, sketched
from pbem.inbox.commands.time_in_talk import time_said
from pbem.inbox.commands.trap_stays import without_trap_staying
from pbem.inbox.commands.variations.grammar import Try
from pbem.inbox.commands.variations.sentences import tried
from pbem.inbox.commands.views.grammar import History, Show, Status
from pbem.intents import TALK

SENTENCE = re.compile(r"(?<=[.!?;:])\s+|,\s+|\s+[-–—]\s+")
_MOST_SENTENCES = 4
MOST_CLAUSES, _LONGEST_REASON = 4, 20
_TERSE = 6  # words of an absence or a pause without a reason
_SURE, _SURE_ANEW = 4, 3  # words of a statement; the same outside a match


@dataclass(frozen=True)
class Near:
    """`sure`: read-only and clear. `rest`: other words. `guess`: the bar of a guessed intent, else None."""

    command: Command
    sure: bool = False
    rest: str = ""
    guess: Bar | None = None


@dataclass(frozen=True)
class Nearest:
    """Finds the command that a text is nearest to. `legal` is None when the writer is not to move."""

    is_move: IsMove
    own: int | None
    legal: LegalMoves | None
    brief: bool  # whether the letter is short
    guess: Bar | None = None  # the least bar of a guess; None when there are no guesses

    def _near(self, text: str) -> Near | None:
        near = self._near_as_written(text)
        if near or (full := spelled_out(text)) != text:
            return near or self._near_as_written(full)
        for plain_text, reason in plainer(text):
            if near := self._near_as_written(plain_text):
                return replace(near, rest=near.rest or reason) if isinstance(near.command, Move) else near
        return None

    def _near_as_written(self, text: str) -> Near | None:
        check()
        text = without_trap_staying(text)
        if said := self._of_match(text):
            return said
        if move := near_move(text, self.legal):
            return Near(Move(move.move, line=move.move), rest=move.rest)
        found = self._by_words(text)
        if found is None or any(asked_how(text)):
            return found
        helpless = isinstance(found.command, Help) and not found.command.topic
        if helpless and self.own is not None and has_intent(TALK, text, bar=Bar.CERTAIN):
            return None  # `I've a test tomorrow. I know nothing.`
        little = helpless or isinstance(found.command, Letters)
        doubted = little or (self.guess and is_improbable(found.command, text, anew=self.own is None))
        whole = self._intended(text, bar=Bar.SURE if doubted else Bar.CERTAIN, helps=True)
        if whole is None and doubted and not little and self.own is None:  # no opponent reads it
            whole = self._intended(text, bar=Bar.REFUSED, helps=True)
        if whole and self._is_another(found, whole, text):
            return whole
        unsure = doubted and not isinstance(found.command, (Help, Letters))
        return replace(found, sure=False) if unsure else found

    def _by_words(self, text: str) -> Near | None:
        """Finds the command that the words state, else the classified intent."""
        said = self._said(text) or self._ends_the_match(text) or self._only_reads(text)
        timed = self._timed(text)
        if said and not (timed and isinstance(said.command, HARMLESS) and not asks_how(text)):
            return said
        few = len(text.split()) <= FEW_WORDS + LONGEST_MOVE
        words = (*without_doubts(text), *about(text), *mistyped(text)) if few else ()
        if timed:
            return timed
        found = self._in_a_sentence(text) or self._meant(words, text)
        if found is None or (isinstance(found.command, Help) and not any(asked_how(text))):
            likeliest = self._likeliest(text)
            found = (
                likeliest
                if found is None or (likeliest and fills(likeliest.command, found.command))
                else found
            )
        found = found or self._among_friendly_words(text) or self._account_wide(text)
        if not found and (move := talked_move(text, self.legal)):
            return Near(Move(move.move, line=move.move), rest=move.rest)
        played = unplayable(text, self.is_move) if self.legal and not found else ""
        return Near(Move(played, line=played)) if played else found or self._intended(text)

    def _likeliest(self, text: str) -> Near | None:
        """Chooses between the sketch and the classified intent."""
        sketch = self._sketched(text)
        if sketch and self.guess and is_improbable(sketch.command, text, anew=self.own is None):
            whole = self._intended(text, helps=True) or (sketch if self.own is None else None)
            same = isinstance(sketch.command, OF_MATCHES) and whole and is_how_to_ask(whole.command)
            return sketch if same else whole
        whole = self._intended(text, bar=Bar.SURE, helps=sketch is not None)
        if sketch is None or whole is None:
            return sketch or whole
        if isinstance(sketch.command, Help):
            told_how, filled = any(asked_how(text)), not isinstance(whole.command, Help)
            return whole if filled and not told_how else sketch
        return whole if self._is_another(sketch, whole, text) else sketch

    def _is_another(self, near: Near, whole: Near, text: str) -> bool:
        """Whether the whole text contradicts the command that its words state."""
        return near.guess is None and contradicts(near.command, whole.command, text, anew=self.own is None)

    def _intended(self, text: str, *, bar: Bar = Bar.USUAL, helps: bool = False) -> Near | None:
        if self.guess is None or (self.guess is Bar.SURE and bar is Bar.USUAL):
            return None
        lines = intended(text, anew=self.own is None, bar=bar, helps=helps)
        near = self._meant(lines, text, letters=True)
        if near is None or (self.own is not None and isinstance(near.command, DEEDS) and _takes_back(text)):
            return None
        return replace(near, guess=bar)

    def _account_wide(self, text: str) -> Near | None:
        """Finds a command about the account, which is not said to an opponent."""
        if self.own is None or not self.brief:
            return None
        first = text.partition(",")[0]  # `no more reminders please, I know that it's my turn`
        first = first if len(first.split()) >= _SURE_ANEW else ""
        lines = chain(nearly(text, anew=True), nearly(first, anew=True), sketched(text, anew=True))
        near = (self._meant([line], text, letters=True) for line in lines)
        found = next((each for each in near if each and is_account_wide(each.command)), None)
        whole = self._intended(text)
        return whole if found and whole and self._is_another(found, whole, text) else found

    def _of_match(self, text: str) -> Near | None:
        """Finds a report, a note, a plan or moves to try in a reply."""
        ways = (
            put_to_organiser(text),
            private_note(text),
            planned(text, self.is_move),
            () if has_intent("PLAY", text) else tried(asked_first(text), self.is_move),
        )
        lines = chain.from_iterable(ways) if self.own is not None else ()
        found = next(filter(None, (read_line(line, self.is_move, self.own) for line in lines)), None)
        return Near(found) if found else None

    def _timed(self, text: str) -> Near | None:
        """Finds time given, a pause or an absence: `let's stop everything for ten days`."""
        said = (*time_said(text), *paused_until(text))
        ways = (absent(text), said) if all_games(text) else (said, absent(text))
        near = self._meant(chain.from_iterable(ways), text)
        free_text: str = getattr(near.command, "text", "") if near else ""
        if near is None or free_text:
            return None
        gives_reason = self.own is not None and len(text.split()) > _TERSE and "@" not in text
        return replace(near, rest=text) if gives_reason and isinstance(near.command, (Away, Pause)) else near

    def _challenged(self, text: str) -> Near | None:
        """Finds the challenge of the whole line: `put me against Bruno, I play zertz`."""
        near = self._sketched(text)
        if near is None or not isinstance(near.command, Challenge):
            return None
        return near if names_machine(text) or not names_machine(near.command.who) else None

    def _sketched(self, text: str) -> Near | None:
        """Finds a sketched command; `sure` for a question that a read-only command answers."""
        near = self._meant(sketched(text, anew=self.own is None) if self.brief else (), text, letters=True)
        if near is None:
            return None
        asks = text.endswith("?") and len(text.split()) >= _SURE_ANEW
        reads = isinstance(near.command, (History, Players))
        return replace(near, sure=asks and reads and is_of_intent(near.command, text, anew=self.own is None))

    def _only_reads(self, text: str) -> Near | None:
        near = self._meant(asked_to_read(text), text) if self.own is None else None
        return replace(near, sure=isinstance(near.command, HARMLESS)) if near else None

    def _ends_the_match(self, text: str) -> Near | None:
        """Finds a command with a name or a reason: `I give up, this is hopeless`, `Rex, draw? I'm tired`."""
        if self.own is None or len(text.split()) > _LONGEST_REASON:
            return None
        clauses = [each.strip() for each in SENTENCE.split(text) if not is_beside(each)]
        refuses = any(agrees(clause) is False for clause in clauses)  # `a draw? Not yet.`
        for clause in clauses[:MOST_CLAUSES]:
            near = self._meant((*nearly(clause, anew=False), *without_doubts(clause)), clause)
            if near and is_offered(near.command, doubted=refuses, asked="?" in text):
                return near
        return None

    def _among_friendly_words(self, text: str) -> Near | None:
        """Finds the command beside praise and courtesy: `Good game! Same again?`."""
        clauses = [each.strip() for each in SENTENCE.split(text)]
        left = [each for each in clauses if not (is_beside(each) or is_friendly(each))]
        near = self._near(left[0]) if len(left) == 1 < len(clauses) else None
        return None if near is None or isinstance(near.command, (Move, Try)) else near

    def _said(self, text: str) -> Near | None:
        """Finds the command that a sentence plainly states."""
        lines = (*nearly(text, anew=self.own is None), *helps(text))
        near = self._meant(lines, text, letters=True)
        if near is not None and isinstance(near.command, Letters):
            return replace(near, sure=True)
        of_opponent = near is not None and isinstance(
            near.command, Status
        )  # may be a question to the opponent
        few = (self.own is None or text.endswith("?")) and not of_opponent
        enough = _SURE_ANEW if few else _SURE
        if near is None or len(text.split()) < enough or text.endswith(("!", "..")):
            return near
        return replace(near, sure=isinstance(near.command, HARMLESS))

    def _meant(self, lines: Iterable[str], text: str, *, letters: bool = False) -> Near | None:
        """Returns the first line that is a command. `letters`: STOP is allowed."""
        for line in lines:
            command = read_line(line, self.is_move, self.own)
            if command is None or is_never_asked(command, text):
                continue
            if self.own is not None and tells_where(command, text):
                continue
            if (letters or not isinstance(command, Letters)) and self._is_to_move(command):
                return Near(replace(command, line=line.upper() if line.isalpha() else line))
        return None

    def _is_to_move(self, command: Command) -> bool:
        return not isinstance(command, Move) or command.match is not None or self.legal is not None

    def _in_a_sentence(self, text: str) -> Near | None:
        """Finds the command of the only meaningful sentence: "I'm new here. How do I begin?"."""
        sentences = [each.strip() for each in SENTENCE.split(text) if len(each.split()) > 1]
        if "@" in text:  # the address names the opponent
            sentences = [each for each in sentences if "@" in each]
        if self.own is not None:  # most replies are talk
            sentences = [
                each
                for each in sentences
                if (each.endswith("?") or any(wishes(each))) and len(each.split()) >= _SURE
            ]
        parts = [each for each in sentences if each != text][:_MOST_SENTENCES]
        near = [
            self._said(each) or (self._sketched(each) if self.own is not None else None) for each in parts
        ]
        found = {each.command: each for each in near if each}
        if len(found) > 1:  # `Can I join? Call me Zoe`; `The board of 105? I lost the mail`
            shown = any(getattr(each, "match", None) is not None for each in found)
            found = {
                each: near
                for each, near in found.items()
                if not isinstance(each, Help) and not (shown and each == Show())
            }
        if len(found) != 1:
            return None
        [only] = found.values()
        if isinstance(only.command, Offer) and (whole := self._challenged(text)):
            return whole
        if isinstance(only.command, Set):
            said = next(
                part for part, each in zip(parts, near, strict=True) if each and each.command == only.command
            )
            return replace(only, rest=text.replace(said, "").strip())
        if self.own is not None:  # the opponent may have been asked as well
            return replace(only, sure=only.sure and isinstance(only.command, Help), rest=text)
        return replace(only, sure=only.sure and "," not in text)


def _takes_back(text: str) -> bool:
    """Whether a clause says no: `Should I resign? No, not yet.`"""
    return any(agrees(clause) is False for clause in SENTENCE.split(text))
