"""The command `pbem`: what its help lists."""

from pbem.command import PROGRAMS, overview


def test_help_lists_what_an_operator_runs_and_nothing_for_developers() -> None:
    named = {line.split()[0] for line in overview().splitlines() if line.startswith("  ")}
    assert named >= {"setup", "doctor", "backup", "demo", "migrate", *PROGRAMS}
    assert not named & {
        "startapp",
        "flush",
        "makemigrations",
        "test",
        "testserver",
        "collect_messages",
        "write_guide",
    }
    assert max(map(len, overview().splitlines())) <= 120
