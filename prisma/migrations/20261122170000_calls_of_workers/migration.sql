-- The worker that calls: when it dies, its places are free with its lock, not when their lease ends. Null for requests.
ALTER TABLE "platform_calls" ADD COLUMN "worker_id" TEXT;
