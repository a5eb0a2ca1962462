-- What a subscriber may set, and what its events are signed with. Webhooks that are there have no secret yet: they are
-- switched on once they have one.
ALTER TABLE "webhooks" ADD COLUMN "company_ids" BIGINT[],
ADD COLUMN "enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "secret" TEXT,
ADD COLUMN "old_secret" TEXT,
ADD COLUMN "old_secret_until" TIMESTAMPTZ(3),
ADD COLUMN "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
