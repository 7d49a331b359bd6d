"""Letters that leave: what to tell whom, composed, sent and tried again."""
