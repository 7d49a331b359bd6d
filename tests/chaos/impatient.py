"""The settings of the house, and what has no variable of its own, shortened so that a run ends today."""

from pbem.settings import *  # noqa: F403
from pbem.settings import CELERY_BEAT_SCHEDULE

DIGESTS = 2.0  # seconds between two looks at whose is due
CELERY_BEAT_SCHEDULE = CELERY_BEAT_SCHEDULE | {
    "digests": CELERY_BEAT_SCHEDULE["digests"] | {"schedule": DIGESTS, "options": {"expires": DIGESTS}}
}
