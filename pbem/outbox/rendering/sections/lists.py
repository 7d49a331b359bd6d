"""Builds sections that list matches, games, players and open offers, and welcome or invite readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext

from games.pages import brief
from games.protocol import Side
from games.registry import families, find, games, in_words
from pbem.matches.matchmaking.directory import Listed, listed
from pbem.matches.matchmaking.eligibility import reliability_of
from pbem.matches.matchmaking.seeks import open_to
from pbem.matches.models import Invitation, Match, Seat, Seek
from pbem.outbox.notifications.kinds import Section
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.durations import in_short
from pbem.outbox.rendering.recipient import Context, Reader, standings
from pbem.outbox.rendering.rules_page import guide_page, robots_page, rules_page
from pbem.outbox.signed_addresses import never_again_url, play_address
from pbem.players.models import Player
from pbem.players.services import suggested_name
from pbem.players.zones import city_of
from pbem.ratings.leaderboards import rating_at, told_strength
from pbem.wording import fold

# Invitations by address


def _about_invitation(section: Section, reader: Reader) -> Context:
    """Returns the common facts. They identify the invitee by address only."""
    invitation = Invitation.objects.select_related("challenger").get(pk=section["invitation"])
    return {
        "invitation": invitation,
        "name": invitation.challenger.name,
        "address": invitation.address,
        "title": reader.title(invitation.game),
        "variant": in_words(invitation.game_name, reader.language),
        "terms": invitation.agreed,
    }


def invited_section(section: Section, reader: Reader) -> Context:
    about = _about_invitation(section, reader)
    invitation: Invitation = about["invitation"]
    said = invitation.message if section["kind"] == "invited" else ""
    return about | {"first": invitation.side == Side.FIRST, "message": said, "is_actor": True}


def uninvited_section(section: Section, reader: Reader) -> Context:
    """Adds the invitee's message."""
    about = _about_invitation(section, reader)
    return about | {"message": section.get("message", ""), "actor": about["address"]}


def after_all_section(section: Section, reader: Reader) -> Context:
    about = uninvited_section(section, reader)
    otherwise = section.get("otherwise", False)
    return about | {"game": section.get("game") or about["invitation"].game_name, "otherwise": otherwise}


def reconsidered_section(section: Section, reader: Reader) -> Context:
    return _about_invitation(section, reader) | {
        "heard": section.get("heard", False),
        "lost": section.get("lost", ""),
    }


def invites_section(section: Section, reader: Reader) -> Context:
    about = _about_invitation(section, reader)
    invitation: Invitation = about["invitation"]
    match = _match(invitation, reader)
    board = _board(match, reader)
    return (
        {**section}
        | about
        | {
            "known": reliability_of(invitation.challenger, invitation.asked_at),
            "seat": match.seated[1 - invitation.side],
            "first_name": invitation.challenger.name,
            "brief": brief(invitation.game.rules_page(reader.language)),
            "game": invitation.game.key,
            "names": _names(section, invitation, reader),
            "never": never_again_url(invitation),
            "board": board,
            "opening": _opening(invitation, board),
            "actor": invitation.challenger.name,
            "message": invitation.message,
        }
    )


def what_now(pk: int, reader: Reader) -> Context:
    """Returns how to answer the invitation, for an invitee who asked for the rules."""
    invitation = Invitation.objects.select_related("challenger").get(pk=pk)
    board = _board(_match(invitation, reader), reader)
    return {
        "invitation": invitation,
        "name": invitation.challenger.name,
        "names": _names({}, invitation, reader),
        "opening": _opening(invitation, board),
    }


def _names(section: Section, invitation: Invitation, reader: Reader) -> Sequence[str]:
    """Returns the players' names at the address, else a stranger's chosen or suggested name."""
    others: Sequence[str] = section.get("others", ())
    called = "" if reader.player else section.get("called") or suggested_name(invitation.address)
    return others or list(filter(None, [called]))


def _opening(invitation: Invitation, board: Board) -> tuple[str, ...]:
    """Returns an example of the first move when it is the guest's."""
    return board.examples(1) if invitation.side == Side.SECOND else ()


