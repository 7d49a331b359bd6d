"""What robots look into because somebody asks: rows, which `pbem.robots` fills."""
