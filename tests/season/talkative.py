"""People who talk: beside their moves, above and below what they quote, in every mail program, and who say YES in
twelve ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from functools import partial
from html import escape
from random import Random

from pbem.inbox.models import Confirmation
from pbem.inbox.resolver import answer_address
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.wording import fold
from tests.mail_fixtures import Delivery
from tests.programs import PROGRAMS, Way
from tests.programs.program import BETWEEN, BOTTOM, TOP
from tests.season import chat, meaning
from tests.season.acting import LATEST_YES, Acting, Handing
from tests.season.consent import a_yes, wanted
from tests.season.honest import Honest, Sent
from tests.season.meaning import Meaning
from tests.season.people import Person
from tests.season.plan import DAY, HOUR

# Of all emails.
GREETS, ABOVE, BELOW, CLOSES, SIGNS, PHONE, NOTICE = 0.3, 0.35, 0.6, 0.25, 0.35, 0.08, 0.08
BOTTOM_POSTS, INTERLEAVES, ONLY_PAGE, NEW_PAGE = 0.2, 0.12, 0.15, 0.3
# Beside a move, in both languages; and alone, in answer to the receipt of one.
BESIDE = (
    (0.04, "DRAW", "PATTA"),
    (0.02, "PAUSE 2 DAYS", "PAUSA 2 GIORNI"),
    (0.02, "GIVE 1 DAYS", "CONCEDO 1 GIORNI"),
)
ALONE = ((0.03, "DRAW", "PATTA"), (0.03, "UNDO", "ANNULLA"), (0.02, "PAUSE 2 DAYS", "PAUSA 2 GIORNI"))
REMATCHES = 0.1  # of all results
# What is written to us, what a player has afterwards, or which letter answers it.
Line = tuple[str, str, str, object]
SETTINGS: Sequence[Line] = (
    ("SET THEME dark", "IMPOSTA TEMA scuro", "theme", "dark"),
    ("SET LISTED yes", "IMPOSTA ELENCO sì", "listed", True),
    ("SET SIZE small", "IMPOSTA GRANDEZZA piccola", "picture_size", Player.PictureSize.SMALL),
    ("STOP NEWS", "BASTA NOTIZIE", "news", False),
)
REQUESTS: Sequence[Line] = (
    ("GAMES", "PARTITE", "letter", "games"),
    ("CLOCK", "OROLOGIO", "letter", "clock"),
    ("HELP loa", "AIUTO loa", "letter", "help"),
    ("PLAYERS", "GIOCATORI", "letter", "players"),
)
WRITTEN = {
    "CHALLENGE": meaning.CHALLENGE,
    "SFIDA": meaning.CHALLENGE,
    "SET": meaning.SETTING,
    "IMPOSTA": meaning.SETTING,
}
SIGNED = 3  # lines: a YES with more has a name below it
WROTE = 4  # emails of settings and requests, for each person


@dataclass
class Talkative(Acting):
    honest: Honest = field(init=False)
    boards: dict[tuple[str, int], Delivery] = field(default_factory=dict)  # the newest that is to be answered
    drawn: Counter[str] = field(default_factory=Counter)  # how many emails each has written

    def __post_init__(self) -> None:
        self.honest = Honest(self.season)

    def plan_life(self, person: Person) -> None:
        """When they write to us: settings and requests, one grave wish each, and in the end some want no letters."""
        season, rng = self.season, self._rng(person)
        length = season.end - season.begin
        for each in rng.sample((*SETTINGS, *REQUESTS), WROTE):
            season.at(season.begin + rng.uniform(0.05, 0.9) * length, partial(self._wish, person, each))
        moment = season.begin + rng.uniform(0.1, 0.8) * length
        if rng.random() < 0.5:
            season.at(moment, partial(self._rename, person))
        else:
            season.at(moment, partial(self._add_address, person))
        if rng.random() < 0.5:
            season.at(season.begin + 0.97 * length, partial(self._stop, person))

    def before_opening(self) -> None:
        self.honest.before()

    def after_opening(self) -> None:
        self.honest.after()

    # What they write to us.

    def write(self, person: Person, line: str) -> None:
        """A challenge, a night, or what they play."""
        verb, *words = line.split()
        kind = WRITTEN.get(verb, meaning.READING)
        setting: tuple[str, object] = ("letter", "games")
        if kind == meaning.SETTING:
            setting = "night_begins", time(int(words[1].partition("-")[0]))
        self._tell(person, Meaning(kind, (line,), person.player.pk, setting=setting))

    def announce(self, person: Person, gone: datetime, back: datetime) -> None:
        days = (gone, back - DAY)
        line = person.says(
            "AWAY {:%Y-%m-%d} TO {:%Y-%m-%d}".format(*days),
            "ASSENTE {:%Y-%m-%d} AL {:%Y-%m-%d}".format(*days),
        )
        said = Meaning(meaning.SETTING, (line,), person.player.pk, setting=("absent", days[0].date()))
        self._tell(person, said, lambda arrived: self.season.watch.announced(person, days, arrived))

    def _wish(self, person: Person, wish: Line) -> None:
        english, italian, column, value = wish
        kind = meaning.READING if column == "letter" else meaning.SETTING
        line = person.says(english, italian)
        self._tell(person, Meaning(kind, (line,), person.player.pk, setting=(column, value)))

    def _rename(self, person: Person) -> None:
        name = person.correspondent.name.replace("Player", person.says("Friend", "Amico"))
        line = person.says(f"SET NAME {name}", f"IMPOSTA NOME {name}")
        said = Meaning(meaning.SETTING, (line,), person.player.pk, grave=True, setting=("name", name))
        self._tell(person, said)

    def _add_address(self, person: Person) -> None:
        second = f"second.{person.email}"
        self.season.people[second] = person
        line = person.says(f"ADD ADDRESS {second}", f"AGGIUNGI INDIRIZZO {second}")
        self._tell(person, Meaning(meaning.SETTING, (line,), person.player.pk, grave=True))

    def _stop(self, person: Person) -> None:
        """Those who play no more."""
        if Match.objects.of(person.player).filter(status__in=("playing", "proposed")).exists():
            return
        line = person.says("STOP ALL", "BASTA TUTTO")
        said = Meaning(meaning.SETTING, (line,), person.player.pk, grave=True, setting=("silent", True))
        self._tell(person, said)

    def _tell(self, person: Person, said: Meaning, handed: Handing | None = None) -> None:
        if person.has_vanished(self.season.post.now):
            return
        rng = self._rng(person)
        greeting = [rng.choice(chat.TO_US[person.language]), ""] if rng.random() < GREETS else []
        below = self._below(person, rng, phone=True)
        typed = [*greeting, *said.lines, *below]
        page = rng.random() < NEW_PAGE
        said = replace(said, below=_unsaid(below))
        self._register(person, said, "a new page" if page else "a new email", handed, typed)
        if page:
            lines = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in typed)
            person.correspondent.writes(f"<html><body>{lines}</body></html>", subtype="html")
        else:
            person.correspondent.writes("\n".join(typed))

    # What they answer.

    def _read(self, person: Person, letter: Delivery, row: OutboundMail) -> None:
        kinds = {section["kind"] for section in row.sections}
        if kinds & {"confirm", "address"}:
            self._answer_question(person, letter)
            return
        match = row.match
        if match is not None:
            if match.ply == row.ply:
                self.boards[person.email, match.pk] = letter
            if "played" in kinds and row.ply == match.ply:
                self._ask_opponent(person, letter, match)
            if "result" in kinds and self._rng(person).random() < REMATCHES:
                said = Meaning(
                    meaning.REMATCH, (person.says("REMATCH", "RIVINCITA"),), person.player.pk, match.pk
                )
                self._later(person, lambda: self._answers(person, letter, said))
        super()._read(person, letter, row)

    def _ask_opponent(self, person: Person, letter: Delivery, match: Match) -> None:
        rng, ply = self._rng(person), match.ply
        for share, *lines in ALONE:
            if rng.random() < share:
                said = Meaning(meaning.OFFER, (person.says(*lines),), person.player.pk, match.pk, ply=ply)
                self._later(person, partial(self._answers, person, letter, said))
                return

    def _answer(self, person: Person, letter: Delivery, kind: str) -> None:
        """A challenge, an offer, or time that is over."""
        if kind == "overstepped":
            super()._answer(person, letter, kind)
            return
        row = OutboundMail.objects.get(message_id=str(letter.message["Message-ID"]))
        offers = {"challenge": meaning.YES_CHALLENGE, "offer": meaning.YES_DRAW, "asks": meaning.YES_OFFER}
        said = Meaning(offers[kind], (), person.player.pk, row.match_id)
        self._later(person, lambda: self._agree(person, letter, said))

    def _answer_question(self, person: Person, letter: Delivery) -> None:
        asked = question(person, letter)
        if asked is None or asked.letter_id in self.ignored:
            return
        about = self.honest.meant.get(asked.letter_id)
        meant = about is None or asked.doubted or _is_meant(asked, about)
        player, at_least = person.player.pk, None
        if asked.letter_id in self.sly:
            at_least = LATEST_YES * self.season.rng.random()
        if meant:
            grave = about is not None and about.grave
            kind = meaning.YES_GRAVE if grave else meaning.YES_QUESTION
            said = Meaning(kind, (), player, asked.match_id, question=asked.pk)
            self._later(person, lambda: self._agree(person, letter, said, asked.letter_id), at_least)
        else:
            said = Meaning(meaning.NO_QUESTION, ("NO",), player, asked.match_id, question=asked.pk)
            self._later(person, lambda: self._decline(person, letter, said))

    def _agree(self, person: Person, letter: Delivery, said: Meaning, about: int | None = None) -> None:
        rng = self._rng(person)
        way, lines = a_yes(
            wanted(letter.text), person.language, chat.signature(person.language, 0, rng)[0], rng
        )
        self.season.post.about = about
        self._answers(person, letter, replace(said, lines=lines), way=f"yes {way + 1}", rng=rng)

    def _decline(self, person: Person, letter: Delivery, said: Meaning) -> None:
        """The question was not what they meant; a move of theirs they write once more, alone."""
        self._answers(person, letter, said)
        board = self.boards.get((person.email, said.match)) if said.match else None
        if board is not None and said.match is not None:
            match = Match.objects.get(pk=said.match)
            thought = (person.email, match.pk, match.ply)
            if thought not in self.thinking and match.to_move is not None:
                self.thinking.add(thought)
                read = self.season.post.now
                self.season.at(read + HOUR, lambda: self._move(person, board, match.pk, thought, read))

    def _resign(self, person: Person, letter: Delivery, match: Match) -> None:
        line = person.says("RESIGN", "ABBANDONO")
        letter = self.boards.get((person.email, match.pk), letter)
        self._answers(
            person, letter, Meaning(meaning.RESIGN, (line,), person.player.pk, match.pk, grave=True)
        )

    def _play(self, person: Person, letter: Delivery, match: Match, handed: Handing) -> str:
        rng, notation, position = self.season.rng, person.player.notation, match.current()
        move = position.sample(rng)
        written = str(match.game.write(position, move, notation))
        lines, kind, goes_on = [written], meaning.MOVE, position.play(move).outcome() is None
        for share, *beside in BESIDE:
            if kind == meaning.MOVE and rng.random() < share and goes_on:
                lines.append(person.says(*beside))
                kind = meaning.MOVE_AND_OFFER
        said = Meaning(
            kind,
            tuple(lines),
            person.player.pk,
            match.pk,
            move=str(move),
            ply=match.ply,
            position=match.position,
        )
        board = self.boards.get((person.email, match.pk), letter)
        self._answers(person, board, said, handed=handed)
        return written

    def _answers(
        self,
        person: Person,
        letter: Delivery,
        said: Meaning,
        *,
        way: str = "",
        rng: Random | None = None,
        handed: Handing | None = None,
    ) -> None:
        """As one of the mail programs writes it, with all that this person puts beside it."""
        rng = rng or self._rng(person)
        program, style, only_page = _way(rng, between=said.kind in meaning.MOVING)
        signed = len(said.lines) > SIGNED  # by its YES
        words = ([], []) if signed else self._words_beside(person, said, style, rng)
        below = [] if signed else self._below(person, rng, phone=program.above is None)
        typed = [*words[0], *said.lines, *([""] if words[1] else []), *words[1], *below]
        passed = tuple(line for part in words for line in part if line in chat.SAID)
        said = replace(
            said, words=passed, below=(*_unsaid(below), *filter(None, program.below(person.language)))
        )
        called = " ".join(filter(None, (program.name, style, "page alone" * only_page, way)))
        self._register(person, said, called, handed, typed)
        writer = replace(person.correspondent, email=letter.to)
        writer.answers_with((program, style, only_page), letter, "\n".join(typed))

    def _words_beside(
        self, person: Person, said: Meaning, style: str, rng: Random
    ) -> tuple[list[str], list[str]]:
        """Above the lines for us, and below them."""
        language = person.language
        if said.kind == meaning.RESIGN:
            return [], [rng.choice(chat.FAREWELL[language])] if rng.random() < BELOW else []
        if said.kind not in meaning.TALKS:
            return [], []
        above: list[str] = []
        if style != BETWEEN and said.kind != meaning.YES_CHALLENGE and said.match and rng.random() < GREETS:
            above += [rng.choice(chat.GREETINGS[language]).format(self._opponent(person, said.match)), ""]
        if said.kind in meaning.MOVING and rng.random() < ABOVE:
            above += [rng.choice(chat.ABOVE[language]), ""]
        below: list[str] = []
        if rng.random() < BELOW:
            for line in rng.sample(chat.BELOW[language], rng.choice((1, 1, 2, 3))):
                below += [line] if rng.random() < 0.6 else [line, ""]
        return above, below

    def _below(self, person: Person, rng: Random, *, phone: bool) -> list[str]:
        """A name without any mark above it, a telephone's line, a legal notice."""
        language, lines = person.language, list[str]()
        if rng.random() < SIGNS:
            closing = [rng.choice(chat.CLOSINGS[language])] if rng.random() < CLOSES else []
            lines += ["", *closing, *chat.signature(language, person.player.pk, rng)]
        if rng.random() < NOTICE:
            lines += ["", rng.choice(chat.NOTICE[language])]
        if phone and rng.random() < PHONE:
            lines += ["", rng.choice(chat.PHONE_LINE[language])]
        return lines

    def _opponent(self, person: Person, match: int) -> str:
        seats = Match.objects.get(pk=match).seated
        return next(seat.player.name for seat in seats if seat.player_id != person.player.pk)

    def _register(
        self, person: Person, said: Meaning, way: str, handed: Handing | None, typed: Sequence[str]
    ) -> None:
        sent = Sent(said, person.language, way, tuple(typed))

        def arrived(letter: int, moment: datetime) -> None:
            self.honest.arrived(letter, sent)
            if handed:
                handed(moment)

        self.season.post.then = arrived

    def _rng(self, person: Person) -> Random:
        """What they put beside an email follows from the seed, and from nothing that the service does."""
        self.drawn[person.email] += 1
        return Random(f"{self.season.plan.seed} {person.email} {self.drawn[person.email]}")


def question(person: Person, letter: Delivery) -> Confirmation | None:
    """The one that this letter asks."""
    asked = Confirmation.objects.filter(player=person.player, used_at__isnull=True).order_by("-pk")[:20]
    return next((each for each in asked if answer_address(each) == letter.reply_to), None)


def _unsaid(below: Sequence[str]) -> tuple[str, ...]:
    """What of it is for nobody."""
    return tuple(line for line in below if line in chat.UNSAID)


def _is_meant(asked: Confirmation, about: Meaning) -> bool:
    """Whether the question reads them as they meant it; of a YES it says in other words what it does."""
    if about.kind in meaning.AGREES:
        return True
    written = {fold(line) for line in about.lines}
    return all(fold(line) in written for line in asked.lines)


def _way(rng: Random, *, between: bool) -> Way:
    program = rng.choice(PROGRAMS)
    drawn, styles = rng.random(), program.styles
    style = TOP
    if drawn < BOTTOM_POSTS and BOTTOM in styles:
        style = BOTTOM
    elif drawn < BOTTOM_POSTS + INTERLEAVES and BETWEEN in styles and between:
        style = BETWEEN
    return program, style, program.page is not None and rng.random() < ONLY_PAGE
