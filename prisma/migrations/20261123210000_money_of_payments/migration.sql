-- CreateTable
CREATE TABLE "payment_balances" (
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
    "total_balance" DECIMAL,
    "available_balance" DECIMAL,
    "pending_balance" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,

    CONSTRAINT "payment_balances_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_disputes" (
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
    "amount" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "reason_code" TEXT,
    "reason_description" TEXT,
    "status" TEXT,
    "payment_id" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_disputes_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_payouts" (
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
    "amount" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "description" TEXT,
    "status" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_payouts_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_refunds" (
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
    "amount" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "description" TEXT,
    "status" TEXT,
    "payment_id" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_refunds_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_transactions" (
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
    "amount" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "type" TEXT,
    "description" TEXT,
    "status" TEXT,
    "source" TEXT,
    "payout_id" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_transactions_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "payment_balances_svc_organisation_id_svc_id_idx" ON "payment_balances"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_balances_svc_company_id_svc_created_at_svc_id_idx" ON "payment_balances"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_balances_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_balances"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_balances_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_balances"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_balances_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_balances"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_balances_svc_company_id_connection_id_platform_id_key" ON "payment_balances"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_disputes_svc_organisation_id_svc_id_idx" ON "payment_disputes"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_disputes_svc_company_id_svc_created_at_svc_id_idx" ON "payment_disputes"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_disputes_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_disputes"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_disputes_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_disputes"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_disputes_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_disputes"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_disputes_svc_company_id_payment_id_svc_id_idx" ON "payment_disputes"("svc_company_id", "payment_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_disputes_svc_company_id_connection_id_platform_id_key" ON "payment_disputes"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_payouts_svc_organisation_id_svc_id_idx" ON "payment_payouts"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_payouts_svc_company_id_svc_created_at_svc_id_idx" ON "payment_payouts"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_payouts_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_payouts"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_payouts_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_payouts"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_payouts_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_payouts"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_payouts_svc_company_id_connection_id_platform_id_key" ON "payment_payouts"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_refunds_svc_organisation_id_svc_id_idx" ON "payment_refunds"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_refunds_svc_company_id_svc_created_at_svc_id_idx" ON "payment_refunds"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_refunds_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_refunds"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_refunds_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_refunds"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_refunds_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_refunds"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_refunds_svc_company_id_payment_id_svc_id_idx" ON "payment_refunds"("svc_company_id", "payment_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_refunds_svc_company_id_connection_id_platform_id_key" ON "payment_refunds"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_transactions_svc_organisation_id_svc_id_idx" ON "payment_transactions"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_transactions_svc_company_id_svc_created_at_svc_id_idx" ON "payment_transactions"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_transactions_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_transactions"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_transactions_svc_organisation_id_svc_created_at_svc_idx" ON "payment_transactions"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_transactions_svc_organisation_id_svc_updated_at_svc_idx" ON "payment_transactions"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_transactions_svc_company_id_payout_id_svc_id_idx" ON "payment_transactions"("svc_company_id", "payout_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_transactions_svc_company_id_connection_id_platform__key" ON "payment_transactions"("svc_company_id", "connection_id", "platform_id");

-- AddForeignKey
ALTER TABLE "payment_balances" ADD CONSTRAINT "payment_balances_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_balances" ADD CONSTRAINT "payment_balances_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_disputes" ADD CONSTRAINT "payment_disputes_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_disputes" ADD CONSTRAINT "payment_disputes_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_payouts" ADD CONSTRAINT "payment_payouts_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_payouts" ADD CONSTRAINT "payment_payouts_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_refunds" ADD CONSTRAINT "payment_refunds_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_refunds" ADD CONSTRAINT "payment_refunds_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_transactions" ADD CONSTRAINT "payment_transactions_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_transactions" ADD CONSTRAINT "payment_transactions_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE INDEX "payment_balances_live_idx" ON "payment_balances" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_balances');

CREATE INDEX "payment_disputes_live_idx" ON "payment_disputes" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_disputes');

CREATE INDEX "payment_payouts_live_idx" ON "payment_payouts" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_payouts');

CREATE INDEX "payment_refunds_live_idx" ON "payment_refunds" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_refunds');

CREATE INDEX "payment_transactions_live_idx" ON "payment_transactions" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
SELECT svc_protect_table('payment_transactions');
