"""Lets an engine play over HTTP: asks PBeM for turns, and answers each with the engine's move.

    python3 robot_by_http.py https://pbem.example pbem_abc... /opt/engine --quiet

takes the address of the service, a token that allows play, and the engine, which reads a line of JSON and prints
another (robots.md says what they hold). It goes on until it is stopped, and may be stopped at any time: a move that
came through is not played twice. PAUSE seconds lie between two questions: 60.
"""

import json
import os
import subprocess
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Service:
    def __init__(self, root: str, token: str) -> None:
        self.root, self.token, self.known = f"{root}/api/v1", token, ""

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[dict, str]:
        data = None if body is None else json.dumps(body).encode()
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = Request(f"{self.root}{path}", data, headers, method=method)
        with urlopen(request, timeout=30) as answer:
            return json.load(answer), answer.headers.get("ETag", "")

    def turns(self) -> list[dict]:
        """The matches in which it is our turn; none while nothing has changed."""
        told, self.known = self.call("GET", "/me/turns", **{"If-None-Match": self.known})
        return told["items"]

    def play(self, turn: dict, move: str) -> None:
        try:
            self.call("PUT", f"/matches/{turn['match']}/moves/{turn['ply']}", {"move": move})
        except HTTPError as problem:
            if problem.code != 409:  # it has gone on meanwhile, or is paused
                raise


def think(question: dict, seed: str, command: list[str]) -> str:
    line = json.dumps(question | {"level": 3, "seed": seed})
    done = subprocess.run(command, input=line + "\n", stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["move"]


def run(service: Service, command: list[str], pause: float) -> None:
    while True:
        wait = pause
        try:
            for turn in service.turns():
                service.play(turn, think(turn["question"], f"{turn['match']} {turn['ply']}", command))
        except HTTPError as problem:
            if problem.code in (401, 403, 422):  # nothing that will be better by itself
                sys.exit(problem.read().decode())
            if problem.code != 304:  # nothing new
                service.known = ""
            wait = float(problem.headers.get("Retry-After") or pause)
        except (OSError, HTTPException, ValueError):  # the service is down, or went down while it answered
            service.known = ""
        time.sleep(wait)


if __name__ == "__main__":
    root, token, *command = sys.argv[1:]
    run(Service(root, token), command, float(os.environ.get("PAUSE", "60")))
