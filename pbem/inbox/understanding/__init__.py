"""Free wording: utterances, their intents and slots, ranked candidates, and the policy of what is asked about."""
