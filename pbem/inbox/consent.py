"""The consent policy: which answer a question needs, by what its YES does and whether the request was vouched
for.

`TABLE` is the policy, and `read` applies it; nothing else decides what a YES is. Insufficient answers are
asked again. A sentence is only consent to an invitation, a rematch or an unrated challenge (`is_natural`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, partial
from itertools import takewhile

from django.conf import settings

from pbem.inbox.commands.command import (
    AddAddress,
    Command,
    MakeToken,
    RemoveAddress,
    Set,
    SetAddress,
    SetName,
    Stop,
)
from pbem.inbox.commands.line import LONGEST_LINE
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Accept, Claim, Draw, Leave, Resign
from pbem.inbox.commands.signed import unsigned
from pbem.inbox.commands.topics import TOPIC_OF
from pbem.inbox.commands.verbs import ADDRESSING_US, CONFIRMING, REFUSING, SALUTATIONS, VERBS_OF, verb_of
from pbem.inbox.models import OK, Confirmation, InboundMail
from pbem.intents import TALK, answers, guesses, has_intent
from pbem.mail.authentication.policy import VOUCHED
from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.matches.models import Seat
from pbem.players.models import Player
from pbem.wording import fold, wording

_WORDS, _ACCOUNT = wording("pbem.inbox.commands"), wording("pbem.inbox.commands.account")
_OWN = wording(__package__)
_OPENS_TALK = {"ok"}
_PLAIN_YES = {fold(words[0]) for words in _WORDS.each("confirming").values()}
YES, NO = CONFIRMING, REFUSING
_AGREES = _OWN.words("agrees") | _WORDS.words("contrary")  # not in a NO
_HOLDS = _WORDS.words("leading_answers", "denying") | _WORDS.words("conditions")
_TAKES_BACK = _OWN.words("takes_back")
_COURTESY = _OWN.words("beside")
_GREETS = _WORDS.words("hailing") | SALUTATIONS | _OWN.words("greets")
_SIGNS = re.compile(r"[\s.!,:;/*+_'\"“”‘’«»‹›()\[\]<>`–—-]*")  # punctuation around a word
_WORD = re.compile(r"[^\W_]+['’`]?")
_CALLED = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*+\d{0,3}")
_AROUND = " .,!:;-*_'\"()"
_FACES = re.compile(r"[:;=]-?[)D](?!\w)|[👍👌🙂😊☺😀😃😄😉✅]\ufe0f?")
_DEEDS = ("RESIGN", "DRAW", "CLAIM", "LEAVE", "STOP", "NAME", "ADDRESS", "PROGRAM", "TOKEN")
_SENTENCE = re.compile(r"(?<=[.!?;…])\s+|\n+")
_MOST_GREETED = 6  # words of a greeting line
_LONGEST = 80  # characters of the YES line
_MOST_LINES = 60
_FEWEST, _SENTENCE_BELOW = 3, 5  # words of a sentence, and of one in a signature, which may hold titles
_MOST_EARLIER = 3  # letters of a player that are searched for the signature
NATURALLY = 0.93  # least probability of ACCEPT
_AGAINST = 0.6  # least probability of DECLINE and REPORT together
_SHORTEST = 4  # letters of a sentence that accepts


class Stake(Enum):
    """The effect of a YES, in rising order."""

    READS = auto()  # shows something
    SIGNS_UP = auto()
    CHANGES = auto()  # plays, offers, accepts, changes a match or a setting
    GRAVE = auto()  # ends or gives away a match, stops all letters, renames, or delegates to a program
    ADDRESS = auto()  # changes the addresses that are believed


@dataclass(frozen=True)
class Rule:
    """A cell of the table. `named`: YES needs the word for its effect. `alone`: only a signature may follow.

    `may_name`: YES may be followed by a name for the player.
    """

    named: bool = False
    alone: bool = False
    may_name: bool = False


TABLE: Mapping[tuple[Stake, bool], Rule] = {
    # stake, and whether the request was vouched for
    (Stake.READS, True): Rule(),
    (Stake.READS, False): Rule(alone=True),
    (Stake.SIGNS_UP, True): Rule(may_name=True),
    (Stake.SIGNS_UP, False): Rule(may_name=True),
    (Stake.CHANGES, True): Rule(),
    (Stake.CHANGES, False): Rule(alone=True),
    (Stake.GRAVE, True): Rule(named=True),
    (Stake.GRAVE, False): Rule(named=True, alone=True),
    (Stake.ADDRESS, True): Rule(named=True),
    (Stake.ADDRESS, False): Rule(named=True, alone=True),
}


@dataclass(frozen=True)
class PendingQuestion:
    """What an answer is for: a confirmation, an offer, an invitation, a sign-up, or a letter that asks. `deeds`: the
    grave effects that a YES has to name. `match`, `exact`: a number, and lines, that may stand beside or below it."""

    stake: Stake
    vouched: bool
    deeds: tuple[str, ...] = ()
    match: int | None = None
    names: tuple[str, ...] = ()  # of the sender, for the signature
    exact: Collection[str] = ()
    signs: Callable[[Sequence[str]], bool] = lambda lines: False  # whether these lines are a known signature

    @property
    def rule(self) -> Rule:
        return TABLE[self.stake, self.vouched]


@dataclass(frozen=True)
class Answer:
    """`agreed`: None when it is neither a sufficient YES nor a NO. `name`: the name it gives, or "".
    `beside`: the other lines."""

    agreed: bool | None = None
    name: str = ""
    beside: tuple[str, ...] = ()


def read(lines: Sequence[str], asked: PendingQuestion, below: Sequence[str] = ()) -> Answer:
    """Reads the new text of a letter as an answer. `below` is its signature, which can only revoke a YES."""
    at = next((number for number, line in enumerate(lines) if not _only_greets(line)), len(lines))
    if at == len(lines):
        return Answer()
    said, taken = _said(lines[at : at + _MOST_LINES], asked)
    beside = _beside(lines[at:], taken, asked)
    rest = tuple(line for line in beside if not _only_courteous(line))
    if said is None:
        if not _refuses(lines[at]) or _has_yes(rest):
            return Answer(beside=tuple(lines))
        plain = _words_in([_level(lines[at])]) <= NO | _COURTESY | _GREETS
        return Answer(agreed=False, beside=beside if plain else (lines[at], *beside))
    fits, called = _fits(said, asked)
    if not fits or _breaks_off(lines[at], rest) or not _goes_with_yes(rest, below, asked):
        return Answer(beside=beside)
    return Answer(True, called, beside)


def first_yes(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines that say YES at the start, with courtesies or an effect's word. Empty when there are none."""
    written = [line for line in lines if not _only_greets(line)][:2]
    words = frozenset().union(*map(_words_of, _DEEDS))
    for many in range(1, len(written) + 1):
        yes = _yes_in(" ".join(written[:many]))
        if yes and {fold(word) for word in yes.beside if not word.isdecimal()} <= words:
            return tuple(line.strip() for line in written[:many])
    return ()


