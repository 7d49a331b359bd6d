"""Letters that arrive: kept, read, believed or not, understood, carried out."""
