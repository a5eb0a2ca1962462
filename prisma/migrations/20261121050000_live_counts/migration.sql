-- Counts of what lives, of an organisation or of one company, are read from a small index alone. Prisma's language has no
-- partial indexes.
CREATE INDEX "accounts_live_idx" ON "accounts" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "currencies_live_idx" ON "currencies" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "contacts_live_idx" ON "contacts" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "invoices_live_idx" ON "invoices" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "invoice_credit_notes_live_idx" ON "invoice_credit_notes" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "ecommerce_transactions_live_idx" ON "ecommerce_transactions" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "tax_rates_live_idx" ON "tax_rates" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "tracking_categories_live_idx" ON "tracking_categories" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "items_live_idx" ON "items" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "bills_live_idx" ON "bills" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "bill_credit_notes_live_idx" ON "bill_credit_notes" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "bill_payments_live_idx" ON "bill_payments" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "expenses_live_idx" ON "expenses" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "invoice_payments_live_idx" ON "invoice_payments" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "purchase_orders_live_idx" ON "purchase_orders" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "sales_orders_live_idx" ON "sales_orders" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "journal_entries_live_idx" ON "journal_entries" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "bank_transactions_live_idx" ON "bank_transactions" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "documents_live_idx" ON "documents" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "payment_customers_live_idx" ON "payment_customers" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "payment_invoices_live_idx" ON "payment_invoices" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "payment_orders_live_idx" ON "payment_orders" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "payments_live_idx" ON "payments" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "payment_links_live_idx" ON "payment_links" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
CREATE INDEX "ecommerce_orders_live_idx" ON "ecommerce_orders" (svc_organisation_id, svc_company_id) WHERE svc_deleted_at IS NULL;
