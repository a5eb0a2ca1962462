-- One sequence names everything: a svc_id is one thing, whatever its type.
CREATE SEQUENCE "svc_id_seq" AS BIGINT;

-- CreateTable
CREATE TABLE "organisations" (
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "name" TEXT NOT NULL,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organisations_pkey" PRIMARY KEY ("svc_id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "svc_organisation_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "company_ids" BIGINT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "companies" (
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "svc_organisation_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "partner_id" TEXT,
    "base_currency_code" TEXT,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("svc_id")
);

-- CreateTable
CREATE TABLE "connections" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "integration_type" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "external_account_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "sync_status" TEXT NOT NULL DEFAULT 'IDLE',
    "last_synced_at" TIMESTAMPTZ(3),
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "change_heads" (
    "svc_organisation_id" BIGINT NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "change_heads_pkey" PRIMARY KEY ("svc_organisation_id")
);

-- CreateTable
CREATE TABLE "record_changes" (
    "svc_organisation_id" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "data_model" TEXT NOT NULL,
    "svc_id" BIGINT NOT NULL,
    "operation" TEXT NOT NULL,
    "changes" JSONB,
    "revision" INTEGER NOT NULL,
    "cause" TEXT NOT NULL,
    "cause_id" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "record_changes_pkey" PRIMARY KEY ("svc_organisation_id","position","changed_at")
) PARTITION BY RANGE ("changed_at");

