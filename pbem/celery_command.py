"""Runs `python -m pbem.celery_command worker ...` as `celery worker ...` without the interactive prompt,
which takes 8 MiB of every worker and of beat."""

import sys
from types import ModuleType

from celery.__main__ import main


def without_prompt() -> None:
    """Replaces the library of the prompt, which only `celery amqp shell` needs."""
    prompt = ModuleType("click_repl")
    prompt.register_repl = lambda group: None  # type: ignore[attr-defined]
    sys.modules.setdefault(prompt.__name__, prompt)


if __name__ == "__main__":
    without_prompt()
    main()
