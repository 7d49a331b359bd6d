"""The dialogue with a player: questions that wait for an answer, their answers, and other free wording."""
