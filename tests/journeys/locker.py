"""`python locker.py FILE TIMES SECONDS PAUSE`: locks an SQLite file so often and for so long."""

import sqlite3
import sys
import time

PATIENCE = 60.0  # seconds; the service may be writing


def lock(file: str, times: int, seconds: float, pause: float) -> None:
    """Nobody else can write for so long, then everybody for the pause."""
    connection = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)
    for _ in range(times):
        connection.execute("BEGIN EXCLUSIVE")
        print("locked", flush=True)
        time.sleep(seconds)
        connection.execute("ROLLBACK")
        time.sleep(pause)


if __name__ == "__main__":
    lock(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
