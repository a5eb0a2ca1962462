-- Syncs that a platform's event began: what they change was caused by it.
ALTER TABLE "syncs" ADD COLUMN     "told_by_platform" BOOLEAN NOT NULL DEFAULT false;
