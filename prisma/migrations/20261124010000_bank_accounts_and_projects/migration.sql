-- AlterTable
ALTER TABLE "line_items" ADD COLUMN     "project_id" TEXT;

-- CreateTable
CREATE TABLE "bank_accounts" (
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
    "institution_name" TEXT,
    "account_name" TEXT,
    "account_number" TEXT,
    "balance" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "category" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "bank_accounts_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "company_info" (
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
    "legal_name" TEXT,
    "tax_number" TEXT,
    "registration_number" TEXT,
    "base_currency" TEXT,
    "fiscal_start_at" DATE,
    "org_created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "company_info_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "goods_receipt_notes" (
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
    "contact_id" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "description" TEXT,
    "document_number" TEXT,
    "posted_date" DATE,
    "delivery_date" DATE,
    "status" TEXT,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_discount" DECIMAL,
    "total_amount" DECIMAL,
    "payment_mode" TEXT,
    "purchase_order_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "goods_receipt_notes_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "projects" (
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
    "code" TEXT,
    "name" TEXT,
    "description" TEXT,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "bank_accounts_svc_organisation_id_svc_id_idx" ON "bank_accounts"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "bank_accounts_svc_company_id_svc_created_at_svc_id_idx" ON "bank_accounts"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_accounts_svc_company_id_svc_updated_at_svc_id_idx" ON "bank_accounts"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_accounts_svc_organisation_id_svc_created_at_svc_id_idx" ON "bank_accounts"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_accounts_svc_organisation_id_svc_updated_at_svc_id_idx" ON "bank_accounts"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_accounts_svc_company_id_connection_id_platform_id_key" ON "bank_accounts"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "company_info_svc_organisation_id_svc_id_idx" ON "company_info"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "company_info_svc_company_id_svc_created_at_svc_id_idx" ON "company_info"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "company_info_svc_company_id_svc_updated_at_svc_id_idx" ON "company_info"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "company_info_svc_organisation_id_svc_created_at_svc_id_idx" ON "company_info"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "company_info_svc_organisation_id_svc_updated_at_svc_id_idx" ON "company_info"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "company_info_svc_company_id_connection_id_platform_id_key" ON "company_info"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "goods_receipt_notes_svc_organisation_id_svc_id_idx" ON "goods_receipt_notes"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "goods_receipt_notes_svc_company_id_svc_created_at_svc_id_idx" ON "goods_receipt_notes"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "goods_receipt_notes_svc_company_id_svc_updated_at_svc_id_idx" ON "goods_receipt_notes"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "goods_receipt_notes_svc_organisation_id_svc_created_at_svc__idx" ON "goods_receipt_notes"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "goods_receipt_notes_svc_organisation_id_svc_updated_at_svc__idx" ON "goods_receipt_notes"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "goods_receipt_notes_svc_company_id_contact_id_svc_id_idx" ON "goods_receipt_notes"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "goods_receipt_notes_svc_company_id_connection_id_platform_i_key" ON "goods_receipt_notes"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "projects_svc_organisation_id_svc_id_idx" ON "projects"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "projects_svc_company_id_svc_created_at_svc_id_idx" ON "projects"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "projects_svc_company_id_svc_updated_at_svc_id_idx" ON "projects"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "projects_svc_organisation_id_svc_created_at_svc_id_idx" ON "projects"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "projects_svc_organisation_id_svc_updated_at_svc_id_idx" ON "projects"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_svc_company_id_connection_id_platform_id_key" ON "projects"("svc_company_id", "connection_id", "platform_id");

-- AddForeignKey
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_info" ADD CONSTRAINT "company_info_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company_info" ADD CONSTRAINT "company_info_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goods_receipt_notes" ADD CONSTRAINT "goods_receipt_notes_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goods_receipt_notes" ADD CONSTRAINT "goods_receipt_notes_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "bank_accounts_live_idx" ON "bank_accounts" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('bank_accounts');
CREATE INDEX "company_info_live_idx" ON "company_info" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('company_info');
CREATE INDEX "goods_receipt_notes_live_idx" ON "goods_receipt_notes" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('goods_receipt_notes');
CREATE INDEX "projects_live_idx" ON "projects" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('projects');