-- CreateTable
CREATE TABLE "accounts" (
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
    "name" TEXT,
    "description" TEXT,
    "nominal_code" TEXT,
    "category" TEXT,
    "sub_category" TEXT,
    "status" TEXT,
    "current_balance" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "parent_account_id" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "currencies" (
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
    "code" TEXT,
    "name" TEXT,
    "symbol" TEXT,
    "is_base_currency" BOOLEAN,
    "exchange_rate" DECIMAL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "currencies_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "contacts" (
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
    "name" TEXT,
    "contact_name" TEXT,
    "contact_type" TEXT,
    "currency_id" TEXT,
    "tax_number" TEXT,
    "registration_number" TEXT,
    "status" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "invoices" (
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
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "document_number" TEXT,
    "posted_date" DATE,
    "due_date" DATE,
    "memo" TEXT,
    "status" TEXT,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_discount" DECIMAL,
    "total_amount" DECIMAL,
    "amount_due" DECIMAL,
    "sales_order_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "invoice_credit_notes" (
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
    "currency_id" TEXT,
    "currency_code" TEXT,
    "document_number" TEXT,
    "invoice_ids" TEXT[],
    "memo" TEXT,
    "posted_date" DATE,
    "remaining_credit" DECIMAL,
    "status" TEXT,
    "tax_amount" DECIMAL,
    "total_amount" DECIMAL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_credit_notes_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "ecommerce_transactions" (
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
    "amount" DECIMAL,
    "fee" DECIMAL,
    "type" TEXT,
    "payment_method" TEXT,
    "status" TEXT,
    "description" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_transactions_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "line_items" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "line_item_type" TEXT,
    "line_item_type_id" TEXT,
    "account_id" TEXT,
    "account_code" TEXT,
    "item_id" TEXT,
    "item_code" TEXT,
    "tax_id" TEXT,
    "description" TEXT,
    "quantity" DECIMAL,
    "unit_amount" DECIMAL,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_amount" DECIMAL,
    "total_discount" DECIMAL,
    "tracking_category_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "line_items_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organisations_name_key" ON "organisations"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_svc_organisation_id_idx" ON "api_keys"("svc_organisation_id");

-- CreateIndex
CREATE INDEX "companies_svc_organisation_id_svc_id_idx" ON "companies"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "companies_svc_organisation_id_svc_created_at_svc_id_idx" ON "companies"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "companies_svc_organisation_id_svc_updated_at_svc_id_idx" ON "companies"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "connections_svc_organisation_id_svc_id_idx" ON "connections"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "connections_svc_company_id_integration_type_category_extern_key" ON "connections"("svc_company_id", "integration_type", "category", "external_account_id");

-- CreateIndex
CREATE INDEX "record_changes_svc_company_id_svc_id_position_idx" ON "record_changes"("svc_company_id", "svc_id", "position");

-- CreateIndex
CREATE INDEX "accounts_svc_organisation_id_svc_id_idx" ON "accounts"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "accounts_svc_company_id_svc_created_at_svc_id_idx" ON "accounts"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "accounts_svc_company_id_svc_updated_at_svc_id_idx" ON "accounts"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "accounts_svc_organisation_id_svc_created_at_svc_id_idx" ON "accounts"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "accounts_svc_organisation_id_svc_updated_at_svc_id_idx" ON "accounts"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "accounts_svc_company_id_connection_id_nominal_code_idx" ON "accounts"("svc_company_id", "connection_id", "nominal_code");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_svc_company_id_connection_id_platform_id_key" ON "accounts"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "currencies_svc_organisation_id_svc_id_idx" ON "currencies"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "currencies_svc_company_id_svc_created_at_svc_id_idx" ON "currencies"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "currencies_svc_company_id_svc_updated_at_svc_id_idx" ON "currencies"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "currencies_svc_organisation_id_svc_created_at_svc_id_idx" ON "currencies"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "currencies_svc_organisation_id_svc_updated_at_svc_id_idx" ON "currencies"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "currencies_svc_company_id_connection_id_platform_id_key" ON "currencies"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "contacts_svc_organisation_id_svc_id_idx" ON "contacts"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "contacts_svc_company_id_svc_created_at_svc_id_idx" ON "contacts"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "contacts_svc_company_id_svc_updated_at_svc_id_idx" ON "contacts"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "contacts_svc_organisation_id_svc_created_at_svc_id_idx" ON "contacts"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "contacts_svc_organisation_id_svc_updated_at_svc_id_idx" ON "contacts"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_svc_company_id_connection_id_platform_id_key" ON "contacts"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "invoices_svc_organisation_id_svc_id_idx" ON "invoices"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "invoices_svc_company_id_svc_created_at_svc_id_idx" ON "invoices"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoices_svc_company_id_svc_updated_at_svc_id_idx" ON "invoices"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoices_svc_organisation_id_svc_created_at_svc_id_idx" ON "invoices"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoices_svc_organisation_id_svc_updated_at_svc_id_idx" ON "invoices"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoices_svc_company_id_contact_id_svc_id_idx" ON "invoices"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_svc_company_id_connection_id_platform_id_key" ON "invoices"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "invoice_credit_notes_svc_organisation_id_svc_id_idx" ON "invoice_credit_notes"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_credit_notes_svc_company_id_svc_created_at_svc_id_idx" ON "invoice_credit_notes"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_credit_notes_svc_company_id_svc_updated_at_svc_id_idx" ON "invoice_credit_notes"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_credit_notes_svc_organisation_id_svc_created_at_svc_idx" ON "invoice_credit_notes"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_credit_notes_svc_organisation_id_svc_updated_at_svc_idx" ON "invoice_credit_notes"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_credit_notes_svc_company_id_contact_id_svc_id_idx" ON "invoice_credit_notes"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_credit_notes_svc_company_id_connection_id_platform__key" ON "invoice_credit_notes"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "ecommerce_transactions_svc_organisation_id_svc_id_idx" ON "ecommerce_transactions"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_transactions_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_transactions"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_transactions_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_transactions"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_transactions_svc_organisation_id_svc_created_at_s_idx" ON "ecommerce_transactions"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_transactions_svc_organisation_id_svc_updated_at_s_idx" ON "ecommerce_transactions"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_transactions_svc_company_id_connection_id_platfor_key" ON "ecommerce_transactions"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "line_items_svc_company_id_parent_svc_id_position_idx" ON "line_items"("svc_company_id", "parent_svc_id", "position");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_svc_company_id_fkey" FOREIGN KEY ("svc_company_id") REFERENCES "companies"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_heads" ADD CONSTRAINT "change_heads_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Partitions of the change log, one a month (UTC). Rows of a month without one land in the default partition, so
-- an insert never fails. The runtime role owns no table, hence SECURITY DEFINER.
CREATE TABLE "record_changes_default" PARTITION OF "record_changes" DEFAULT;

CREATE FUNCTION "svc_ensure_change_partitions"(months_ahead INT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  month TIMESTAMPTZ := date_trunc('month', now());
  partition_name TEXT;
BEGIN
  FOR i IN 0..months_ahead LOOP
    partition_name := 'record_changes_' || to_char(month, '"y"YYYY"m"MM');
    IF to_regclass(partition_name) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE TABLE %I PARTITION OF record_changes FOR VALUES FROM (%L) TO (%L)',
                       partition_name, month, month + interval '1 month');
      EXCEPTION
        WHEN duplicate_table THEN NULL; -- another process was faster
        WHEN check_violation THEN NULL; -- rows of that month stand in the default partition already
      END;
    END IF;
    month := month + interval '1 month';
  END LOOP;
END;
$$;

SELECT "svc_ensure_change_partitions"(3);

-- The role that serves requests: neither owner nor superuser, so that row-level security can be added beneath it.
-- Where the login may not create roles, the service runs as the login itself and says so at start.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'svc_runtime') THEN
    CREATE ROLE svc_runtime NOLOGIN;
  END IF;
  EXECUTE format('GRANT svc_runtime TO %I', current_user);
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
  WHEN insufficient_privilege THEN RAISE NOTICE 'role svc_runtime could not be created or granted';
END;
$$;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'svc_runtime') THEN
    GRANT USAGE ON SCHEMA public TO svc_runtime;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO svc_runtime;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO svc_runtime;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO svc_runtime;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO svc_runtime;
    IF to_regclass('_prisma_migrations') IS NOT NULL THEN
      REVOKE ALL ON "_prisma_migrations" FROM svc_runtime;
    END IF;
  END IF;
END;
$$;