def _board(match: Match, reader: Reader) -> Board:
    start = match.current()
    return Board(
        match=match,
        ply=0,
        notation=reader.notation,
        before=None,
        last=None,
        after=start,
        recent=(),
        positions={0: start},
        look=reader.look,
    )


def _match(invitation: Invitation, reader: Reader) -> Match:
    """Returns an unsaved match for the board. A stranger is named after their mailbox."""
    game = invitation.game
    match = Match(game_name=invitation.game_name, rules_version=game.version, setup=invitation.setup)
    match.position = str(match.start_position())
    called = [*_names({}, invitation, reader), invitation.address.partition("@")[0]]
    friend = reader.player or Player(name=called[0])
    seats = [
        Seat(match=match, side=invitation.side, player=invitation.challenger),
        Seat(match=match, side=1 - invitation.side, player=friend),
    ]
    first, second = sorted(seats, key=lambda seat: seat.side)
    match.seated = (first, second)
    return match


MOST_LISTED = 100  # matches per letter


def games_section(section: Section, reader: Reader) -> Context:
    """Lists all matches, or `only` one, which may be over. Without `only`, also what can be played."""
    if section.get("only") is not None:
        return {"matches": standings([reader.match(section["only"])], reader)}
    return _standings(reader) | ({} if "only" in section else {"games": known_games(reader)})


def _standings(reader: Reader) -> Context:
    """Returns the reader's matches and the observed ones."""
    if reader.player is None:
        return {"matches": []}
    mine = Match.objects.alive().of(reader.player).order_by("pk")
    watched = Match.objects.filter(watchings__player=reader.player, status=Match.Status.PLAYING)
    return {
        "matches": standings(mine[:MOST_LISTED], reader),
        "more": max(0, mine.count() - MOST_LISTED),
        "watched": standings(watched.order_by("pk")[:MOST_LISTED], reader),
    }


def help_section(section: Section, reader: Reader) -> Context:
    if section.get("guide"):
        page = guide_page(reader.notation, play_address(), reader.look.palette)
        return {"page": page, "title": gettext("The player's guide"), "guide": True}
    if section.get("robots"):
        return {"page": robots_page(reader.language), "title": gettext("Robots"), "guide": True}
    if topic := section.get("topic"):
        game = find(topic)[0]
        rules = {
            "page": rules_page(game, reader.notation, reader.look.palette),
            "title": reader.title(game),
            "game": game.key,
            "seat": section.get("seat"),
        }
        asked = section.get("invitation")
        return rules | (what_now(asked, reader) if asked else {})
    shelves = _shelves(reader)
    if essentials := section.get("essentials"):
        rows = [{"how": how, "what": what, **_chip(how.split()[0])} for how, what in essentials]
        more = [_chip(gettext("GUIDE")), _chip(gettext("ALL"))]
        width = max(len(how) for how, _ in essentials) + 2
        taps = [*rows, *_chips(shelves), *more]
        return {"essentials": rows, "shelves": shelves, "chips": more, "taps": taps, "width": width}
    if contents := section.get("contents"):
        chapters = [{"title": title, "chips": [_chip(*each) for each in named]} for title, named in contents]
        return {"contents": [*chapters, *shelves], "taps": _chips([*chapters, *shelves])}
    return {"chapters": section["chapters"], "verb": section.get("verb", "")}


def _shelves(reader: Reader) -> list[Context]:
    """Returns the families with a chip for the rules of each game."""
    return [
        {"title": family, "chips": [_chip(game.key) for game in members]}
        for family, members in families(reader.language).items()
    ]


def _chips(chapters: Iterable[Context]) -> list[Context]:
    return [chip for chapter in chapters for chip in chapter["chips"]]


def _chip(label: str, word: str = "") -> Context:
    """Returns a chip that asks for the help on a word, by default its label."""
    return {"label": label, "command": f"{gettext('HELP')} {word or label}", "on": False}


