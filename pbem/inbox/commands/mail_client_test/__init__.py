"""The letter that tries out the reader's mail program."""
