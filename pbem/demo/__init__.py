"""A demonstration: two scripted players use the whole service through real mail."""
