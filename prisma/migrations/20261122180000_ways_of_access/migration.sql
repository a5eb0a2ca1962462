-- Where a connection's platform is, for those with an address of their own, and what else is known of it. What is secret
-- stands with its tokens.
ALTER TABLE "connections" ADD COLUMN "address" TEXT,
ADD COLUMN "settings" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "connection_credentials" ADD COLUMN "secrets" TEXT;

ALTER TABLE "integrations" ADD COLUMN "scopes" TEXT[] NOT NULL DEFAULT '{}';

-- What was typed in before the platform was asked, and what it gave until one of its accounts is chosen.
ALTER TABLE "authorizations" ADD COLUMN "held" TEXT;
