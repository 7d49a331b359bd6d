"""One line: a command if the whole line fits a verb's grammar or is a move, otherwise talk."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from games.registry import games
from pbem.inbox.commands.command import (
    Accept,
    AddAddress,
    Addresses,
    AnyCommand,
    Challenge,
    Command,
    Decline,
    Draw,
    Games,
    Help,
    Letters,
    Move,
    Register,
    RemoveAddress,
    Resign,
    Say,
    SetAddress,
    Show,
    Start,
    Stop,
)
from pbem.inbox.commands.words import ADDRESS, AT, COMMAND_OF, SORT_OF, fold

IsMove = Callable[[str, int | None], bool]

LONGEST_LINE = 400
_LONGEST_MOVE = 200
_MARK = re.compile(r"(?:[-*•·–—]\s+|[0-9]{1,2}[.)]\s*)(?=\S)")
_NUMBER = r"(?:\[([0-9]{1,9})\]|#?([0-9]{1,9}))(:)?(?:\s+|\.?$)"
_LEADING = re.compile(_NUMBER)
_VERB = re.compile(r"([^\W\d_]+['’`´]?)(\s?:|[.!](?=$))?(?:\s+(.*)|$)")
_PLY = re.compile(r"\s*#\s*([0-9]{1,4})$")
_NAME = re.compile(r"\w[\w.'’-]{0,39}")
_WHO = re.compile(r"\w[\w.+'’-]{0,63}(?:@[\w.-]{1,190}\w)?")
_EMAIL = re.compile(r"[^\s@<>\"(),:;\\]{1,64}@[\w.-]{1,180}\.\w{2,63}")
_OPTION = re.compile(r"\S{0,79}[^\s,;:!?…]")
_SETUP = re.compile(r"\s(?:--?)?(?:set-?up|disposizione)=", re.IGNORECASE)
_LINKIFIED = re.compile(r"\s?<mailto:[^>]*>", re.IGNORECASE)
# What phones and word processors put for the signs of a notation.
_SIGNS = str.maketrans("‐‑‒–—−×’‘“”", "------x''\"\"")


@dataclass(frozen=True)
class Spoken:
    """A line that begins with a verb, `word`. `match` is a number before it, `rest` what follows it.

    `clear`: in capitals or with a colon, as nobody begins a sentence; only then may free text follow.
    `exclaimed`, `marked`: with an exclamation mark; in a list, where a YES answers something else.
    """

    word: str
    match: int | None
    clear: bool
    exclaimed: bool
    marked: bool
    rest: str
    own: int | None

    @property
    def words(self) -> list[str]:
        return plain(self.rest).split()


def plain(text: str) -> str:
    """Text with the signs of a keyboard, single blanks, and without a phone's full stop."""
    return _typed(text).removesuffix(".").rstrip()


def read_line(line: str, is_move: IsMove, own: int | None = None) -> AnyCommand | None:
    """The command that `line` is, None if it is talk. `own` is the match of the letter answered."""
    line = line.strip()
    if not line or len(line) > LONGEST_LINE:
        return None
    text = unicodedata.normalize("NFC", _LINKIFIED.sub("", line))
    mark = _MARK.match(text)
    text = text[mark.end() :] if mark else text
    command = _read(text, is_move, own, marked=mark is not None)
    return replace(command, line=line) if command else None


def is_game(word: str) -> bool:
    """Whether `word` names a game, with or without a variant: `Zèrtz`, `zertz+11`, `loa:scrambled`."""
    return re.split("[:+]", fold(word))[0] in games()


def _read(text: str, is_move: IsMove, own: int | None, *, marked: bool) -> AnyCommand | None:
    match, rest = _number(text)
    spoken = _VERB.fullmatch(rest)
    word = fold(spoken[1]) if spoken else ""
    if spoken and word in COMMAND_OF:
        said = Spoken(
            word=word,
            match=match,
            clear=(spoken[1].isupper() and len(spoken[1]) > 1) or ":" in (spoken[2] or ""),
            exclaimed=spoken[2] == "!",
            marked=marked,
            rest=spoken[3] or "",
            own=own,
        )
        command = _speak(said, is_move)
        if command:
            return command
    # A move may be nothing but a number, as in Nim.
    return _old_spelling(rest, is_move, own) or (
        _move(rest, match, is_move) if rest else _move(text, None, is_move)
    )


def _speak(said: Spoken, is_move: IsMove) -> AnyCommand | None:
    kind = COMMAND_OF[said.word]
    if said.exclaimed and kind not in (Accept, Decline):
        return None
    if kind is Move:
        match, rest = _match(said)
        if not rest:
            match, rest = said.match, said.rest
        return _move(rest, match, is_move, attempt=True)
    return _GRAMMAR[kind](said)


def _old_spelling(text: str, is_move: IsMove, own: int | None) -> AnyCommand | None:
    """`zertz challenge alice` and `zertz move 105 Nd2,a3`, as older servers had it."""
    game, _, rest = text.partition(" ")
    words = plain(rest).split()
    if len(words) < 2 or not is_game(game):
        return None
    if COMMAND_OF.get(fold(words[0])) is Challenge:
        _, who, *wishes = rest.split(maxsplit=2)
        return _challenge(" ".join((who, game, *wishes)))
    if COMMAND_OF.get(fold(words[0])) in (Move, Show, Resign) and words[1][0].isdecimal():
        return _read(rest.strip(), is_move, own, marked=False)
    return None