def is_natural(lines: Sequence[str]) -> bool:
    """Whether a sentence without YES accepts an invitation, a rematch or an unrated challenge."""
    text = "\n".join(filter(str.strip, lines))
    plain = not _words_in([text]).isdisjoint(_PLAIN_YES | NO | _TAKES_BACK)
    if len(text) < _SHORTEST or "?" in text or plain:
        return False
    first = next(iter(answers(text)), None)
    accepts = first is not None and first.intent == "ACCEPT" and first.probability >= NATURALLY
    return accepts and not speaks_against(lines)


def speaks_against(lines: Iterable[str]) -> bool:
    """Whether a sentence probably declines, denies, reports, or asks for a person."""
    return any(map(_is_against, _sentences(lines)))


def _sentences(lines: Iterable[str]) -> list[str]:
    """The whole text, and each of its sentences that is longer than an abbreviation."""
    text = "\n".join(filter(str.strip, lines))
    parts = [each for each in _SENTENCE.split(text) if len(each.split()) >= _FEWEST]
    return list(dict.fromkeys((text, *parts))) if text else []


def _is_against(text: str) -> bool:
    found = {guess.intent: guess.probability for guess in answers(text)}
    against = found.get("DECLINE", 0) + found.get("REPORT", 0)
    reports = any(guess.intent in ("REPORT", "HUMAN") for guess in guesses(text)[:1])
    return reports or against >= _AGAINST


def question(asked: Confirmation, *names: str, exact: Collection[str] = ()) -> PendingQuestion:
    """What an answer to this row is for. `names` are the sender's; `exact` are command and move lines."""
    names = (asked.player.name, *names) if asked.player else names
    if asked.player is None:
        return PendingQuestion(Stake.SIGNS_UP, vouched=True, names=names, exact=exact)
    if asked.adds_address:  # asked of the new mailbox; only the old one could vouch
        return PendingQuestion(Stake.CHANGES, vouched=False, names=names)
    return of_commands(
        [each for line in asked.lines if (each := read_alone(line))],
        asked.player,
        asked.match_id,
        vouched=asked.vouched,
        names=names,
        exact=exact,
    )


def words_to_write(asked: Confirmation) -> list[str]:
    """The words that YES needs beside it, in the language of the question."""
    deeds = question(asked).deeds if asked.player and not asked.adds_address else ()
    return [word_for(deed, asked.language) for deed in deeds]


def word_for(deed: str, language: str) -> str:
    """The word for an effect, as letters write it beside YES."""
    return _spoken(deed)[language][0].upper()


