-- CreateTable
CREATE TABLE "ecommerce_balances" (
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
    "available_balance" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,

    CONSTRAINT "ecommerce_balances_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "ecommerce_company_infos" (
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
    "website" TEXT,
    "email" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_company_infos_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "ecommerce_balances_svc_organisation_id_svc_id_idx" ON "ecommerce_balances"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_balances_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_balances"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_balances_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_balances"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_balances_svc_organisation_id_svc_created_at_svc_i_idx" ON "ecommerce_balances"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_balances_svc_organisation_id_svc_updated_at_svc_i_idx" ON "ecommerce_balances"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_balances_svc_company_id_connection_id_platform_id_key" ON "ecommerce_balances"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "ecommerce_company_infos_svc_organisation_id_svc_id_idx" ON "ecommerce_company_infos"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_company_infos_svc_company_id_svc_created_at_svc_i_idx" ON "ecommerce_company_infos"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_company_infos_svc_company_id_svc_updated_at_svc_i_idx" ON "ecommerce_company_infos"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_company_infos_svc_organisation_id_svc_created_at__idx" ON "ecommerce_company_infos"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_company_infos_svc_organisation_id_svc_updated_at__idx" ON "ecommerce_company_infos"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_company_infos_svc_company_id_connection_id_platfo_key" ON "ecommerce_company_infos"("svc_company_id", "connection_id", "platform_id");

-- AddForeignKey
ALTER TABLE "ecommerce_balances" ADD CONSTRAINT "ecommerce_balances_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_balances" ADD CONSTRAINT "ecommerce_balances_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_company_infos" ADD CONSTRAINT "ecommerce_company_infos_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_company_infos" ADD CONSTRAINT "ecommerce_company_infos_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "ecommerce_balances_live_idx" ON "ecommerce_balances" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "ecommerce_company_infos_live_idx" ON "ecommerce_company_infos" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('ecommerce_balances');
SELECT svc_protect_table('ecommerce_company_infos');
