"""English formats, as in letters: 2 December 2026, 16:50; not Dec. 2, 2026, 4:50 p.m., nor 12/02/2026."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
