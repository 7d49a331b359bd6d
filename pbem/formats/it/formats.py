"""Italian on the pages of the admin. In figures: in words the first of a month is 1º dicembre, which no format says;
letters and bulletins have `pbem.outbox.rendering.durations`."""

DATE_FORMAT = "d/m/Y"
DATETIME_FORMAT = "d/m/Y H:i"
