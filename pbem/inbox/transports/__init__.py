"""The transports of incoming mail (SMTP and LMTP, IMAP, webhooks) and the store that they share."""
