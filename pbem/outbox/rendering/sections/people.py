"""Builds sections about the reader's account, observed matches, messages and challenges."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

from django.conf import settings
from django.utils.translation import gettext as _

from pbem.matches.clock.deadlines import under_a_clock
from pbem.matches.matchmaking.eligibility import reliability_of
from pbem.matches.matchmaking.match_request import REASONS
from pbem.matches.models import Match
from pbem.outbox.data_export import write
from pbem.outbox.notifications.kinds import Section
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Context, Reader, standings
from pbem.outbox.rendering.rules_page import rules_in_brief
from pbem.outbox.rendering.sections.match import event_context, match_context
from pbem.outbox.rendering.strip import last_moves
from pbem.players import api_tokens
from pbem.players.models import ApiToken, Message, PrintName
from pbem.players.subscriptions import WORDS
from pbem.ratings.leaderboards import pool_of, told_strength

MOST_LISTED = 20  # matches


def letters_section(section: Section, reader: Reader) -> Context:
    """Lists subscriptions with the commands to change them; after a change, only the changed one."""
    words, only = section["words"], section.get("only")
    sorts: list[Context] = []
    for sort, said in WORDS.items():
        if only and sort != only:
            continue
        comes = reader.player is not None and reader.player.wants(sort)
        start, stop = (f"{words[verb]} {words[sort]}" for verb in ("start", "stop"))
        chips = [
            {"label": _("on"), "command": start, "on": comes},
            {"label": _("off"), "command": stop, "on": not comes},
        ]
        sorts.append(
            {"name": said.name, "what": said.brings if comes else said.without, "chips": chips}
            | {"comes": comes, "command": stop if comes else start}
        )
    every = {"label": f"{words['stop']} {words['all']}", "command": f"{words['stop']} {words['all']}"}
    taps = [*(chip for each in sorts for chip in each["chips"]), every]
    return {"done": section.get("done", False), "sorts": sorts, "every": every, "taps": taps}


def preferences_section(section: Section, reader: Reader) -> Context:
    """Lists topics by group, with chips for their values."""
    groups = [{"title": title, "rows": rows} for title, rows in section["groups"]]
    taps = [chip for group in groups for row in group["rows"] for chip in row["chips"]]
    return {**section, "groups": groups, "taps": taps}


def addresses_section(section: Section, reader: Reader) -> Context:
    mine = reader.player.addresses.verified() if reader.player else ()
    return {**section, "mine": [address.email for address in mine]}


def clock_runs_section(section: Section, reader: Reader) -> Context:
    """Lists the matches that continue without turn letters."""
    running = under_a_clock(reader.player) if reader.player else []
    return {"matches": standings(running[:MOST_LISTED], reader), "more": max(0, len(running) - MOST_LISTED)}


def leaving_section(section: Section, reader: Reader) -> Context:
    """Lists the current matches, with the commands for three ways to leave."""
    numbers = section["matches"]
    played = standings(Match.objects.filter(pk__in=numbers[:MOST_LISTED]).order_by("pk"), reader)
    more = max(0, len(numbers) - MOST_LISTED)
    return {**section, "matches": played, "more": more, "many": len(numbers)}


# Data export

MOST = 5 * 1024 * 1024  # bytes: many mail servers limit letters to ten million


def my_data_section(section: Section, reader: Reader) -> Context:
    """Attaches the archive of the reader's own data, as of now."""
    assert reader.player
    file = BytesIO()
    whole = write(reader.player, file, most=MOST)
    return {"whole": whole, "files": [Attachment(f"{reader.player.folded}.zip", "zip", file.getvalue())]}


# Name in print


def print_name_section(section: Section, reader: Reader) -> Context:
    kept = PrintName.objects.filter(player=reader.player).first() if reader.player else None
    return {
        "real": kept.name if kept else "",
        "allowed": bool(kept and kept.agreed_at),
        "called": reader.player.name if reader.player else "",
    }


def site_asks_section(section: Section, reader: Reader) -> Context:
    return {"site": f"{settings.SITE_URL}/"}


def browser_asks_section(section: Section, reader: Reader) -> Context:
    return {**section, "browsers": f"{settings.SITE_URL}/me/browsers/"}


def tokens_section(section: Section, reader: Reader) -> Context:
    """Lists the reader's tokens for the API, and shows the one that was `made` if it is still valid."""
    assert reader.player
    words, made = section["words"], section.get("made", 0)
    rows = [
        {
            "number": row.pk,
            "allows": ", ".join(words[scope] for scope in row.scopes.split()),
            "until": row.expires_at,
        }
        for row in api_tokens.valid_of(reader.player, datetime.fromisoformat(section["at"]))
    ]
    token = ApiToken.objects.filter(pk=made, player=reader.player).first()
    api = f"{settings.SITE_URL}/{reader.language}/api/"
    return {**section, "tokens": rows, "text": api_tokens.text_of(token) if token else "", "api": api}


# Direct messages


def relayed_section(section: Section, reader: Reader) -> Context:
    message = Message.objects.select_related("sender", "reader").get(pk=section["message"])
    return {"author": message.sender.name, "to": message.reader.name, "text": message.text}


passed_on_section = relayed_section


# Observers: boards, never messages


def watched_section(section: Section, reader: Reader) -> Context:
    """Shows the board after `ply` turns, and earlier ones when several turns came `since` the last letter."""
    match, ply = reader.match(section["match"]), section["ply"]
    context = match_context(match, reader, ply)
    board, several = context["board"], ply - section["since"]
    strip = last_moves(match, ply, several, reader.notation, reader.look_at(match)) if several > 1 else None
    outcome = match.outcome()
    return context | {
        "players": match.players,
        "outcome": board.speech.outcome(outcome) if outcome else "",
        "record": match.record() if outcome else None,
        "strip": strip,
        "page": strip.page if strip and not reader.text_only else [],
        "steps": len(strip.steps) if strip else 0,
        "board": None if strip else board,
        "void": match.status == Match.Status.VOID,
        "number": match.pk,
    }


def watching_section(section: Section, reader: Reader) -> Context:
    context = match_context(reader.match(section["match"]), reader, section["ply"])
    return {**section, **context, "players": context["match"].players, "number": section["match"]}


def unwatched_section(section: Section, reader: Reader) -> Context:
    match: Match = reader.match(section["match"])
    return {"number": match.pk, "players": match.players}


# Challenges


def challenge_section(section: Section, reader: Reader) -> Context:
    """Shows the terms and the challenger's record."""
    context = event_context(section, reader)
    challenger = context["seat"].opponent.player
    at, match = context["event"].happened_at, context["match"]
    known = reliability_of(challenger, at)
    strength = told_strength(challenger, pool_of(match), at) if match.agreed.rated else None
    return context | {
        "terms": match.agreed,
        "known": known,
        "strength": strength,
        "name": challenger.name,
        "brief": rules_in_brief(match, reader),
    }


def challenged_section(section: Section, reader: Reader) -> Context:
    context = event_context(section, reader)
    return context | {"terms": context["match"].agreed}


def declined_section(section: Section, reader: Reader) -> Context:
    context = event_context(section, reader)
    return context | {"why": REASONS.get(context["event"].facts.get("why", ""), "")}
