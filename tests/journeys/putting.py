"""Plays matches over the API from one side of a race: `python -m tests.journeys.putting TOKEN TOKEN MATCH...`.

Each half-move is chosen by the position alone, so that two processes send the same ones. Prints what each got.
"""

from __future__ import annotations

import sys
from random import Random

import django

django.setup()

from django.test import Client  # noqa: E402 - models exist only now

from pbem.api.access import COUNTS  # noqa: E402
from pbem.matches.models import Match  # noqa: E402

MOST = 40  # half-moves of a match


def put(client: Client, number: int, ply: int, tokens: list[str]) -> int | None:
    """Sends the half-move; returns its status. None when the match is over before it."""
    match = Match.objects.get(pk=number)
    before = match.live_turns().filter(ply=ply - 1).first()
    if match.status == Match.Status.OVER and match.ply <= ply:
        return None
    position = match.at(before.position) if before else match.start_position()
    move = Random(f"{number} {ply}").choice([str(move) for move in position.moves()])
    COUNTS.clear()
    return client.put(
        f"/api/v1/matches/{number}/moves/{ply}",
        {"move": move},
        content_type="application/json",
        headers={"Authorization": f"Bearer {tokens[int(position.to_move)]}"},
    ).status_code


def main(tokens: list[str], numbers: list[int]) -> None:
    client = Client(SERVER_NAME="localhost")
    print("ready", flush=True)
    sys.stdin.readline()
    for number in numbers:
        for ply in range(MOST):
            status = put(client, number, ply, tokens)
            if status is None:
                break
            print(number, ply, status, flush=True)


if __name__ == "__main__":
    first, second, *rest = sys.argv[1:]
    main([first, second], [int(number) for number in rest])
