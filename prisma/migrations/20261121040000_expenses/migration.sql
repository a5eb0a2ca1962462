-- CreateTable
CREATE TABLE "expenses" (
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
    "unresolved" BOOLEAN NOT NULL DEFAULT false,
    "contact_id" TEXT,
    "account_id" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "document_number" TEXT,
    "posted_date" DATE,
    "payment_mode" TEXT,
    "memo" TEXT,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_discount" DECIMAL,
    "total_amount" DECIMAL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "expenses_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "expenses_svc_organisation_id_svc_id_idx" ON "expenses"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "expenses_svc_company_id_svc_created_at_svc_id_idx" ON "expenses"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "expenses_svc_company_id_svc_updated_at_svc_id_idx" ON "expenses"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "expenses_svc_organisation_id_svc_created_at_svc_id_idx" ON "expenses"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "expenses_svc_organisation_id_svc_updated_at_svc_id_idx" ON "expenses"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "expenses_svc_company_id_contact_id_svc_id_idx" ON "expenses"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "expenses_svc_company_id_connection_id_platform_id_key" ON "expenses"("svc_company_id", "connection_id", "platform_id");
