"""Hands letters over: to the relay, once, at a pace that every domain can bear."""