def known_games(reader: Reader) -> list[Context]:
    """Returns the games, family by family."""
    found = [
        (family, game.key, game.phrases(reader.language))
        for family, members in families(reader.language).items()
        for game in members
    ]
    return [
        {"family": family, "name": key, "title": said["name"], "summary": said["summary"]}
        for family, key, said in found
    ]


# Directory of players

EXAMPLE = "loa"  # game for players without known preferences


def players_section(section: Section, reader: Reader) -> Context:
    """Lists players with names and figures, never addresses."""
    game = section.get("game", "")
    found = (
        listed(reader.player, game=game, now=datetime.fromisoformat(section["at"])) if reader.player else []
    )
    players = [_line(entry, game, reader) for entry in found]
    return {
        "players": players,
        "taps": players,
        "robot": None if found or not reader.player else Player.objects.robots().first(),
        "game": game or EXAMPLE,
        "title": _title(game, reader) if game else "",
        "in_it": reader.player is not None and reader.player.listed,
    }


def _line(entry: Listed, game: str, reader: Reader) -> Context:
    named = game or next(iter(entry.games), EXAMPLE)
    return {
        "name": entry.player.name,
        "plays": [_title(key, reader) for key in entry.games],
        "known": entry.known,
        "command": gettext("CHALLENGE %(name)s %(game)s") % {"name": entry.player.name, "game": named},
    }


def _title(key: str, reader: Reader) -> str:
    return reader.title(games()[key]) if key in games() else key


# Open offers


def open_section(section: Section, reader: Reader) -> Context:
    """Lists the offers open to the reader and their own. After a change, their own only."""
    player, now = reader.player, datetime.fromisoformat(section["at"])
    changed = section.get("made") or section.get("closed")
    seeks = open_to(player, game=section.get("game", ""), now=now, rating=rating_at(now)) if player else []
    shown = [seek for seek in seeks if not changed or seek.player == player]
    made = next((seek for seek in shown if seek.pk == section.get("made")), None)
    waiting = made or next((seek for seek in shown if seek.player == player), None)
    same = [seek for seek in seeks if made and seek.player != player and seek.game.key == made.game.key]
    offers, others = ([_seek_line(seek, reader, now) for seek in each] for each in (shown, same))
    return {
        "made": section.get("made"),
        "closed": section.get("closed"),
        "joined": section.get("joined", False),
        "offers": offers,
        "same": others,
        "taps": [*offers, *others],
        "waiting": waiting is not None,
        "robot": Player.objects.robots().first() if player and (waiting or not (shown or changed)) else None,
        "named": waiting.game.key if waiting else section.get("game") or EXAMPLE,
        "game": reader.title(games()[section["game"]]) if section.get("game") else "",
    }


def _seek_line(seek: Seek, reader: Reader, now: datetime) -> Context:
    yours = seek.player == reader.player
    return {
        "number": seek.pk,
        "command": (gettext("CLOSE %(number)s") if yours else gettext("JOIN %(number)s"))
        % {"number": seek.pk},
        "title": reader.title(seek.game),
        "variant": in_words(seek.game_name, reader.language),
        "name": seek.player.name,
        "yours": yours,
        "keep": seek.keep,
        "terms": seek.agreed,
        "first": "" if seek.side is None else "offerer" if seek.side == Side.FIRST else "other",
        "on_time": seek.on_time,
        "conditions": seek.conditions,
        "writes": gettext(dict(settings.LANGUAGES)[seek.language]) if seek.language else "",
        "known": None if yours else reliability_of(seek.player, now),
        "strength": None if yours else told_strength(seek.player, seek.game_name, now),
    }


def offer_of(number: int, reader: Reader, now: datetime) -> Context | None:
    """Returns the line of an offer that the reader is asked about. None when it is gone."""
    seek = Seek.objects.select_related("player").filter(pk=number).first()
    return _seek_line(seek, reader, now) if seek else None


# Welcome: commands to start a match by one tap

MOST_OFFERS = 3


