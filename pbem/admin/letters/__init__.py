"""Letters at the desk: in, out, returned, and set aside."""
