-- CreateTable
CREATE TABLE "payment_items" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "svc_integration_type" TEXT NOT NULL,
    "platform_id" TEXT NOT NULL,
    "platform_unique_id" TEXT,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_deleted_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "raw_data" JSONB NOT NULL,
    "raw_data_altered" BOOLEAN NOT NULL DEFAULT false,
    "data_hash" TEXT NOT NULL,
    "mapper_version" INTEGER NOT NULL,
    "platform_version" TEXT,
    "unresolved" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "description" TEXT,
    "code" TEXT,
    "unit_price" DECIMAL,
    "status" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_items_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_subscriptions" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "svc_integration_type" TEXT NOT NULL,
    "platform_id" TEXT NOT NULL,
    "platform_unique_id" TEXT,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_deleted_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "raw_data" JSONB NOT NULL,
    "raw_data_altered" BOOLEAN NOT NULL DEFAULT false,
    "data_hash" TEXT NOT NULL,
    "mapper_version" INTEGER NOT NULL,
    "platform_version" TEXT,
    "unresolved" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "status" TEXT,
    "contact_id" TEXT,
    "payment_method" TEXT,
    "current_start" TIMESTAMPTZ(3),
    "current_end" TIMESTAMPTZ(3),
    "expire_by" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_subscriptions_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_tax_rates" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "svc_integration_type" TEXT NOT NULL,
    "platform_id" TEXT NOT NULL,
    "platform_unique_id" TEXT,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "svc_deleted_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "raw_data" JSONB NOT NULL,
    "raw_data_altered" BOOLEAN NOT NULL DEFAULT false,
    "data_hash" TEXT NOT NULL,
    "mapper_version" INTEGER NOT NULL,
    "platform_version" TEXT,
    "unresolved" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT,
    "description" TEXT,
    "rate" DECIMAL,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_tax_rates_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "payment_items_svc_organisation_id_svc_id_idx" ON "payment_items"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_items_svc_company_id_svc_created_at_svc_id_idx" ON "payment_items"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_items_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_items"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_items_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_items"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_items_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_items"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_items_svc_company_id_connection_id_platform_id_key" ON "payment_items"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_subscriptions_svc_organisation_id_svc_id_idx" ON "payment_subscriptions"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_subscriptions_svc_company_id_svc_created_at_svc_id_idx" ON "payment_subscriptions"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_subscriptions_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_subscriptions"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_subscriptions_svc_organisation_id_svc_created_at_sv_idx" ON "payment_subscriptions"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_subscriptions_svc_organisation_id_svc_updated_at_sv_idx" ON "payment_subscriptions"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_subscriptions_svc_company_id_contact_id_svc_id_idx" ON "payment_subscriptions"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_subscriptions_svc_company_id_connection_id_platform_key" ON "payment_subscriptions"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_tax_rates_svc_organisation_id_svc_id_idx" ON "payment_tax_rates"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_tax_rates_svc_company_id_svc_created_at_svc_id_idx" ON "payment_tax_rates"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_tax_rates_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_tax_rates"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_tax_rates_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_tax_rates"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_tax_rates_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_tax_rates"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_tax_rates_svc_company_id_connection_id_platform_id_key" ON "payment_tax_rates"("svc_company_id", "connection_id", "platform_id");

-- AddForeignKey
ALTER TABLE "payment_items" ADD CONSTRAINT "payment_items_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_items" ADD CONSTRAINT "payment_items_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_subscriptions" ADD CONSTRAINT "payment_subscriptions_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_subscriptions" ADD CONSTRAINT "payment_subscriptions_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_tax_rates" ADD CONSTRAINT "payment_tax_rates_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_tax_rates" ADD CONSTRAINT "payment_tax_rates_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "payment_items_live_idx" ON "payment_items" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_items');

CREATE INDEX "payment_subscriptions_live_idx" ON "payment_subscriptions" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_subscriptions');

CREATE INDEX "payment_tax_rates_live_idx" ON "payment_tax_rates" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_tax_rates');
