"""Who runs the service, as the letters and the front page name them."""

from django.conf import settings


def run_by() -> str:
    """Name and address, as far as they are set; "" where nobody has set them."""
    return ", ".join(filter(None, (settings.ORGANISER_NAME, settings.ORGANISER_EMAIL)))
