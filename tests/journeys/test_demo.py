"""The demo as `make demo ONCE=1` runs it: two games by real mail, and a status that tells how they went."""

from __future__ import annotations

import subprocess
import sys
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.demo.play import ENGLISH, Cast, Correspondent, OffScript
from pbem.demo.post_office import Delivery, PostOffice
from tests.journeys.conftest import House
from tests.processes import ROOT, TIMEOUT
from tests.smtp_fixtures import free_port

pytestmark = pytest.mark.prove


def demo(house: House, *, post: str = "") -> subprocess.CompletedProcess[str]:
    addresses = {
        "--door": "{}:{}".format(*house.door),
        "--web": "{}:{}".format(*house.web),
        "--post": post or f"127.0.0.1:{free_port()}",
    }
    flags = [part for pair in addresses.items() for part in pair]
    return subprocess.run(
        [sys.executable, "manage.py", "demo", "--once", *flags],
        cwd=ROOT,
        env=house.env,
        capture_output=True,
        text=True,
        timeout=5 * TIMEOUT,
    )


def test_both_games_are_played_to_the_end_and_it_can_be_repeated(house: House) -> None:
    for _run in range(2):
        done = demo(house)
        assert done.returncode == 0, done.stderr
        assert "is told why not:" in done.stdout
        assert "zertz is over: Bruno wins" in done.stdout
        assert "loa is over: Alice wins" in done.stdout
    letters = house.folder / "letters"
    kinds = [
        message_from_bytes(letter.read_bytes())["X-PBeM-Letter"] for letter in sorted(letters.glob("*.eml"))
    ]
    assert len(kinds) == 79
    assert kinds.count("played") == 2 * 3, "those of the first moves alone: every sender is believed"
    assert kinds.count("result") == 4
    assert kinds[-2:] == ["result", "result"]
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in letters.glob("*.png"))


def test_a_taken_port_is_told_in_one_line(house: House) -> None:
    taken = house.env["EMAIL_URL"].removeprefix("smtp://")
    done = demo(house, post=taken)
    assert done.returncode == 1
    assert done.stderr.startswith(f"CommandError: The post office of the players cannot listen on {taken}")
    assert "Traceback" not in done.stderr


def test_a_letter_that_the_script_does_not_expect_ends_the_play(tmp_path: Path) -> None:
    post = PostOffice(f"127.0.0.1:{free_port()}", tmp_path)
    raw = b"X-PBeM-Letter: refused\r\n\r\nThe rules do not allow this move.\r\n"
    post._deliver(Delivery("alice@players.localhost", raw, message_from_bytes(raw, policy=policy.default)))
    alice = Correspondent("Alice", "alice@players.localhost", "", post, ("127.0.0.1", 1))
    with pytest.raises(OffScript, match="expected a welcome letter"):
        Cast({"Alice": alice}, {"Alice": ENGLISH}, print)._expect("Alice", "welcome")
