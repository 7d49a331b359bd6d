"""Composes letters from rows: text, HTML, pictures, attachments and headers."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import css_inline
from django.conf import settings
from django.template import Context as TemplateContext
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from games.engine.analysis import annotated_json, annotated_text
from games.export import to_json, to_text
from games.film import replay_gif
from games.kit.words import euphonic
from games.protocol import Notation
from games.record import Record
from pbem.analysis.service import analysis_of
from pbem.mail.parsing.redact_addresses import without_api_tokens
from pbem.matches.models import Event, Match
from pbem.matches.plies import asked
from pbem.organiser import run_by
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.deadlines import deadline_files
from pbem.outbox.rendering.links import (
    link_answers,
    link_boards,
    link_moves,
    link_taps,
    partials,
    relay_headers,
    render_text,
)
from pbem.outbox.rendering.mime import Attachment, Headers, Picture, assemble, mailbox
from pbem.outbox.rendering.recipient import Context, Look, Reader
from pbem.outbox.rendering.sections import context_of
from pbem.outbox.signed_addresses import (
    envelope_sender,
    list_headers,
    play_address,
    reply_to,
    unsubscribe_link,
)
from pbem.players.models.address import is_ours
from pbem.refusals import Code
from pbem.reply_marker import MARKER

# Record files

log = logging.getLogger(__name__)
LONGEST_FILM = 200  # positions; about half a megabyte


def record_files(
    match: Match, record: Record, reader: Reader, *, asked: bool, shown: bool = False
) -> list[Attachment]:
    """Returns a score sheet, JSON and an animated picture of a record.

    Empty for low bandwidth unless `asked`. No animation for text-only readers, nor where the letter has `shown` it.
    """
    if reader.short and not asked:
        return []
    name = f"{match.game.key}-{match.pk}"
    text, values = to_text(record, reader.notation), to_json(record)
    analysis = analysis_of(match) if len(record.moves) == match.ply else None
    if analysis:
        text = annotated_text(text, record, analysis, reader.notation)
        values = annotated_json(values, analysis)
    files = [Attachment(f"{name}.txt", "plain", text), Attachment(f"{name}.json", "json", values)]
    film = None if reader.text_only or shown else _film(record, reader.notation, reader.look)
    return [*files, Attachment(f"{name}.gif", "gif", film)] if film else files


@lru_cache(maxsize=8)
def _film(record: Record, notation: Notation, look: Look) -> bytes | None:
    """Draws the animation. None when it cannot be drawn (S04). Cached for both letters of a result."""
    try:
        return replay_gif(record, notation, look.palette, most=LONGEST_FILM)
    except Exception:
        log.exception("S04: the film of a record cannot be drawn")
        return None


# Merging of sections

_WORDS = ("message", "said")  # kinds with only a message
_TAKE_WORDS = ("turn", "challenge", "challenged", "declined")


def told_together(contexts: Sequence[Context]) -> list[Context]:
    """Moves messages into the sections they came with, and merges draw offers into their turns."""
    for context in contexts:
        if context["kind"] in _WORDS and (along := _came_with(context, contexts)):
            along["message"] = context.pop("message")
    return [each for each in contexts if not _is_empty(each, contexts)]


def _came_with(words: Context, contexts: Sequence[Context]) -> Context | None:
    about = (each for each in contexts if each["kind"] in _TAKE_WORDS and "event" in each)
    author = words["match"], words["event"].actor
    silent = (each for each in about if not each["message"])
    return next((each for each in silent if (each["match"], each["event"].actor) == author), None)


def _is_empty(context: Context, contexts: Sequence[Context]) -> bool:
    """Tells whether another section covers it."""
    if context["kind"] in _WORDS:
        return "message" not in context
    return (
        context["kind"] == "offer"
        and not context["message"]
        and any(_shows_offer(each, context) for each in contexts)
    )


def _shows_offer(context: Context, offer: Context) -> bool:
    """Tells whether the board of a turn has the draw offer below it."""
    same = context["kind"] == "turn" and context["match"] == offer["match"]
    return bool(same and context["draw_offered"] and context["board"] and context["examples"])


# Position files, in the format of our own robots (`docs/robots.md`)


def position_files(contexts: Iterable[Context], reader: Reader) -> list[Attachment]:
    """Returns a file for each match in which the reader, a program, is to move."""
    if reader.player is None or not reader.player.program:
        return []
    shown = (context for context in contexts if context.get("match") and context.get("yours"))
    matches = {context["match"].pk: context["match"] for context in shown}
    return [
        Attachment(f"position-{pk}.json", "json", json.dumps({"match": pk} | asked(match)) + "\n")
        for pk, match in matches.items()
    ]


_inline = css_inline.CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)


@dataclass(frozen=True)
class Composed:
    """A letter ready to send, with its two bodies. `html` is empty in a plain one.

    `verdict` is S04 when a picture is missing.
    """

    sender: str
    subject: str
    text: str
    html: str
    pictures: tuple[Picture, ...]
    raw: bytes
    verdict: str = ""

    @property
    def kept(self) -> str:
        """Returns the text without secrets that only its reader may have."""
        return without_api_tokens(self.text)


def compose(row: OutboundMail, *, plain: bool = False) -> Composed:
    """Composes a letter from the current data. Writes nothing.

    Each attempt has the same Message-ID, Date, language, addresses and subject; the contents follow the
    current state of the match and the reader's settings. `plain` gives text only, for when pictures or HTML
    fail (S04).
    """
    reader = Reader.of(row)
    bare = plain or reader.text_only
    leave = unsubscribe_link(row, reader)
    with override(row.language), timezone.override(reader.zone):
        contexts = told_together([context_of(section, reader) for section in row.sections])
        _show_each_board_once(contexts)
        contexts = _newest_first(row, contexts)
        contexts[0]["asks_below"] = any(context["kind"] == "confirm" for context in contexts[1:])
        for context in contexts[1:]:
            context["told_above"] = contexts[0]["kind"] == "turn"  # the draw offer
        _name_each_match(row, contexts)
        pictures = () if bare else _pictures(contexts, reader, row.message_id.strip("<>"))
        about: Context = {
            "reader": reader,
            "look": (look := reader.look),
            "sheet": look.sheet,
            "match": row.match,
            "as_of": row.created_at,
            "shared_name": reader.shared_name,
            "marker": MARKER,
            "play_address": play_address(),
            "run_by": run_by(),
            "one_match": row.match is not None,
            "brand": "PBeM",
            "unsubscribe": leave.url if leave.shown else "",
        }
        if row.match:
            about["brand"] += f" · {row.match.game.phrases(row.language)['name']} [{row.match.pk}]"
        subject, reply = euphonic(_subject(row, contexts, reader)), reply_to(row, reader)
        link_answers(contexts, reply, subject, one_match=row.match is not None)
        link_taps(contexts, reply, subject)
        link_boards(contexts, reader)
        if row.match:
            link_moves(contexts, reader, reply, subject)
        sections = [_bodies(about | context, bare) for context in contexts]
        about |= {"sections": sections, "subject": subject, "preheader": sections[0]["headline"]}
        about["heading"] = "" if row.match or about["preheader"] or contexts[0].get("page") else subject
        text = euphonic(_tidy(render_to_string("mail/letter.txt", about)))
        html = "" if bare else euphonic(_inline.inline(render_to_string("mail/letter.html", about)))
        attachments = [] if plain else _attachments(contexts, reader)
    headers = Headers(
        subject=subject,
        to=mailbox(reader.player.name if reader.player else "", row.address),
        reply_to=mailbox("PBeM", reply) if is_ours(reply) else reply,
        message_id=row.message_id,
        kind=row.kind,
        language=row.language,
        date=row.created_at,
        thread=f"<match.{row.match_id}@{settings.MAIL_DOMAIN}>" if row.match_id else "",
        more=list_headers(row, leave) | relay_headers(row),
    )
    raw = assemble(headers, text, html, pictures, attachments)
    verdict = Code.RENDER_FAILED if plain or (not bare and _lacks_picture(contexts)) else ""
    return Composed(envelope_sender(row), subject, text, html, pictures, raw, verdict)


def _subject(row: OutboundMail, contexts: list[Context], reader: Reader) -> str:
    """Returns the subject: constant for a match, so that mail programs keep one thread, or its state."""
    if row.match:
        return _state(row.match, reader) or row.match.subject(row.language)
    values = contexts[0] | {"as_of": row.created_at}
    own = render_text(contexts[0]["kind"], "subject", values)
    return " ".join((own or render_text("refused", "subject", values) or "").split())


def _state(match: Match, reader: Reader) -> str:
    """Returns the subject that says the state of the match. Empty for readers who did not ask for it."""
    seat = reader.seat_in(match)
    if seat is None or reader.player is None or not reader.player.status_subject:
        return ""
    facts = {"match": match, "seat": seat, "opponent": seat.opponent.player.name, "outcome": match.outcome()}
    facts |= {"mover": match.moving, "title": reader.title(match.game)}
    return " ".join(render_to_string("mail/parts.txt#status_subject", facts).split())


def _name_each_match(row: OutboundMail, contexts: list[Context]) -> None:
    """Puts match numbers before example moves in a letter about several matches."""
    for context in contexts if row.match is None else ():
        if (examples := context.get("examples")) and "numbered" not in context:
            context["examples"] = tuple(f"{context['match'].pk} {example}" for example in examples)


def _show_each_board_once(contexts: list[Context]) -> None:
    """Shows each board in its last section only."""
    shown = set()
    for context in reversed(contexts):
        if board := context.get("board"):
            if (board.match.pk, board.ply) in shown:
                context |= {"board": None, "examples": ()}
            shown.add((board.match.pk, board.ply))


def _newest_first(row: OutboundMail, contexts: list[Context]) -> list[Context]:
    """Moves the welcome and the start of a match below newer boards."""
    begun = [context for context in contexts if _is_shown_below(context, contexts)]
    welcomes = [context for context in contexts if context["kind"] == "welcome" and len(contexts) > 1]
    for context in begun:
        context |= {"board": None, "examples": (), "moved_on": True}
    for context in welcomes:
        context |= {"beside": True, "game": row.match.game.key if row.match else ""}
    below = begun + welcomes
    return [context for context in contexts if all(context is not other for other in below)] + below


def _is_shown_below(context: Context, contexts: list[Context]) -> bool:
    """Tells whether another section shows the board of the match that starts here."""
    event = context.get("event")
    if event is None or context["kind"] != "turn" or event.kind != Event.Kind.STARTED:
        return False
    boards = (other["board"] for other in contexts if other is not context and other.get("board"))
    return any(board.match.pk == event.match_id for board in boards)


def _pictures(contexts: list[Context], reader: Reader, letter: str) -> tuple[Picture, ...]:
    """Collects the pictures. Their IDs include the Message-ID `letter`."""
    # Unique among letters, and the same on every attempt.
    pictures = {}
    for number, context in enumerate(contexts, start=1):
        board = context.get("board")
        if board is not None and (png := board.picture):
            context["cid"] = f"board{number}.{letter}"
            pictures[context["cid"]] = Picture(context["cid"], f"{board.name}.png", png)
        record = context.get("record") if context["kind"] == "result" and not reader.short else None
        if record is not None and (gif := _film(record, reader.notation, reader.look)):
            context["film_cid"] = f"film{number}.{letter}"
            name = f"{context['match'].game.key}-{context['match'].pk}.gif"
            pictures[context["film_cid"]] = Picture(context["film_cid"], name, gif)
        if page := context.get("page"):
            context["page"] = [replace(part, letter=letter) for part in page]
        for part in context.get("page", ()):
            if png := part.picture:  # the same rules may be requested twice
                pictures[part.cid] = Picture(part.cid, f"{part.name}.png", png)
    return tuple(pictures.values())


def _lacks_picture(contexts: list[Context]) -> bool:
    return any(
        (context.get("board") and "cid" not in context)
        or (context.get("strip") and not all(frame.picture for frame in context["page"]))
        for context in contexts
    )


def _bodies(context: Context, bare: bool) -> dict[str, str]:
    """Renders a section as text and HTML, by the kind's own templates or the default ones."""
    kind = context["kind"]
    context |= (head := _headline(context))
    context["lead"] = (render_text(kind, "lead", context) or "").strip()
    text = render_text(kind, "text", context)
    if text is None:
        text = render_to_string("mail/section.txt", context)
    html = "" if bare else _html(kind, context)
    return {"text_body": text.strip("\n"), "html_body": html, "headline": head["headline"]}


