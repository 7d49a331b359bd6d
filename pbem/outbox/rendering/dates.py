"""Dates as each language writes them: Tuesday 1 December, martedì 1º dicembre."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

_FIRST_OF_MONTH = {"it": "jº"}
_SMALL = ("it",)  # lun 18 mag: Django begins what is abbreviated with a capital in every language
# Django's own Italian begins them with a capital; ours is asked first.
NAMES = (
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June"), _("July")),
    *(_("August"), _("September"), _("October"), _("November"), _("December")),
)


def dated(when: date, layout: str) -> str:
    """`when` in Django's letters for dates, in the active language."""
    first = _FIRST_OF_MONTH.get(str(get_language()), "j") if when.day == 1 else "j"
    said = date_format(when, layout.replace("j", first))
    return said.lower() if get_language() in _SMALL else said
