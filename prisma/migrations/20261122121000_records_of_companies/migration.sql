-- Records belong to a company of their organisation, and came through one of its connections. What a deletion of a company
-- that broke off has left behind goes first.
DELETE FROM "accounts" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "bank_transactions" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "bill_credit_notes" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "bill_payments" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "bills" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "contacts" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "currencies" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "documents" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "expenses" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "invoice_credit_notes" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "invoice_payments" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "invoices" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "items" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "journal_entries" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "purchase_orders" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "sales_orders" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "tax_rates" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "tracking_categories" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "ecommerce_orders" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "ecommerce_transactions" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "payment_customers" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "payment_invoices" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "payment_orders" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "payment_links" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);
DELETE FROM "payments" t WHERE NOT EXISTS (
  SELECT FROM connections c WHERE c.svc_company_id = t.svc_company_id AND c.svc_id = t.connection_id);

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bank_transactions" ADD CONSTRAINT "bank_transactions_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bank_transactions" ADD CONSTRAINT "bank_transactions_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bill_credit_notes" ADD CONSTRAINT "bill_credit_notes_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bill_credit_notes" ADD CONSTRAINT "bill_credit_notes_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bill_payments" ADD CONSTRAINT "bill_payments_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bill_payments" ADD CONSTRAINT "bill_payments_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bills" ADD CONSTRAINT "bills_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "bills" ADD CONSTRAINT "bills_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "currencies" ADD CONSTRAINT "currencies_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "currencies" ADD CONSTRAINT "currencies_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "documents" ADD CONSTRAINT "documents_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "documents" ADD CONSTRAINT "documents_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "document_files" ADD CONSTRAINT "document_files_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "external_links" ADD CONSTRAINT "external_links_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invoice_credit_notes" ADD CONSTRAINT "invoice_credit_notes_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invoice_credit_notes" ADD CONSTRAINT "invoice_credit_notes_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invoice_payments" ADD CONSTRAINT "invoice_payments_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "items" ADD CONSTRAINT "items_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "items" ADD CONSTRAINT "items_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "journal_entries" ADD CONSTRAINT "journal_entries_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "journal_entries" ADD CONSTRAINT "journal_entries_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "journal_lines" ADD CONSTRAINT "journal_lines_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "line_items" ADD CONSTRAINT "line_items_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "purchase_orders" ADD CONSTRAINT "purchase_orders_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "purchase_orders" ADD CONSTRAINT "purchase_orders_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sales_orders" ADD CONSTRAINT "sales_orders_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sales_orders" ADD CONSTRAINT "sales_orders_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "tax_rates" ADD CONSTRAINT "tax_rates_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "tax_rates" ADD CONSTRAINT "tax_rates_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "tax_rate_components" ADD CONSTRAINT "tax_rate_components_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "tracking_categories" ADD CONSTRAINT "tracking_categories_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "tracking_categories" ADD CONSTRAINT "tracking_categories_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ecommerce_line_items" ADD CONSTRAINT "ecommerce_line_items_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ecommerce_orders" ADD CONSTRAINT "ecommerce_orders_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ecommerce_orders" ADD CONSTRAINT "ecommerce_orders_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ecommerce_transactions" ADD CONSTRAINT "ecommerce_transactions_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "ecommerce_transactions" ADD CONSTRAINT "ecommerce_transactions_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_invoices" ADD CONSTRAINT "payment_invoices_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_invoices" ADD CONSTRAINT "payment_invoices_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_line_items" ADD CONSTRAINT "payment_line_items_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_orders" ADD CONSTRAINT "payment_orders_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_orders" ADD CONSTRAINT "payment_orders_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payments" ADD CONSTRAINT "payments_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "payments" ADD CONSTRAINT "payments_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
