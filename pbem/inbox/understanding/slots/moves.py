"""Finds a legal move among words that go with moving: `I slide from b8 to b6`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from games import lenient_parser
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import CELL, IsMove, before_cells, cells_in, named_cells, names_cell
from pbem.inbox.commands.line_parser import unlabelled
from pbem.inbox.understanding.answers import is_friendly
from pbem.inbox.understanding.normalization import FACE
from pbem.wording import fold, wording

# Finds a legal move in a line with other words: `b1-b3 ha got you`. Always asked about.

_WORDS = wording("pbem.inbox.commands")
_SUPPOSING, _NO_DEEDS = _WORDS.words("little", "supposing"), _WORDS.words("deeds", "but")
_BEFORE, _AFTER = _WORDS.words("little", "before"), _WORDS.words("little", "after")
_JUDGES = _WORDS.words("talk_of_moves", "judges")
_DEEDS = _WORDS.words("talk_of_moves", "deeds")
_GOES_ON = frozenset(fold(way.split()[0]) for way in _WORDS.words("joining"))
_JOINING = _WORDS.words("talk_of_moves", "joining")
_ASKS = _WORDS.words("talk_of_moves", "asks")
_GOING = _WORDS.words("talk_of_moves", "going")
_OF_IT = _WORDS.words("talk_of_moves", "of_it")
_I = _WORDS.words("deeds", "i")
_I_DO = tuple(_WORDS.words("deeds", "endings"))
_SHORTEST_DEED = 3  # letters
_UNREAL = re.compile(rf"\b(?:{_WORDS.either('unreal', 'said')})\b", re.IGNORECASE)
_REAL = re.compile(rf"\b(?:{_WORDS.either('unreal', 'but')})\b", re.IGNORECASE)
_CLAUSE = re.compile(
    rf"[,.;:!?()–—]|\b(?:{_WORDS.either('unreal', 'ends')}|{_WORDS.either('contrasting')})\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?['’]?")
SIGNS = ".,;:!'\"«»“”()"
_MOST_WORDS = 20
_MOST_AROUND = 40  # words of a line that has a move in it
_LONGEST_MOVE = 5  # words, as `a5 - c5`
_FEWEST_CELLS = 2  # that identify a move


@dataclass(frozen=True)
class NearMove:
    """A move, and the `rest` of its line."""

    move: str
    rest: str = ""


def words_in(texts: Iterable[str]) -> set[str]:
    """Returns the folded words of the texts."""
    return {fold(word) for text in texts for word in WORD.findall(text)}


def move_at_first(text: str, legal: LegalMoves) -> NearMove | None:
    """Finds a move at the start. None when there is none, or the rest judges it: `b1-b3 would have won`."""
    words = text.split()
    if not 1 < len(words) <= _MOST_WORDS or text.rstrip(")]").endswith(("...", "…")):
        return None
    for end in range(min(len(words) - 1, _LONGEST_MOVE), 0, -1):
        move, behind = legal.meant(" ".join(words[:end]).strip(SIGNS)), words[end:]
        if not move or not cells_in(words[0]):
            continue
        said, follows = " ".join(behind), fold(behind[0].strip(SIGNS))
        judged = follows in _JUDGES | (_SUPPOSING - _ASKS) and not words[end - 1].endswith(",")
        asked = "?" in words[end - 1] or ("?" in said and follows not in _ASKS)
        return None if judged or asked or cells_in(said) else NearMove(move, said)
    return None


def told_move(text: str, legal: LegalMoves) -> str:
    """Returns the only legal move that the cells of a sentence tell: `my man on b1 climbs to b3`; else ""."""
    named = [cells_in(word) for word in text.split()]
    cells = {cell for each in named for cell in each}
    written = any(len(each) > 1 for each in named)  # written as a move, which was read before
    if not cells or written or "?" in text or judges(text) or not _goes_there(text, cells):
        return ""
    return legal.told_by(cells, text)


def move_among_talk(text: str, legal: LegalMoves) -> NearMove | None:
    """Finds the only move of a line, in a clause that states it. None when the line judges or supposes."""
    clauses = [each for each in _CLAUSE.split(text) if names_cell(each)]
    if len(clauses) != 1 or len(text.split()) > _MOST_AROUND or is_unreal(text):
        return None
    [clause] = clauses
    named = [word.strip(SIGNS) for word in clause.split() if cells_in(word)]
    after = clause.rpartition(named[-1])[2].split() if named else []
    ends = bool(named) and (not after or fold(after[0]) in _GOES_ON)  # `b8-b6 and see what comes`
    behind = text[text.index(clause) + len(clause) :].lstrip("!")[:1]
    if (
        not ends
        or behind == "?"
        or judges(clause[: len(clause) - len(" ".join(after))] if after else clause)
        or not _tells_deed(before_cells(clause).split(), len(named))
    ):
        return None
    cells = {cell for word in named for cell in cells_in(word)}
    move = legal.meant(named[0]) if len(named) == 1 else legal.told_by(cells, clause)
    return NearMove(move, text) if move else None


def _tells_deed(before: Sequence[str], named: int) -> bool:
    """Whether the words before the first cell of a clause state a move."""
    if not before:
        return named == 1
    own = _first(before[0]) in _DEEDS or without_deed(before) != before
    return own and not (named == 1 and fold(before[-1]) in _OF_IT)


def _goes_there(text: str, cells: Set[str]) -> bool:
    moving, several = bool(_said(text) & _GOING), len(cells) >= _FEWEST_CELLS
    if several and _first(text) in _DEEDS:
        return True
    before = before_cells(text).split()
    behind_deed = without_deed(before)
    if not moving and not (several and len(behind_deed) < len(before)):
        return False
    if not words_in(behind_deed) <= _BEFORE | _GOING:
        return False
    return several or words_in([text]) - cells <= _BEFORE | _AFTER | _GOING | lenient_parser.piece_words()


def tells_move(text: str) -> bool:
    """Whether the text states a move of its writer, legal or not: `I put my man on k9`."""
    said, cells = _said(text), cells_in(text)
    named = cells or said & lenient_parser.piece_words()
    begins = _first(text) in _DEEDS or (cells and text.lower().startswith(cells[0]))
    return bool(named and begins) and "?" not in text and not judges(text)


def tells_refused_move(line: str, legal: LegalMoves) -> bool:
    """Whether the line begins with a move that the rules do not allow."""
    begins = _CLAUSE.split(line)[0].strip()
    return tells_move(begins) and legal.against_told(begins) is not None


def announces(text: str) -> bool:
    """Whether the text begins by announcing a move: `then`, `I'd like to move`, `muovo`."""
    words = text.split()
    return _first(text) in _DEEDS or without_deed(words) != words or unlabelled(text) != text


def judges(text: str) -> bool:
    """Whether the text discusses moves, and states none."""
    return bool(_said(text) & _SUPPOSING) or judges_plainly(text)


def judges_plainly(text: str) -> bool:
    """Like `judges`, without words that may say when or which: `after long consideration I move`."""
    return bool(_said(text) & (_NO_DEEDS | _JUDGES - _JOINING))


def is_unreal(text: str) -> bool:
    """Whether the words before the first cell deny or suppose it: `if I play b1`, `non vado da b1`."""
    clause = _CLAUSE.split(before_cells(text))[-1] if names_cell(text) else ""
    return bool(_UNREAL.search(_REAL.sub(" ", clause)))


def without_deed(words: Sequence[str]) -> Sequence[str]:
    """Removes the words for what the player does: `I slide from`, `scivolo da`."""
    said = [fold(word) for word in words[:2]]
    if not said or _NO_DEEDS.intersection(said):
        return words
    if len(said) > 1 and said[0] in _I:
        return words[2:]
    return words[1:] if _is_deed(words[0]) else words


def _is_deed(word: str) -> bool:
    said = fold(word)
    return bool(_I_DO) and said.endswith(_I_DO) and len(said) > _SHORTEST_DEED and said not in _NO_DEEDS


def _first(text: str) -> str:
    return fold(next(iter(_WORD.findall(text)), ""))


def _said(text: str) -> set[str]:
    return {fold(word) for word in _WORD.findall(text)}


LONGEST_MOVE = 6  # words
_FEW_WORDS = 8  # of a line that has a move between commas
_MOST_WORDS_OF_MOVE = 14  # of a line that is about a move
_FEW_CLAUSES = 3
_SUPPOSING_WORDS = _WORDS.words("little", "supposing")
_HEARD = _WORDS.words("talk_of_moves", "heard")
_CONJUNCTIONS, _CONTRASTING = _WORDS.either("joining"), _WORDS.either("contrasting")
_COURTESY = frozenset(word for said in _WORDS.words("courtesy") for word in said.split())
_BESIDE = re.compile(r"\([^()]*\)|[:;]-?[)(DP]")  # asides and smileys
_SIGNS = SIGNS + "[]"
_PARTS = 2  # of a move that do not stand together
_LONGEST = 400  # characters of a line that may have a move in one of its sentences
_MOST_SENTENCES = 8
_FIRST = 2  # words: `my knight`
_SENTENCE = re.compile(r"(?<=[.!?;:…])\s+|(?<=[:;=][)DP])\s+|(?<=[:;=]-[)DP])\s+")
_CLAUSE_END = re.compile(
    rf"(?:,\s*|(?!{FACE})[.!;:…]+\s*)(?=[^\s0-9])|\s+[-–—]\s+(?![^\W\d_][0-9])|\s+(?:{_CONJUNCTIONS}|{_CONTRASTING})\s+",
    re.IGNORECASE,
)
_MODESTLY = re.compile(rf",?\s*\b(?:{_WORDS.either('talk_of_moves', 'modest')})(?![\w'’])", re.IGNORECASE)
_DOTS = ("...", "…")
_TAG = 4  # words of a question behind a move: `, is that right?`
# Castling in words, and the trap's square.
_CASTLES = {
    sign: re.compile(
        rf"(?:(?:{_WORDS.repeated('castling_before')})\s++)*+(?:{said}|{_WORDS.either(key)})"
        rf"(?:[\s,;]++(?:{_WORDS.repeated('castling_trap')})(?!\w))*+[\s,;]+(?P<trap>[a-h][1-8])",
        re.IGNORECASE,
    )
    for sign, said, key in (
        ("O-O", "[0o]-[0o]", "castling_short"),
        ("O-O-O", "[0o]-[0o]-[0o]", "castling_long"),
    )
}


def near_move(text: str, legal: LegalMoves | None) -> NearMove | None:
    """Returns the only legal move of the line. None when there is none, or it is a question."""
    near = _near_move(text, legal) if legal and len(text) <= _LONGEST else None
    if near and legal and _is_of_another_piece(near.move, text, legal):
        told, rest = (*_SENTENCE.split(text, maxsplit=1), "")[:2]
        move = legal.told_by(set(named_cells(told)), told)
        near = NearMove(move, rest) if move else None
    if near is None:
        return None
    return replace(near, rest=near.rest.lstrip("-–— "))


def _is_of_another_piece(move: str, text: str, legal: LegalMoves) -> bool:
    """Whether the text begins with a piece that does not move: `knight to f3` for a move of a pawn."""
    begins = " ".join(before_cells(text).split()[:_FIRST])
    letters = lenient_parser.letters_of_pieces(legal.game, begins, legal.notation)
    return bool(letters) and move[0] not in letters


def _near_move(said: str, legal: LegalMoves) -> NearMove | None:
    text = _MODESTLY.sub("", said)
    if move := _in_sentence(text, legal):
        return NearMove(move, _behind(text) or _around(text) or _wished(text))
    return _in_one_piece(text, legal) or move_at_first(text, legal)


def talked_move(text: str, legal: LegalMoves | None) -> NearMove | None:
    """Returns a legal move among any words. None when there is none."""
    return move_among_talk(text, legal) if legal and len(text) <= _LONGEST else None


def _in_sentence(text: str, legal: LegalMoves) -> str:
    words = _BESIDE.sub(" ", text).split()
    if "?" in text or not 1 <= len(words) <= _MOST_WORDS_OF_MOVE or not names_cell(text) or is_unreal(text):
        return ""
    return (
        _castles(text, legal)
        or _among(words, legal)
        or _without_the_rest(words, legal)
        or _clause(text, legal)
        or (legal.nearest(text) if len(words) < 3 else "")
        or told_move(text, legal)
    )


def _castles(text: str, legal: LegalMoves) -> str:
    """Reads `castle short, trap c5`, `0-0, c5`."""
    for sign, form in _CASTLES.items():
        if found := form.fullmatch(text.strip(_SIGNS + " ")):
            return legal.meant(f"{sign}@{found['trap']}")
    return ""


def unplayable(text: str, is_move: IsMove) -> str:
    """Returns the move of a line that says no more than it, legal or not; else ""."""
    words = without_deed(text.split())
    *before, last = words or [""]
    move = last.strip(_SIGNS)
    alone = "?" not in text and len(before) < LONGEST_MOVE and words_in(before) <= _BEFORE
    return move if alone and names_cell(move) and is_move(move, None) else ""


def _behind(text: str) -> str:
    """Returns the exclamation behind the last cell: `c1 e3 Nice!`, `a2-c2, sorry!`."""
    cell = list(re.finditer(rf"{CELL}\S*", text))[-1:]
    behind = text[cell[0].end() :].strip() if cell else ""
    said = cell and (cell[0][0].endswith(tuple(",.!;:")) or behind[:1].isupper() or "!" in behind[:-1])
    heard = said and "!" in cell[0][0] + behind and any(map(str.isalpha, behind))
    return behind if heard else ""


def _wished(text: str) -> str:
    """Returns friendly words behind the last cell: `b1-b3 and good luck`; not `please`."""
    said = re.sub(rf"^[\s,.;:-]*(?:(?:{_CONJUNCTIONS})\s+)?", "", re.split(CELL, text)[-1])
    return said if is_friendly(said) and words_in([said]) - _COURTESY else ""


def _around(text: str) -> str:
    """Returns the clauses that say more than the move: `b1-b3, hope you are well`."""
    clauses = [clause.strip() for clause in re.split(r",\s+|(?<=[.;!])\s+", text) if clause.strip()]
    beside = [clause for clause in clauses if not names_cell(clause)]
    said = in_one_line(beside)
    moving = (_BEFORE | _AFTER | lenient_parser.piece_words()) - _HEARD
    return said if len(clauses) > len(beside) and words_in([said]) - moving else ""


def in_one_line(clauses: Iterable[str]) -> str:
    """Joins clauses with commas; after `!` or `?` a new sentence begins."""
    said = ""
    for clause in (clause.strip(_SIGNS.replace("!", "") + " ") for clause in clauses):
        ended = said.endswith(("!", "?"))
        said += (" " + clause[:1].upper() + clause[1:] if ended else f", {clause}") if said else clause
    return said


def _in_one_piece(text: str, legal: LegalMoves) -> NearMove | None:
    """Finds a move in one sentence or clause of a longer text: `Ok! b8-b6 and now we talk`."""
    sentences = _SENTENCE.split(text)
    if len(sentences) > _MOST_SENTENCES or text.rstrip(")]").endswith(_DOTS):
        return None
    found: dict[str, str] = {}
    for at, sentence in enumerate(sentences):
        for piece in _pieces(sentence) if names_cell(sentence) else ():
            if move := _in_sentence(piece.strip(_SIGNS + " "), legal):
                before, _, behind = sentence.partition(piece)
                torn = _says_anything(_tidy(before)) and _says_anything(_tidy(behind))
                rest = sentence if torn else f"{before} {behind}"  # sentences are not torn
                around = (*sentences[:at], rest, *sentences[at + 1 :])
                found.setdefault(move, " ".join(filter(_says_anything, map(_tidy, around))))
                break
    if len(found) != 1:
        return None
    [(move, rest)] = found.items()
    return NearMove(move, rest.rstrip(" :"))


def _pieces(sentence: str) -> Iterator[str]:
    """Yields the sentence without a tag question, then its clauses with cells."""
    *before, last = re.split(r",\s+", sentence)
    if "?" in sentence:
        tag = before and len(last.split()) <= _TAG and not names_cell(last)
        if not tag or "?" in (sentence := ", ".join(before)):
            return
    yield sentence
    ends = [found.span() for found in _CLAUSE_END.finditer(sentence)]
    starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(sentence)]
    clauses = list(zip(starts, stops, strict=True))
    with_cells = [at for at, (start, stop) in enumerate(clauses) if names_cell(sentence[start:stop])]
    start, stop = clauses[with_cells[0]][0], clauses[with_cells[-1]][1]
    if _SUPPOSING_WORDS.isdisjoint(words_in([sentence[:start], sentence[stop:]])):
        yield sentence[start:stop]


def _tidy(text: str) -> str:
    return re.sub(r",(?:\s*,)+", ",", " ".join(text.split())).strip(" ,;").removesuffix(" .")


def _says_anything(text: str) -> bool:
    """Whether the text has words, and is no move that breaks off."""
    return any(map(str.isalpha, text)) and not (names_cell(text) and text.endswith(_DOTS))


def _clause(text: str, legal: LegalMoves) -> str:
    """Finds a move that fills a clause of a short line."""
    clauses = [clause for clause in re.split(r"[,.;:!]+", text) if clause.strip()]
    with_cells = [clause.strip() for clause in clauses if names_cell(clause)]
    if not 1 < len(clauses) <= _FEW_CLAUSES or len(with_cells) != 1 or len(text.split()) > _FEW_WORDS:
        return ""
    return legal.meant(with_cells[0]) or _among(with_cells[0].split(), legal)


def _among(words: Sequence[str], legal: LegalMoves) -> str:
    """Finds a move that stands together."""
    found = {
        (start, end): move
        for start, end in _spans(words)
        if (move := legal.meant(" ".join(words[start:end]).strip(_SIGNS)))
    }
    longest = {move for (start, end), move in found.items() if not _is_part((start, end), found)}
    if len(longest) != 1:
        return ""
    (start, end), move = max(found.items(), key=lambda one: one[0][1] - one[0][0])
    before = words_in(without_deed(words[:start]))
    return move if before <= _BEFORE and words_in(words[end:]) <= _AFTER else ""


def _without_the_rest(words: Sequence[str], legal: LegalMoves) -> str:
    """Finds a move in parts that stand apart: `white on d4, and I remove a1`."""
    said = [" ".join(words_in([word])) for word in words]
    pieces = lenient_parser.piece_words()
    kept = [
        word.strip(_SIGNS)
        for word, name in zip(words, said, strict=True)
        if name in pieces or names_cell(word)
    ]
    rest = {name for word, name in zip(words, said, strict=True) if word.strip(_SIGNS) not in kept}
    if len(kept) < _PARTS or not rest - {""} <= _BEFORE | _AFTER:
        return ""
    begins = [word for word in kept if names_cell(word)][:2]
    ways = [" ".join(kept)]
    if kept[: len(begins)] == begins:
        ways.append(" ".join(["-".join(begins), *kept[len(begins) :]]))
    return next(filter(None, map(legal.meant, ways)), "")


def _spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yields spans of words that end with a cell."""
    cells = [at for at, word in enumerate(words) if names_cell(word)]
    if not cells or len(cells) > LONGEST_MOVE:
        return
    for start in range(max(0, cells[0] - 3), cells[-1] + 1):
        for end in (cell + 1 for cell in cells if start < cell + 1 <= start + LONGEST_MOVE):
            yield start, end


def _is_part(span: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    return any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)
