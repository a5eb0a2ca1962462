-- A platform's minute rolls: calls are counted in slots of five seconds, the newest first.
ALTER TABLE "connections" ADD COLUMN "recent_calls" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN "recent_slot" BIGINT NOT NULL DEFAULT 0,
-- What the platform says is left of its day, and when it said so.
ADD COLUMN "day_left" INTEGER,
ADD COLUMN "day_left_at" TIMESTAMPTZ(3);
