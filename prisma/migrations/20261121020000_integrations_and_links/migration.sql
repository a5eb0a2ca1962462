-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "concurrent_calls" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "day_calls" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "day_reset_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "hour_calls" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "hour_reset_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "max_concurrent" INTEGER NOT NULL DEFAULT 10,
ADD COLUMN     "max_per_minute" INTEGER NOT NULL DEFAULT 500,
ADD COLUMN     "minute_calls" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "minute_reset_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "integrations" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "integration_type" TEXT NOT NULL,
    "client_id" TEXT,
    "client_secret" TEXT,
    "is_disabled" BOOLEAN NOT NULL DEFAULT false,
    "is_svc_identity" BOOLEAN NOT NULL DEFAULT false,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("svc_id")
);

-- CreateTable
CREATE TABLE "invite_links" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "invite_link_id" TEXT NOT NULL,
    "integrations" TEXT[],
    "integration_categories" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invite_links_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "webhooks" (
    "id" TEXT NOT NULL,
    "svc_organisation_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data_models" TEXT[],
    "operations" TEXT[],
    "url" TEXT NOT NULL,
    "headers" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "activities" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "activity_type" TEXT NOT NULL,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "integrations_svc_organisation_id_integration_type_key" ON "integrations"("svc_organisation_id", "integration_type");

-- CreateIndex
CREATE UNIQUE INDEX "invite_links_invite_link_id_key" ON "invite_links"("invite_link_id");

-- CreateIndex
CREATE INDEX "invite_links_svc_organisation_id_svc_id_idx" ON "invite_links"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "webhooks_svc_organisation_id_created_at_idx" ON "webhooks"("svc_organisation_id", "created_at");

-- AddForeignKey
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invite_links" ADD CONSTRAINT "invite_links_svc_company_id_fkey" FOREIGN KEY ("svc_company_id") REFERENCES "companies"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_svc_company_id_fkey" FOREIGN KEY ("svc_company_id") REFERENCES "companies"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;