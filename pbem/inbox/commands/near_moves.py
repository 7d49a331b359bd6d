"""Finds a legal move among words that go with moving: `I slide from b8 to b6`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from games import lenient_parser
from pbem.inbox.commands.agreement import is_friendly
from pbem.inbox.commands.cells import CELL, before_cells, named_cells, names_cell
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.moves_in_talk import (
    SIGNS,
    NearMove,
    is_unreal,
    move_among_talk,
    move_at_first,
    told_move,
    without_deed,
    words_in,
)
from pbem.inbox.commands.smileys import FACE
from pbem.wording import wording

_WORDS = wording(__package__)
LONGEST_MOVE = 6  # words
_FEW_WORDS = 8  # of a line that has a move between commas
_MOST_WORDS = 14  # of a line that is about a move
_FEW_CLAUSES = 3
_BEFORE, _AFTER = _WORDS.words("little", "before"), _WORDS.words("little", "after")
_SUPPOSING = _WORDS.words("little", "supposing")
_HEARD = _WORDS.words("talk_of_moves", "heard")
_JOINING, _CONTRASTING = _WORDS.either("joining"), _WORDS.either("contrasting")
_COURTESY = frozenset(word for said in _WORDS.words("courtesy") for word in said.split())
_BESIDE = re.compile(r"\([^()]*\)|[:;]-?[)(DP]")  # asides and smileys
_SIGNS = SIGNS + "[]"
_PARTS = 2  # of a move that do not stand together
_LONGEST = 400  # characters of a line that may have a move in one of its sentences
_MOST_SENTENCES = 8
_FIRST = 2  # words: `my knight`
_SENTENCE = re.compile(r"(?<=[.!?;:…])\s+|(?<=[:;=][)DP])\s+|(?<=[:;=]-[)DP])\s+")
_CLAUSE = re.compile(
    rf"(?:,\s*|(?!{FACE})[.!;:…]+\s*)(?=[^\s0-9])|\s+[-–—]\s+(?![^\W\d_][0-9])|\s+(?:{_JOINING}|{_CONTRASTING})\s+",
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
    if "?" in text or not 1 <= len(words) <= _MOST_WORDS or not names_cell(text) or is_unreal(text):
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
    said = re.sub(rf"^[\s,.;:-]*(?:(?:{_JOINING})\s+)?", "", re.split(CELL, text)[-1])
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
    ends = [found.span() for found in _CLAUSE.finditer(sentence)]
    starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(sentence)]
    clauses = list(zip(starts, stops, strict=True))
    with_cells = [at for at, (start, stop) in enumerate(clauses) if names_cell(sentence[start:stop])]
    start, stop = clauses[with_cells[0]][0], clauses[with_cells[-1]][1]
    if _SUPPOSING.isdisjoint(words_in([sentence[:start], sentence[stop:]])):
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