def of_commands(
    commands: Sequence[Command],
    player: Player,
    match: int | None,
    *,
    vouched: bool,
    names: tuple[str, ...] = (),
    exact: Collection[str] = (),
) -> PendingQuestion:
    """What a YES to these commands is for. `match` applies to commands that name none."""
    deeds = [_deed(command, player, match) for command in commands]
    stakes = list(map(_stake, commands, deeds))
    return PendingQuestion(
        max(stakes, key=lambda each: each.value, default=Stake.CHANGES),
        vouched,
        tuple(dict.fromkeys(filter(None, deeds))),
        match,
        names,
        exact,
        partial(_is_known_signature, player),
    )


def _stake(command: Command, deed: str) -> Stake:
    if isinstance(command, (SetAddress, AddAddress, RemoveAddress)):
        return Stake.ADDRESS
    return Stake.GRAVE if deed else Stake.READS if command.reading else Stake.CHANGES


def _deed(command: Command, player: Player, number: int | None) -> str:
    """The English word that a YES to a grave command has to name. Empty for other commands."""
    match command:
        case Accept() | Draw() if _draw_is_offered(player, command.match or number):
            return "DRAW"
        case Resign() | Claim() | Leave() | MakeToken() | Stop(sort=None):
            return verb_of(command)
        case SetName():
            return "NAME"
        case SetAddress() | AddAddress() | RemoveAddress():
            return "ADDRESS"
        case Set() if any(column == "program" for column, _ in command.wishes):
            return "PROGRAM"
    return ""


@cache
def _words_of(deed: str) -> frozenset[str]:
    return frozenset(fold(word) for words in _spoken(deed).values() for word in words)


@cache
def _spoken(deed: str) -> Mapping[str, Sequence[str]]:
    """The words for an effect by language, the one in our letters first."""
    match deed:
        case "NAME" | "ADDRESS":
            return _ACCOUNT.each(deed.lower())
        case "ERASE":
            return _OWN.each("erase")
        case "PROGRAM":
            return TOPIC_OF["robot"].words
    verb = VERBS_OF[fold(deed)][0]
    return {language: phrase.words for language, phrase in verb.phrases.items()}


def _draw_is_offered(player: Player, match: int | None) -> bool:
    seat = Seat.objects.select_related("match").filter(match=match, player=player).first()
    return seat is not None and seat.match.draw_offered_by == seat.opponent.side


def _is_known_signature(player: Player, lines: Sequence[str]) -> bool:
    """Whether these lines end earlier letters that surely are the player's."""
    block = [line.strip() for line in lines if line.strip()]
    earlier = InboundMail.objects.filter(
        player=player, verdict=OK, reading__decision__in=[each.name for each in VOUCHED]
    )
    return any(_ends_with(row, block) for row in earlier.exclude(raw=b"").order_by("-pk")[:_MOST_EARLIER])


