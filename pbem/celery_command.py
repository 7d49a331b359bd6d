"""`python -m pbem.celery_command worker ...` is `celery worker ...` without its interactive prompt, which nobody has.

The library of that prompt takes 8 MiB of every worker and of beat.
"""

import sys
from types import ModuleType

from celery.__main__ import main


def without_prompt() -> None:
    """`celery amqp shell`, the only command that would need it, has none."""
    prompt = ModuleType("click_repl")
    prompt.register_repl = lambda group: None  # type: ignore[attr-defined]
    sys.modules.setdefault(prompt.__name__, prompt)


if __name__ == "__main__":
    without_prompt()
    main()
