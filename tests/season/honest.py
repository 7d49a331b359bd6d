"""The honest emails of a season, and what became of each: done, asked about, done wrongly, or lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pbem.inbox.models import Confirmation, InboundMail
from pbem.matches.models import Event, Turn
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.refusals import Code
from tests.season.meaning import RULES, YES_GRAVE, Meaning, is_asked_by_design

if TYPE_CHECKING:
    from tests.season.season import Season

ASKS = {"confirm", "signup", "address"}  # sections that ask, once more or for the first time
UNCLEAR = "P"  # the first character of a verdict: not understood
BEYOND = {Event.Kind.BACK.value, Event.Kind.RESUMED.value}  # whatever somebody writes may bring these
ASKED, AGAIN, LOST, WRONG, LEAKED, UNSAID = (
    "asked about",
    "asked again",
    "lost",
    "done wrongly",
    "words passed on that were for nobody",
    "words that were not passed on",
)


@dataclass(frozen=True)
class Fate:
    """What became of an email. `found` is empty where all is well; `told` what its writer was told, and asked."""

    letter: int
    language: str
    meaning: Meaning
    way: str
    typed: tuple[str, ...]
    verdict: str
    found: frozenset[str]
    by_design: bool
    asks: tuple[str, ...]
    told: str

    @property
    def is_asked(self) -> bool:
        return bool(self.found & {ASKED, AGAIN})


@dataclass
class Sent:
    meaning: Meaning
    language: str
    way: str
    typed: tuple[str, ...]
    possible: bool = True


@dataclass
class Honest:
    """`meant` is what each email meant, by its number; `open` are those that nobody has opened yet."""

    season: Season
    meant: dict[int, Meaning] = field(default_factory=dict)
    open: dict[int, Sent] = field(default_factory=dict)
    typed: dict[int, tuple[str, ...]] = field(default_factory=dict)
    fates: list[Fate] = field(default_factory=list)
    overtaken: list[Fate] = field(default_factory=list)

    def arrived(self, letter: int, sent: Sent) -> None:
        self.meant[letter] = sent.meaning
        if sent.meaning.question:  # its YES brings the words that waited
            asked = Confirmation.objects.get(pk=sent.meaning.question)
            sent = replace(sent, typed=(*sent.typed, *self.typed.get(asked.letter_id, ())))
        self.typed[letter] = sent.typed
        self.open[letter] = sent

    def before(self) -> None:
        """Whether each can still be done, at the moment before one of them is opened."""
        for letter, sent in self.open.items():
            arrived = self.season.notes.arrived[letter]
            sent.possible = RULES[sent.meaning.kind].possible(sent.meaning, arrived)

    def after(self) -> None:
        """Those that have been opened."""
        if not self.open:
            return
        rows = InboundMail.objects.filter(pk__in=self.open).exclude(verdict="").order_by("pk")
        for letter, verdict, reading in rows.values_list("pk", "verdict", "reading"):
            sent = self.open.pop(letter)
            fate = fate_of(letter, sent, verdict, reading)
            judged = sent.possible or WRONG in fate.found
            (self.fates if judged else self.overtaken).append(fate)
            self._note(letter, sent.meaning)

    def _note(self, letter: int, meaning: Meaning) -> None:
        """A move that is asked about counts from when it came, as one in doubt; who has another name writes with it."""
        if meaning.move and Confirmation.objects.filter(letter=letter, has_move=True).exists():
            assert meaning.match is not None
            self.season.notes.held[meaning.match, meaning.ply, meaning.player].append(letter)
        if meaning.kind == YES_GRAVE:
            for person in self.season.people.values():
                person.correspondent.name = Player.objects.get(pk=person.player.pk).name


def fate_of(letter: int, sent: Sent, verdict: str, reading: Mapping[str, object]) -> Fate:
    meaning, rule = sent.meaning, RULES[sent.meaning.kind]
    by_design = is_asked_by_design(meaning, letter)
    told = list(_told(letter, meaning.player))
    found = set()
    asked = Confirmation.objects.filter(letter=letter, adds_address=False)
    if asked.exists() and not by_design:
        found.add(ASKED)
    elif not by_design and (verdict.startswith(UNCLEAR) or _asks_again(meaning, told, verdict)):
        found.add(AGAIN)
    if not found and not rule.done(meaning, letter):
        found.add(LOST)
    events = set(Event.objects.filter(letter=letter).values_list("kind", flat=True))
    if events - rule.events - BEYOND or _agrees_to_another(letter, meaning):
        found.add(WRONG)
    if meaning.move and not found and not _is_the_move(meaning, letter):
        found.add(WRONG)
    found |= set(_of_words(letter, sent, done=not found))
    asks = tuple(" / ".join(each.lines) or each.message for each in asked)
    words = f"{sorted(str(section['kind']) for section in told)} {sorted(events)} {reading}"
    return Fate(
        letter,
        sent.language,
        meaning,
        sent.way,
        sent.typed,
        verdict,
        frozenset(found),
        by_design,
        asks,
        words,
    )


def _agrees_to_another(letter: int, meaning: Meaning) -> bool:
    """Whether it was taken for the YES to a question that it does not answer."""
    arrived = InboundMail.objects.values_list("received_at", flat=True).get(pk=letter)
    agreed = Confirmation.objects.filter(player=meaning.player, used_at=arrived, agreed=True)
    of_now = agreed.exclude(letter=letter).exclude(asked_at__gte=arrived)
    return of_now.exclude(pk=meaning.question or 0).exists()


def _told(letter: int, player: int) -> Iterator[dict[str, object]]:
    """The sections of all answers to it."""
    causes = OutboundMail.objects.filter(cause=f"letter:{letter}") | OutboundMail.objects.filter(
        cause__startswith=f"letter:{letter}:"
    )
    for sections in causes.filter(player=player).values_list("sections", flat=True):
        yield from sections


def _asks_again(meaning: Meaning, told: list[dict[str, object]], verdict: str) -> bool:
    """An answer to a grave question about an address brings one more, to the address itself."""
    kinds = {str(section["kind"]) for section in told}
    return verdict == Code.CONFIRM_NEEDED or bool(kinds & (ASKS - {"address"}))


def _is_the_move(meaning: Meaning, letter: int) -> bool:
    played = Turn.objects.filter(match=meaning.match, ply=meaning.ply).order_by("-pk")
    return played.values_list("move", flat=True).first() == meaning.move


def _of_words(letter: int, sent: Sent, *, done: bool) -> Iterator[str]:
    """What the opponent got to read that was not for them, or not written; and what they did not get to read."""
    said, meaning = list(_said(letter, sent.meaning)), sent.meaning
    typed, whole = _squeezed("\n".join(sent.typed)), _squeezed("\n".join(said))
    lines = [_squeezed(line) for text in said for line in text.splitlines()]
    if any(line not in typed for line in lines) or any(_squeezed(line) in whole for line in meaning.below):
        yield LEAKED
    waits = Confirmation.objects.filter(letter=letter).exists()
    if done and not waits and any(_squeezed(line) not in whole for line in meaning.words):
        yield UNSAID


def _said(letter: int, meaning: Meaning) -> Iterator[str]:
    for text in Event.objects.filter(letter=letter, kind="said").values_list("facts__text", flat=True):
        yield str(text)
    for facts in Event.objects.filter(letter=letter, kind="moved").values_list("facts", "match", "ply"):
        yield from Turn.objects.filter(
            match=facts[1], ply__gte=facts[0].get("first", 0), ply__lt=facts[2], undone_by=None
        ).values_list("message", flat=True)


def _squeezed(text: str) -> str:
    return " ".join(text.split())
