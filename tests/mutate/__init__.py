"""Mutations: one small fault at a time in identity, clock and queue, and whether some test finds it."""
