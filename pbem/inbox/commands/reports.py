"""Reports to the organiser."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.inbox import personal
from pbem.inbox.commands.command import Report
from pbem.inbox.commands.line import CommandLine, match_of
from pbem.inbox.commands.matchmaking import player_called
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Message, Player


def _read_report(line: CommandLine) -> Report | None:
    # In small letters only with a match, in a letter of its own: "Report to me tomorrow" is talk.
    match, text = match_of(line, marked=line.own is not None and not line.capitals)
    if match is None and line.own is None and not text:
        return None
    return Report(text, match) if line.capitals or (line.own is None and match is not None) else None


LATEST = 5  # messages of the reported player that go with it


def _report(context: CommandContext, report: Report) -> None:
    """Keeps the report for the organiser; the opponent gets no lines below it. Refuses C01, G01 and D18."""
    reason = "\n".join(filter(None, (report.text, context.chat)))
    context.chat = ""
    seat = _seat(context, report)
    if seat is None:
        who, _, reason = reason.partition(" ")
        other = player_called(context, who, known=Player.objects.all())
        about, said = "", _written(other, context.player)
    else:
        other, about, said = seat.opponent.player, f"{seat.match}\n\n", _said(seat)
    quoted = "".join(f"\n\n{other.name}:\n{_behind(words)}" for words in said)
    personal.keep(
        context,
        subject=f"REPORT {other.name}",
        text=f"{about}{reason}{quoted}",
        doubted=not (context.responder.identified or context.asked_at),
    )
    context.reply({"kind": "to_organiser", "reported": other.name})


def _seat(context: CommandContext, report: Report) -> Seat | None:
    """Returns the seat that is reported from. None when the text names a player, or there is no match."""
    if report.match is not None:
        return context.seat(report.match)
    named = Player.objects.called(report.text.partition(" ")[0].rstrip(":,"))
    return context.seat(None) if named is None and context.own is not None else None


def _said(seat: Seat) -> Iterable[str]:
    """Returns the opponent's messages in the match, the latest first."""
    match: Match = seat.match
    turns = Turn.objects.filter(match=match, side=seat.opponent.side).exclude(message="")
    events = match.events.filter(kind=Event.Kind.SAID, side=seat.opponent.side)
    said = [(at, words) for at, words in turns.values_list("played_at", "message").order_by("-pk")[:LATEST]]
    said += [(event.happened_at, str(event.facts["text"])) for event in events.order_by("-pk")[:LATEST]]
    return [words for _, words in sorted(said, reverse=True)[:LATEST]]


def _written(sender: Player, reader: Player) -> Iterable[str]:
    messages = Message.objects.between(sender, reader).order_by("-pk")
    return messages.values_list("text", flat=True)[:LATEST]


def _behind(words: str) -> str:
    return "\n".join(f"> {line}" for line in words.splitlines())


VERBS: Verbs = {
    Report: (_read_report, _report),
}
