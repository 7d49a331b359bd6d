"""Italian formats of the admin, in figures, since no format writes 1º dicembre; letters and bulletins use
`pbem.outbox.rendering.durations`."""

DATE_FORMAT = "d/m/Y"
DATETIME_FORMAT = "d/m/Y H:i"
