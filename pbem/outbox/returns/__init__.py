"""What comes back: addresses that send our letters back are counted, paused, probed and brought back."""
