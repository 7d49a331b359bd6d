"""Delivers letters through the relay: SMTP, throttling, bounces and redelivery."""
