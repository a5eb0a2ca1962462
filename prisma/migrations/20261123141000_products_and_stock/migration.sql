-- CreateTable
CREATE TABLE "ecommerce_inventories" (
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
    "product_id" TEXT,
    "description" TEXT,
    "sku" TEXT,
    "quantity" DECIMAL,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_inventories_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "ecommerce_products" (
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
    "status" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_products_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "ecommerce_inventories_svc_organisation_id_svc_id_idx" ON "ecommerce_inventories"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_inventories_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_inventories"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_inventories_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_inventories"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_inventories_svc_organisation_id_svc_created_at_sv_idx" ON "ecommerce_inventories"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_inventories_svc_organisation_id_svc_updated_at_sv_idx" ON "ecommerce_inventories"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_inventories_svc_company_id_product_id_svc_id_idx" ON "ecommerce_inventories"("svc_company_id", "product_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_inventories_svc_company_id_connection_id_platform_key" ON "ecommerce_inventories"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "ecommerce_products_svc_organisation_id_svc_id_idx" ON "ecommerce_products"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_products_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_products"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_products_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_products"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_products_svc_organisation_id_svc_created_at_svc_i_idx" ON "ecommerce_products"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_products_svc_organisation_id_svc_updated_at_svc_i_idx" ON "ecommerce_products"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_products_svc_company_id_connection_id_platform_id_key" ON "ecommerce_products"("svc_company_id", "connection_id", "platform_id");

-- AddForeignKey
ALTER TABLE "ecommerce_inventories" ADD CONSTRAINT "ecommerce_inventories_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_inventories" ADD CONSTRAINT "ecommerce_inventories_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_products" ADD CONSTRAINT "ecommerce_products_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_products" ADD CONSTRAINT "ecommerce_products_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "ecommerce_products_live_idx" ON "ecommerce_products" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('ecommerce_products');

CREATE INDEX "ecommerce_inventories_live_idx" ON "ecommerce_inventories" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('ecommerce_inventories');