def _html(kind: str, context: Context) -> str:
    """Renders a section by the kind's own partial, or the usual template."""
    if partial := partials("html").get(f"{kind}-body"):
        return str(partial.render(TemplateContext(context)))
    return render_to_string("mail/section.html", context)


def _headline(context: Context) -> Context:
    """Returns the first line: the kind's own state, else the side to move.

    `turn_told`: the headline includes the latter. `turn_shown`: it begins with it.
    """
    kind = context["kind"]
    turn = render_to_string("mail/parts.txt#state", context).strip()
    state = render_text(kind, "state", context)
    if state is None:
        state = turn if context.get("board") and render_text(kind, "text", context) is None else ""
    below = render_to_string("mail/parts.txt#asks_below", context)
    said = [state.strip(), (render_text(kind, "news", context) or "").strip(" ·\n"), below.strip()]
    told = {"turn_told": turn in said, "turn_shown": turn == said[0]} if turn else {}
    return {"state": said[0], "headline": " · ".join(filter(None, said))} | told


def _attachments(contexts: list[Context], reader: Reader) -> list[Attachment]:
    """Returns records, other files of the sections, deadlines and positions."""
    records = [
        file
        for context in contexts
        if (record := context.get("record"))
        for file in record_files(
            context["match"], record, reader, asked=context["kind"] == "record", shown="film_cid" in context
        )
    ]
    files = [file for context in contexts for file in context.get("files", ())]
    return records + files + deadline_files(contexts, reader) + position_files(contexts, reader)


def _tidy(text: str) -> str:
    """Removes trailing blanks and repeated empty lines."""
    lines: list[str] = []
    for line in (line.rstrip() for line in text.strip("\n").split("\n")):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines) + "\n"