def _ends_with(row: InboundMail, block: Sequence[str]) -> bool:
    mail = ParsedMail(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
    said = [line.strip() for line in read_letter(mail.inside or mail).lines if line.strip()]
    return len(said) > len(block) and said[-len(block) :] == list(block)


@dataclass(frozen=True)
class _Yes:
    """The only YES of a line, the words `beside` it without courtesies, and the text `behind` it."""

    word: str
    beside: tuple[str, ...]
    behind: str


def _said(lines: Sequence[str], asked: PendingQuestion) -> tuple[_Yes | None, int]:
    """The YES of the first line, and how many lines it takes: an effect's word may stand on the next."""
    after = next((number for number, line in enumerate(lines) if number and line.strip()), 0)
    if asked.deeds and after:
        words, known = {fold(word) for word in _WORD.findall(lines[after])}, map(_words_of, asked.deeds)
        if words and words <= YES.union(*known) and (yes := _yes_in(f"{lines[0]} {lines[after]}")):
            return yes, after + 1
    return _yes_in(lines[0]), 1


def _yes_in(line: str) -> _Yes | None:
    """None when there is no YES, or the line asks, or says more."""
    text = _level(line)
    if (
        len(text) > _LONGEST
        or not _SIGNS.fullmatch(_WORD.sub("", text))
        or ".." in text
        or not _balanced(text)
    ):
        return None
    written = list(_WORD.finditer(text))
    said = [found for found in written if fold(found[0]) not in _COURTESY - YES]
    while said and fold(said[0][0]) in _GREETS - YES:
        said = said[1:]
    words = [fold(found[0]) for found in said]
    yes = [number for number, word in enumerate(words) if word in YES]
    if len(yes) != 1 or yes[0] not in (0, len(words) - 1) or not NO.isdisjoint(words):
        return None
    [at] = yes
    if words[at] in _OPENS_TALK and len(written) > 1:
        return None
    others = tuple(found[0] for found in said if fold(found[0]) not in YES)
    return _Yes(words[at], others, text[said[at].end() : max(said[at].end(), said[-1].end())])


def _breaks_off(line: str, rest: Sequence[str]) -> bool:
    """Whether the line goes on in the next, as `Yes-` and `Yes,` do."""
    last = _level(line)[-1:]
    return last in "-–—" or (bool(rest) and last in ",:;")


def _level(line: str) -> str:
    text = unicodedata.normalize("NFKC", line[:LONGEST_LINE].replace("´", "'"))
    return _FACES.sub(" ", text).strip()


def _balanced(text: str) -> bool:
    return all(text.count(opens) == text.count(closes) for opens, closes in ("()", "[]", "“”", "«»"))


def _fits(yes: _Yes, asked: PendingQuestion) -> tuple[bool, str]:
    """Whether the YES is sufficient and says no more; the name that it gives."""
    rule = asked.rule
    if yes.word in _OPENS_TALK and not asked.vouched:
        return False, ""
    others = [word for word in yes.beside if not (word.isdecimal() and int(word) == asked.match)]
    if rule.may_name and others:
        return _may_be_called(yes.behind, asked), yes.behind.strip(_AROUND)
    words = {fold(word) for word in others}
    every = all(not _words_of(deed).isdisjoint(words) for deed in asked.deeds)
    only = words <= frozenset().union(*map(_words_of, asked.deeds))
    return only and ((bool(asked.deeds) and every) if rule.named else True), ""


def _may_be_called(behind: str, asked: PendingQuestion) -> bool:
    """Whether a name follows YES: `YES Dora`, or the mailbox's name `yes, dora`, but not `Yes, Minister`."""
    name = behind.strip(_AROUND)
    if not _CALLED.fullmatch(name):
        return False
    own = {fold(each) for known in asked.names for each in (known, *_WORD.findall(known))}
    plainly = not behind.lstrip().startswith(tuple(",;:-")) and not name.islower() and not name.isupper()
    return fold(name) in own or (plainly and fold(name) not in _HOLDS) or name[-1].isdigit()


def _beside(lines: Sequence[str], taken: int, asked: PendingQuestion) -> tuple[str, ...]:
    """The lines after the `taken` ones, without the signature."""
    left = unsigned(lines[:_MOST_LINES], asked.names)[taken:]
    said = tuple(line for line in left if line.strip())
    return () if said and asked.signs(left) else said


def _only_greets(line: str) -> bool:
    words = [fold(word) for word in _WORD.findall(_level(line))]
    if not words:
        return True
    held = "?" in line or not _HOLDS.isdisjoint(words) or not (YES | NO).isdisjoint(words)
    return words[0] in _GREETS and len(words) <= _MOST_GREETED and not held


def _only_courteous(line: str) -> bool:
    return "?" not in line and _words_in([_level(line)]) <= _COURTESY | _GREETS | ADDRESSING_US


def _goes_with_yes(rest: Sequence[str], below: Sequence[str], asked: PendingQuestion) -> bool:
    """Whether the text below a YES leaves it valid: commands, moves, and text that takes nothing back."""
    if rest and asked.rule.alone:
        return False
    added = [line for line in below[:_MOST_LINES] if len(line.split()) >= _SENTENCE_BELOW]
    words = [line for line in rest if line.strip() not in asked.exact]
    unsaid = _words_in(words).isdisjoint(_TAKES_BACK) and _words_in(added).isdisjoint(NO)
    return unsaid and not (
        _asks_us(words) or _has_yes(words) or speaks_against(words) or speaks_against(added)
    )


def _asks_us(lines: Iterable[str]) -> bool:
    """Whether a question among the lines is not small talk."""
    asked = [text for text in _SENTENCE.split("\n".join(lines)) if "?" in text]
    return any(len(text.split()) < _FEWEST or not has_intent(TALK, text) for text in asked)


def _words_in(lines: Iterable[str]) -> set[str]:
    return {fold(word) for line in lines for word in _WORD.findall(line)}


def _has_yes(lines: Iterable[str]) -> bool:
    """Whether a line begins with YES or NO."""
    return any(fold(word) in YES | NO for line in lines for word in _WORD.findall(line)[:1])


def _refuses(line: str) -> bool:
    """Whether the first clause is NO, and no YES follows."""
    text = _level(line)
    said = list(_WORD.finditer(text))
    while said and fold(said[0][0]) in (_GREETS | _COURTESY) - NO:
        said = said[1:]
    if not said or fold(said[0][0]) not in NO or "?" in line:
        return False
    words = {fold(found[0]) for found in said}
    begun = takewhile(lambda found: fold(found[0]) in NO | _COURTESY, said)
    ends = any(text[found.end() :].lstrip()[:1] in ("", *".,!:;-–—") for found in begun)
    return words.isdisjoint((YES - _OPENS_TALK) | _AGREES) and (ends or words <= NO | _COURTESY)
