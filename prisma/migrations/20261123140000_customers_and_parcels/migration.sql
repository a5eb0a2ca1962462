-- AlterTable
ALTER TABLE "ecommerce_orders" ADD COLUMN     "customer_id" TEXT;

-- CreateTable
CREATE TABLE "ecommerce_customers" (
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
    "email" TEXT,
    "phone" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "status" TEXT,
    "address_type" TEXT,
    "address_street" TEXT,
    "address_locality" TEXT,
    "address_city" TEXT,
    "address_state" TEXT,
    "address_pincode" TEXT,
    "address_country" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_customers_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "ecommerce_fulfillments" (
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
    "carrier_name" TEXT,
    "tracking_number" TEXT,
    "tracking_link" TEXT,
    "delivery_service" TEXT,
    "order_id" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_fulfillments_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "ecommerce_customers_svc_organisation_id_svc_id_idx" ON "ecommerce_customers"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_customers_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_customers"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_customers_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_customers"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_customers_svc_organisation_id_svc_created_at_svc__idx" ON "ecommerce_customers"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_customers_svc_organisation_id_svc_updated_at_svc__idx" ON "ecommerce_customers"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_customers_svc_company_id_connection_id_platform_i_key" ON "ecommerce_customers"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "ecommerce_fulfillments_svc_organisation_id_svc_id_idx" ON "ecommerce_fulfillments"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_fulfillments_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_fulfillments"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_fulfillments_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_fulfillments"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_fulfillments_svc_organisation_id_svc_created_at_s_idx" ON "ecommerce_fulfillments"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_fulfillments_svc_organisation_id_svc_updated_at_s_idx" ON "ecommerce_fulfillments"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_fulfillments_svc_company_id_order_id_svc_id_idx" ON "ecommerce_fulfillments"("svc_company_id", "order_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_fulfillments_svc_company_id_connection_id_platfor_key" ON "ecommerce_fulfillments"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "ecommerce_orders_svc_company_id_customer_id_svc_id_idx" ON "ecommerce_orders"("svc_company_id", "customer_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_transactions_svc_company_id_order_id_svc_id_idx" ON "ecommerce_transactions"("svc_company_id", "order_id", "svc_id");

-- AddForeignKey
ALTER TABLE "ecommerce_customers" ADD CONSTRAINT "ecommerce_customers_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_customers" ADD CONSTRAINT "ecommerce_customers_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_fulfillments" ADD CONSTRAINT "ecommerce_fulfillments_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ecommerce_fulfillments" ADD CONSTRAINT "ecommerce_fulfillments_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "ecommerce_customers_live_idx" ON "ecommerce_customers" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('ecommerce_customers');

CREATE INDEX "ecommerce_fulfillments_live_idx" ON "ecommerce_fulfillments" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('ecommerce_fulfillments');
