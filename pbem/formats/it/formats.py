"""Italian: 2 dicembre 2026, not 02 Dicembre 2026."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "l j F Y, H:i"
