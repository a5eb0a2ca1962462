-- CreateTable
CREATE TABLE "tax_rates" (
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
    "code" TEXT,
    "tax_type" TEXT,
    "effective_tax_rate" DECIMAL,
    "total_tax_rate" DECIMAL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "tax_rates_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "tax_rate_components" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "name" TEXT,
    "rate" DECIMAL,
    "tax_agency" TEXT,
    "is_compound" BOOLEAN,

    CONSTRAINT "tax_rate_components_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "tracking_categories" (
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
    "status" TEXT,
    "parent_id" TEXT,
    "has_children" BOOLEAN,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "tracking_categories_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "items" (
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
    "code" TEXT,
    "status" TEXT,
    "type" TEXT,
    "quantity_on_hand" DECIMAL,
    "is_bill_item" BOOLEAN,
    "is_invoice_item" BOOLEAN,
    "bill_item_account_id" TEXT,
    "bill_item_tax_id" TEXT,
    "bill_item_unit_price" DECIMAL,
    "bill_item_description" TEXT,
    "invoice_item_account_id" TEXT,
    "invoice_item_tax_id" TEXT,
    "invoice_item_unit_price" DECIMAL,
    "invoice_item_description" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "items_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "bills" (
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
    "purchase_order_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "bills_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "bill_credit_notes" (
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
    "bill_ids" TEXT[],
    "memo" TEXT,
    "posted_date" DATE,
    "remaining_credit" DECIMAL,
    "status" TEXT,
    "tax_amount" DECIMAL,
    "total_amount" DECIMAL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "bill_credit_notes_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "bill_payments" (
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
    "payment_id" TEXT,
    "bill_id" TEXT,
    "credit_note_id" TEXT,
    "account_id" TEXT,
    "contact_id" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "amount" DECIMAL,
    "payment_mode" TEXT,
    "document_number" TEXT,
    "memo" TEXT,
    "payment_date" DATE,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "bill_payments_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "invoice_payments" (
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
    "payment_id" TEXT,
    "invoice_id" TEXT,
    "credit_note_id" TEXT,
    "account_id" TEXT,
    "contact_id" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "amount" DECIMAL,
    "payment_mode" TEXT,
    "document_number" TEXT,
    "memo" TEXT,
    "payment_date" DATE,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoice_payments_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "purchase_orders" (
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
    "bill_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "purchase_orders_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "sales_orders" (
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
    "description" TEXT,
    "document_number" TEXT,
    "posted_date" DATE,
    "delivery_date" DATE,
    "status" TEXT,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_discount" DECIMAL,
    "total_amount" DECIMAL,
    "invoice_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "sales_orders_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "journal_entries" (
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
    "account_id" TEXT,
    "amount" DECIMAL,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "description" TEXT,
    "document_number" TEXT,
    "journal_entry_type" TEXT,
    "posted_date" DATE,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "journal_entries_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "journal_lines" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "journal_entry_id" TEXT,
    "account_id" TEXT,
    "account_code" TEXT,
    "contact_id" TEXT,
    "description" TEXT,
    "type" TEXT,
    "net_amount" DECIMAL,
    "tax_amount" DECIMAL,
    "tax_id" TEXT,
    "tracking_category_ids" TEXT[],
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "journal_lines_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "bank_transactions" (
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
    "account_id" TEXT,
    "from_account_id" TEXT,
    "to_account_id" TEXT,
    "contact_id" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "currency_rate" DECIMAL,
    "amount" DECIMAL,
    "debit_or_credit" TEXT,
    "type" TEXT,
    "status" TEXT,
    "transaction_date" DATE,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "bank_transactions_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "documents" (
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
    "document_type" TEXT,
    "document_type_id" TEXT,
    "document_uploaded" BOOLEAN,
    "file_name" TEXT,
    "file_size" TEXT,
    "file_type" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "documents_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "addresses" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "data_model" TEXT,
    "data_model_id" TEXT,
    "type" TEXT,
    "street" TEXT,
    "locality" TEXT,
    "city" TEXT,
    "state" TEXT,
    "pincode" TEXT,
    "country" TEXT,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "addresses_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "phone_numbers" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "number" TEXT,
    "type" TEXT,

    CONSTRAINT "phone_numbers_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "external_links" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "link" TEXT,
    "type" TEXT,

    CONSTRAINT "external_links_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_customers" (
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
    "tax_number" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_customers_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_invoices" (
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
    "posted_date" DATE,
    "due_date" DATE,
    "status" TEXT,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_discount" DECIMAL,
    "total_amount" DECIMAL,
    "amount_due" DECIMAL,

    CONSTRAINT "payment_invoices_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_orders" (
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
    "reference" TEXT,
    "amount" DECIMAL,
    "amount_due" DECIMAL,
    "status" TEXT,
    "currency_id" TEXT,
    "currency_code" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_orders_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payments" (
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
    "currency_id" TEXT,
    "currency_code" TEXT,
    "customer_id" TEXT,
    "description" TEXT,
    "invoice_id" TEXT,
    "order_id" TEXT,
    "payment_method" TEXT,
    "status" TEXT,
    "created_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_links" (
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
    "currency_id" TEXT,
    "currency_code" TEXT,
    "description" TEXT,
    "link" TEXT,
    "status" TEXT,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_links_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "payment_line_items" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "line_item_type" TEXT,
    "line_item_type_id" TEXT,
    "item_id" TEXT,
    "tax_id" TEXT,
    "description" TEXT,
    "quantity" DECIMAL,
    "unit_amount" DECIMAL,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_amount" DECIMAL,
    "total_discount" DECIMAL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_line_items_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "ecommerce_orders" (
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
    "currency_id" TEXT,
    "currency_code" TEXT,
    "reference" TEXT,
    "order_name" TEXT,
    "order_number" TEXT,
    "description" TEXT,
    "order_status" TEXT,
    "payment_status" TEXT,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_discount" DECIMAL,
    "total_amount" DECIMAL,
    "amount_due" DECIMAL,
    "created_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "ecommerce_orders_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "ecommerce_line_items" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "connection_id" BIGINT NOT NULL,
    "parent_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "platform_id" TEXT NOT NULL,
    "line_item_type" TEXT,
    "line_item_type_id" TEXT,
    "item_id" TEXT,
    "tax_id" TEXT,
    "description" TEXT,
    "quantity" DECIMAL,
    "unit_amount" DECIMAL,
    "sub_total" DECIMAL,
    "tax_amount" DECIMAL,
    "total_amount" DECIMAL,
    "total_discount" DECIMAL,

    CONSTRAINT "ecommerce_line_items_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateIndex
CREATE INDEX "tax_rates_svc_organisation_id_svc_id_idx" ON "tax_rates"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "tax_rates_svc_company_id_svc_created_at_svc_id_idx" ON "tax_rates"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "tax_rates_svc_company_id_svc_updated_at_svc_id_idx" ON "tax_rates"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "tax_rates_svc_organisation_id_svc_created_at_svc_id_idx" ON "tax_rates"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "tax_rates_svc_organisation_id_svc_updated_at_svc_id_idx" ON "tax_rates"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "tax_rates_svc_company_id_connection_id_platform_id_key" ON "tax_rates"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "tax_rate_components_svc_company_id_parent_svc_id_position_idx" ON "tax_rate_components"("svc_company_id", "parent_svc_id", "position");

-- CreateIndex
CREATE INDEX "tracking_categories_svc_organisation_id_svc_id_idx" ON "tracking_categories"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "tracking_categories_svc_company_id_svc_created_at_svc_id_idx" ON "tracking_categories"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "tracking_categories_svc_company_id_svc_updated_at_svc_id_idx" ON "tracking_categories"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "tracking_categories_svc_organisation_id_svc_created_at_svc__idx" ON "tracking_categories"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "tracking_categories_svc_organisation_id_svc_updated_at_svc__idx" ON "tracking_categories"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "tracking_categories_svc_company_id_parent_id_svc_id_idx" ON "tracking_categories"("svc_company_id", "parent_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "tracking_categories_svc_company_id_connection_id_platform_i_key" ON "tracking_categories"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "items_svc_organisation_id_svc_id_idx" ON "items"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "items_svc_company_id_svc_created_at_svc_id_idx" ON "items"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "items_svc_company_id_svc_updated_at_svc_id_idx" ON "items"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "items_svc_organisation_id_svc_created_at_svc_id_idx" ON "items"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "items_svc_organisation_id_svc_updated_at_svc_id_idx" ON "items"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "items_svc_company_id_connection_id_platform_id_key" ON "items"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "bills_svc_organisation_id_svc_id_idx" ON "bills"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "bills_svc_company_id_svc_created_at_svc_id_idx" ON "bills"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bills_svc_company_id_svc_updated_at_svc_id_idx" ON "bills"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bills_svc_organisation_id_svc_created_at_svc_id_idx" ON "bills"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bills_svc_organisation_id_svc_updated_at_svc_id_idx" ON "bills"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bills_svc_company_id_contact_id_svc_id_idx" ON "bills"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "bills_svc_company_id_connection_id_platform_id_key" ON "bills"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "bill_credit_notes_svc_organisation_id_svc_id_idx" ON "bill_credit_notes"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "bill_credit_notes_svc_company_id_svc_created_at_svc_id_idx" ON "bill_credit_notes"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_credit_notes_svc_company_id_svc_updated_at_svc_id_idx" ON "bill_credit_notes"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_credit_notes_svc_organisation_id_svc_created_at_svc_id_idx" ON "bill_credit_notes"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_credit_notes_svc_organisation_id_svc_updated_at_svc_id_idx" ON "bill_credit_notes"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_credit_notes_svc_company_id_contact_id_svc_id_idx" ON "bill_credit_notes"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "bill_credit_notes_svc_company_id_connection_id_platform_id_key" ON "bill_credit_notes"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_organisation_id_svc_id_idx" ON "bill_payments"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_company_id_svc_created_at_svc_id_idx" ON "bill_payments"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_company_id_svc_updated_at_svc_id_idx" ON "bill_payments"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_organisation_id_svc_created_at_svc_id_idx" ON "bill_payments"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_organisation_id_svc_updated_at_svc_id_idx" ON "bill_payments"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_company_id_bill_id_svc_id_idx" ON "bill_payments"("svc_company_id", "bill_id", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_company_id_credit_note_id_svc_id_idx" ON "bill_payments"("svc_company_id", "credit_note_id", "svc_id");

-- CreateIndex
CREATE INDEX "bill_payments_svc_company_id_contact_id_svc_id_idx" ON "bill_payments"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "bill_payments_svc_company_id_connection_id_platform_id_key" ON "bill_payments"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_organisation_id_svc_id_idx" ON "invoice_payments"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_company_id_svc_created_at_svc_id_idx" ON "invoice_payments"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_company_id_svc_updated_at_svc_id_idx" ON "invoice_payments"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_organisation_id_svc_created_at_svc_id_idx" ON "invoice_payments"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_organisation_id_svc_updated_at_svc_id_idx" ON "invoice_payments"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_company_id_invoice_id_svc_id_idx" ON "invoice_payments"("svc_company_id", "invoice_id", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_company_id_credit_note_id_svc_id_idx" ON "invoice_payments"("svc_company_id", "credit_note_id", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_company_id_contact_id_svc_id_idx" ON "invoice_payments"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_payments_svc_company_id_connection_id_platform_id_key" ON "invoice_payments"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "purchase_orders_svc_organisation_id_svc_id_idx" ON "purchase_orders"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "purchase_orders_svc_company_id_svc_created_at_svc_id_idx" ON "purchase_orders"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "purchase_orders_svc_company_id_svc_updated_at_svc_id_idx" ON "purchase_orders"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "purchase_orders_svc_organisation_id_svc_created_at_svc_id_idx" ON "purchase_orders"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "purchase_orders_svc_organisation_id_svc_updated_at_svc_id_idx" ON "purchase_orders"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "purchase_orders_svc_company_id_contact_id_svc_id_idx" ON "purchase_orders"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_orders_svc_company_id_connection_id_platform_id_key" ON "purchase_orders"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "sales_orders_svc_organisation_id_svc_id_idx" ON "sales_orders"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "sales_orders_svc_company_id_svc_created_at_svc_id_idx" ON "sales_orders"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "sales_orders_svc_company_id_svc_updated_at_svc_id_idx" ON "sales_orders"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "sales_orders_svc_organisation_id_svc_created_at_svc_id_idx" ON "sales_orders"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "sales_orders_svc_organisation_id_svc_updated_at_svc_id_idx" ON "sales_orders"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "sales_orders_svc_company_id_contact_id_svc_id_idx" ON "sales_orders"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_orders_svc_company_id_connection_id_platform_id_key" ON "sales_orders"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "journal_entries_svc_organisation_id_svc_id_idx" ON "journal_entries"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "journal_entries_svc_company_id_svc_created_at_svc_id_idx" ON "journal_entries"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "journal_entries_svc_company_id_svc_updated_at_svc_id_idx" ON "journal_entries"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "journal_entries_svc_organisation_id_svc_created_at_svc_id_idx" ON "journal_entries"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "journal_entries_svc_organisation_id_svc_updated_at_svc_id_idx" ON "journal_entries"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "journal_entries_svc_company_id_connection_id_platform_id_key" ON "journal_entries"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "journal_lines_svc_company_id_parent_svc_id_position_idx" ON "journal_lines"("svc_company_id", "parent_svc_id", "position");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_organisation_id_svc_id_idx" ON "bank_transactions"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_company_id_svc_created_at_svc_id_idx" ON "bank_transactions"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_company_id_svc_updated_at_svc_id_idx" ON "bank_transactions"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_organisation_id_svc_created_at_svc_id_idx" ON "bank_transactions"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_organisation_id_svc_updated_at_svc_id_idx" ON "bank_transactions"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_company_id_contact_id_svc_id_idx" ON "bank_transactions"("svc_company_id", "contact_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_transactions_svc_company_id_connection_id_platform_id_key" ON "bank_transactions"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "documents_svc_organisation_id_svc_id_idx" ON "documents"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "documents_svc_company_id_svc_created_at_svc_id_idx" ON "documents"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "documents_svc_company_id_svc_updated_at_svc_id_idx" ON "documents"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "documents_svc_organisation_id_svc_created_at_svc_id_idx" ON "documents"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "documents_svc_organisation_id_svc_updated_at_svc_id_idx" ON "documents"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "documents_svc_company_id_document_type_id_svc_id_idx" ON "documents"("svc_company_id", "document_type_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "documents_svc_company_id_connection_id_platform_id_key" ON "documents"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "addresses_svc_company_id_parent_svc_id_position_idx" ON "addresses"("svc_company_id", "parent_svc_id", "position");

-- CreateIndex
CREATE INDEX "phone_numbers_svc_company_id_parent_svc_id_position_idx" ON "phone_numbers"("svc_company_id", "parent_svc_id", "position");

-- CreateIndex
CREATE INDEX "external_links_svc_company_id_parent_svc_id_position_idx" ON "external_links"("svc_company_id", "parent_svc_id", "position");

-- CreateIndex
CREATE INDEX "payment_customers_svc_organisation_id_svc_id_idx" ON "payment_customers"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_customers_svc_company_id_svc_created_at_svc_id_idx" ON "payment_customers"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_customers_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_customers"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_customers_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_customers"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_customers_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_customers"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_customers_svc_company_id_connection_id_platform_id_key" ON "payment_customers"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_invoices_svc_organisation_id_svc_id_idx" ON "payment_invoices"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_invoices_svc_company_id_svc_created_at_svc_id_idx" ON "payment_invoices"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_invoices_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_invoices"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_invoices_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_invoices"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_invoices_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_invoices"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_invoices_svc_company_id_connection_id_platform_id_key" ON "payment_invoices"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_orders_svc_organisation_id_svc_id_idx" ON "payment_orders"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_orders_svc_company_id_svc_created_at_svc_id_idx" ON "payment_orders"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_orders_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_orders"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_orders_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_orders"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_orders_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_orders"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_orders_svc_company_id_connection_id_platform_id_key" ON "payment_orders"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payments_svc_organisation_id_svc_id_idx" ON "payments"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_company_id_svc_created_at_svc_id_idx" ON "payments"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_company_id_svc_updated_at_svc_id_idx" ON "payments"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_organisation_id_svc_created_at_svc_id_idx" ON "payments"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payments"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_company_id_customer_id_svc_id_idx" ON "payments"("svc_company_id", "customer_id", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_company_id_invoice_id_svc_id_idx" ON "payments"("svc_company_id", "invoice_id", "svc_id");

-- CreateIndex
CREATE INDEX "payments_svc_company_id_order_id_svc_id_idx" ON "payments"("svc_company_id", "order_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_svc_company_id_connection_id_platform_id_key" ON "payments"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_links_svc_organisation_id_svc_id_idx" ON "payment_links"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "payment_links_svc_company_id_svc_created_at_svc_id_idx" ON "payment_links"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_links_svc_company_id_svc_updated_at_svc_id_idx" ON "payment_links"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_links_svc_organisation_id_svc_created_at_svc_id_idx" ON "payment_links"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "payment_links_svc_organisation_id_svc_updated_at_svc_id_idx" ON "payment_links"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_links_svc_company_id_connection_id_platform_id_key" ON "payment_links"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "payment_line_items_svc_company_id_parent_svc_id_position_idx" ON "payment_line_items"("svc_company_id", "parent_svc_id", "position");

-- CreateIndex
CREATE INDEX "ecommerce_orders_svc_organisation_id_svc_id_idx" ON "ecommerce_orders"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_orders_svc_company_id_svc_created_at_svc_id_idx" ON "ecommerce_orders"("svc_company_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_orders_svc_company_id_svc_updated_at_svc_id_idx" ON "ecommerce_orders"("svc_company_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_orders_svc_organisation_id_svc_created_at_svc_id_idx" ON "ecommerce_orders"("svc_organisation_id", "svc_created_at", "svc_id");

-- CreateIndex
CREATE INDEX "ecommerce_orders_svc_organisation_id_svc_updated_at_svc_id_idx" ON "ecommerce_orders"("svc_organisation_id", "svc_updated_at", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "ecommerce_orders_svc_company_id_connection_id_platform_id_key" ON "ecommerce_orders"("svc_company_id", "connection_id", "platform_id");

-- CreateIndex
CREATE INDEX "ecommerce_line_items_svc_company_id_parent_svc_id_position_idx" ON "ecommerce_line_items"("svc_company_id", "parent_svc_id", "position");