"""Letters that wait their turn, in or out: the rows are the queue, a Celery task only says that one waits."""