def _move(text: str, match: int | None, is_move: IsMove, *, attempt: bool = False) -> Move | None:
    """A move, or after the word MOVE what only tries to be one: a single word with letters and digits."""
    written = plain(text)
    if not written or len(written) > _LONGEST_MOVE:
        return None
    guard = _PLY.search(written)
    move = written[: guard.start()] if guard else written
    tried = attempt and re.fullmatch(r"(?=.*[0-9])(?=.*[^\W\d_])\S+", re.sub(r"\s*,\s*", ",", move))
    if not move or not (tried or is_move(move, match)):
        return None
    return Move(move, match, int(guard[1]) if guard else None)


def _help(said: Spoken) -> Help | None:
    match said.words:
        case []:
            return Help()
        case [topic] if said.clear or is_game(topic) or fold(topic) in COMMAND_OF:
            return Help(topic)
    return None


def _register(said: Spoken) -> Register | None:
    """Nobody signs up in a reply to a turn; there "Register soon" is talk."""
    most = 3 if said.clear else 1
    if said.own is not None or len(said.words) > most or not all(map(_NAME.fullmatch, said.words)):
        return None
    return Register(" ".join(said.words))


def _games(said: Spoken) -> Games | None:
    return None if said.rest or said.match is not None else Games()


def _challenge(text: str) -> Challenge | None:
    """A set-up is the rest of the line: it may have blanks, and a full stop may be a part of it."""
    wish, *setup = _SETUP.split(text, maxsplit=1)
    match plain(wish).split():
        case [who, game, *options] if is_game(game) and _WHO.fullmatch(who):
            if len(options) > 12 or not all(map(_OPTION.fullmatch, options)):
                return None
            rules = tuple(re.sub(r"^--?(?=\w)", "", option) for option in options)
            return Challenge(who, fold(game), rules, _typed(setup[0]) if setup else None)
    return None


def _accept(said: Spoken) -> Accept | None:
    match, rest = _match(said)
    return None if rest or (said.marked and match is None) else Accept(match)


def _decline(said: Spoken) -> Decline | None:
    """A reason needs a match or a clear verb, so that "Rifiuto di crederci" stays talk; NO takes none."""
    match, rest = _match(said)
    if match is None and (said.marked or (rest and not said.clear)):
        return None
    if rest and said.word == "no":
        return None
    return Decline(match, rest.strip())


def _show(said: Spoken) -> Show | None:
    match, rest = _match(replace(said, rest=re.sub(r"(?<=[0-9])\s*#", " #", plain(said.rest))))
    match rest.split():
        case []:
            return Show(match)
        case [word, ply] if fold(word) in AT and ply.isdecimal() and len(ply) < 5:
            return Show(match, int(ply))
        case [guard] if match is not None and _PLY.fullmatch(guard):
            return Show(match, int(guard[1:]))
    return None


def _resign(said: Spoken) -> Resign | None:
    match, rest = _match(said)
    return None if rest else Resign(match)


def _draw(said: Spoken) -> Draw | None:
    match, rest = _match(said)
    return None if rest else Draw(match)


def _say(said: Spoken) -> Say | None:
    """In a reply a bare number is text: "SAY 2 more moves" names no match."""
    match, text = _match(said, marked=said.own is not None)
    if not text or not (said.clear or match is not None):
        return None
    return Say(text, match)


def _letters(said: Spoken) -> Letters | None:
    return None if said.rest or said.match is not None else Letters()


def _stop(said: Spoken) -> Letters | Stop | None:
    match said.words:
        case []:
            return _letters(said)
        case [sort] if fold(sort) in SORT_OF:
            return Stop(SORT_OF[fold(sort)])
    return None


def _start(said: Spoken) -> Start | None:
    match said.words:
        case [sort] if fold(sort) in SORT_OF:
            return Start(SORT_OF[fold(sort)])
    return None


def _addresses(said: Spoken) -> Addresses | None:
    return None if said.rest or said.match is not None else Addresses()


def _address(kind: Callable[[str], AnyCommand]) -> Callable[[Spoken], AnyCommand | None]:
    def read(said: Spoken) -> AnyCommand | None:
        match said.words:
            case [word, email] if fold(word) in ADDRESS and said.match is None and _EMAIL.fullmatch(email):
                return kind(email.lower())
        return None

    return read


_GRAMMAR: Mapping[type[Command], Callable[[Spoken], AnyCommand | None]] = {
    Help: _help,
    Register: _register,
    Games: _games,
    Challenge: lambda said: _challenge(said.rest),
    Accept: _accept,
    Decline: _decline,
    Show: _show,
    Resign: _resign,
    Draw: _draw,
    Say: _say,
    Letters: _letters,
    Stop: _stop,
    Start: _start,
    Addresses: _addresses,
    AddAddress: _address(AddAddress),
    SetAddress: _address(SetAddress),
    RemoveAddress: _address(RemoveAddress),
}


def _typed(text: str) -> str:
    """Text with the signs of a keyboard and single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).split())


def _match(said: Spoken, *, marked: bool = False) -> tuple[int | None, str]:
    """The match, named before the verb or after it, and the rest."""
    if said.match is not None:
        return said.match, said.rest
    return _number(said.rest, marked=marked)


def _number(text: str, *, marked: bool = False) -> tuple[int | None, str]:
    """A number at the start and what follows it; if `marked`, only `#105`, `[105]` or `105:`."""
    found = _LEADING.match(text)
    if not found or (marked and found[0][0].isdecimal() and not found[3]):
        return None, text
    return int(found[1] or found[2]), text[found.end() :]
