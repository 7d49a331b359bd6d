"""Authenticates senders: DKIM, SPF, DMARC, Authentication-Results, and the decision table."""
