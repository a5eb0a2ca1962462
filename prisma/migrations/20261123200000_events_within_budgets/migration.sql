-- What a platform's events name is read by its ids; null: whatever has changed.
ALTER TABLE "sync_jobs" ADD COLUMN "platform_ids" TEXT[];
-- When events may next begin a sync, so that what is left of a platform's day lasts.
ALTER TABLE "connections" ADD COLUMN "told_until" TIMESTAMPTZ(3);
