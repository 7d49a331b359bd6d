"""Mail queues in and out: the rows are the queue, a Celery task only signals that one waits."""
