"""The ways in: SMTP and LMTP, a mailbox, webhooks; behind each of them one `keep`."""
