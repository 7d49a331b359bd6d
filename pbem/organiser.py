"""The organiser's name, as in letters and on the front page."""

from django.conf import settings


def run_by() -> str:
    """Returns name and address, as far as they are set; "" when neither is."""
    return ", ".join(filter(None, (settings.ORGANISER_NAME, settings.ORGANISER_EMAIL)))