def welcome_section(section: Section, reader: Reader) -> Context:
    now = reader.written_at
    open_now = open_to(reader.player, now=now, rating=rating_at(now)) if reader.player else []
    seeks = [seek for seek in open_now if seek.player != reader.player]
    robot = Player.objects.robots().first()
    taps: list[Context] = [{"way": "robot", "command": _challenge(robot)}] if robot else []
    taps += [{"way": "friend", "command": gettext("CHALLENGE friend@example.org loa")}]
    taps += [_join(seek, reader) for seek in seeks[:MOST_OFFERS]]
    if not seeks:
        taps.append({"way": "offer", "command": gettext("OFFER loa")})
    taps.append({"way": "listed", "command": gettext("SET LISTED yes")})
    zones = [_zone(name, reader) for name in section.get("zones", ())]
    shelves = _shelves(reader)
    return {"ways": taps, "taps": [*taps, *zones, *_chips(shelves)], "shelves": shelves, "zones": zones}


def _zone(name: str, reader: Reader) -> Context:
    city = city_of(name, reader.language)
    chosen = reader.player is not None and reader.player.zone == name
    return {"label": city, "command": gettext("SET ZONE %(city)s") % {"city": city}, "on": chosen}


def _challenge(robot: Player, game: str = EXAMPLE) -> str:
    return gettext("CHALLENGE %(name)s %(game)s") % {"name": robot.name, "game": game}


def _join(seek: Seek, reader: Reader) -> dict[str, str]:
    return {
        "way": "join",
        "command": gettext("JOIN %(number)s") % {"number": seek.pk},
        "name": seek.player.name,
        "title": reader.title(seek.game),
        "clock": in_short(seek.agreed),
    }


def invitation_section(section: Section, reader: Reader) -> Context:
    """Explains how to start, with the other games."""
    known = {game["name"]: game["title"] for game in known_games(reader)}
    games = _others(known, section.get("game") or EXAMPLE)
    robot = Player.objects.robots().first()
    about = next((each for each in known_games(reader) if each["name"] == section.get("game")), None)
    said = {"games": games, "robot": robot.name if robot else "", "about": about}
    return {
        **section,
        **said,
        "proposes": bool(robot and section.get("proposed")),
        **_absent(section, reader),
    }


def game_section(section: Section, reader: Reader) -> Context:
    """Describes a game and, unless it is `played`, how to start a match."""
    about = next(each for each in known_games(reader) if each["name"] == section["game"])
    game, robot = section["game"], Player.objects.robots().first()
    friend = gettext("CHALLENGE friend@example.org %(game)s") % {"game": game}
    taps = [{"way": "robot", "command": _challenge(robot, game)}] if robot else []
    taps += [
        {"way": "a_friend", "command": friend},
        {"way": "offer", "command": f"{gettext('OFFER')} {game}"},
    ]
    page = brief(find(game)[0].rules_page(reader.language))
    return {"about": about, "game": game, "brief": page, "taps": [] if section.get("played") else taps}


def signup_section(section: Section, reader: Reader) -> Context:
    """Asks a stranger to sign up, with the other games where none was named."""
    yes = f"{gettext('YES')} {section['name'] if section.get('taken') else ''}".strip()
    robots = Player.objects.robots().exists()
    asked: Context = {**section, "yes": yes, "robots": robots, **_absent(section, reader)}
    known = {game["name"]: game["title"] for game in known_games(reader)}
    if not section.get("example"):
        return asked | {"title": known.get(section.get("game", ""), "")}
    return asked | {"title": known[EXAMPLE], "games": _others(known, EXAMPLE)}


def about_section(section: Section, reader: Reader) -> Context:
    return {**section, **_absent(section, reader)}


def _absent(section: Section, reader: Reader) -> Context:
    """Lists the games and the nearest one, when a stranger asked for an unknown game."""
    if not section.get("absent"):
        return {}
    known = known_games(reader)
    nearest = next((game for game in known if game["name"] == section["nearest"]), None)
    return {"nearest": nearest, "played_here": _others({game["name"]: game["title"] for game in known}, "")}


def _others(known: Mapping[str, str], shown: str) -> list[str]:
    return [
        name if fold(title) == name else f"{name} ({title})" for name, title in known.items() if name != shown
    ]
