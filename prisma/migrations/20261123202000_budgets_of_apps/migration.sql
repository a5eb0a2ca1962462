-- The rolling minute of an app, which all its connections share; like those of connections.
ALTER TABLE "integrations" ADD COLUMN "recent_calls" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN "recent_slot" BIGINT NOT NULL DEFAULT 0;

-- Where calls cost points: what was left of them at a time, how many there can be, and how many come back in a second.
ALTER TABLE "connections" ADD COLUMN "points_left" DOUBLE PRECISION,
ADD COLUMN "points_at" TIMESTAMPTZ(3),
ADD COLUMN "points_capacity" DOUBLE PRECISION,
ADD COLUMN "points_per_second" DOUBLE PRECISION;
