-- Lets everybody but the owner see and change only rows of the organisation that is set, and of the companies that a key is
-- limited to. The settings travel with each statement; without them nothing is visible. The sub-selects are read once a
-- statement, not for each row, and call no function of ours, which would cost more than the rest of the planning of a small
-- statement. Nearly every row passes, as statements have the same predicate themselves, and `NULLIF(...) IS NOT NULL` looks
-- like that to the planner: of a plain comparison it would think that it leaves a few of those rows, and sort them instead
-- of walking an index. For every table of tenants, those of later migrations too.
CREATE FUNCTION svc_protect_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  organisation text := CASE WHEN name = 'organisations'::regclass THEN 'svc_id' ELSE 'svc_organisation_id' END;
  company text := CASE WHEN name = 'companies'::regclass THEN 'svc_id' ELSE (
    SELECT attname FROM pg_attribute
    WHERE attrelid = name AND attname = 'svc_company_id' AND attnotnull AND NOT attisdropped) END;
  rule text := format('%I = (SELECT NULLIF(current_setting(''svc.organisation'', true), '''')::bigint)', organisation);
BEGIN
  IF company IS NOT NULL THEN
    rule := rule || format(' AND COALESCE(%I = ANY ('
      '(SELECT NULLIF(current_setting(''svc.companies'', true), '''')::bigint[])::bigint[]), true)', company);
  END IF;
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY svc_scope ON %s USING (NULLIF(%s, false) IS NOT NULL)', name, rule);
END
$$;
REVOKE ALL ON FUNCTION svc_protect_table(regclass) FROM PUBLIC;

SELECT svc_protect_table('organisations');
SELECT svc_protect_table('accounts');
SELECT svc_protect_table('activities');
SELECT svc_protect_table('addresses');
SELECT svc_protect_table('api_keys');
SELECT svc_protect_table('authorizations');
SELECT svc_protect_table('bank_transactions');
SELECT svc_protect_table('bill_credit_notes');
SELECT svc_protect_table('bill_payments');
SELECT svc_protect_table('bills');
SELECT svc_protect_table('change_heads');
SELECT svc_protect_table('companies');
SELECT svc_protect_table('connection_credentials');
SELECT svc_protect_table('connections');
SELECT svc_protect_table('contacts');
SELECT svc_protect_table('currencies');
SELECT svc_protect_table('document_files');
SELECT svc_protect_table('documents');
SELECT svc_protect_table('ecommerce_line_items');
SELECT svc_protect_table('ecommerce_orders');
SELECT svc_protect_table('ecommerce_transactions');
SELECT svc_protect_table('expenses');
SELECT svc_protect_table('external_links');
SELECT svc_protect_table('idempotency_keys');
SELECT svc_protect_table('integrations');
SELECT svc_protect_table('invite_links');
SELECT svc_protect_table('invoice_credit_notes');
SELECT svc_protect_table('invoice_payments');
SELECT svc_protect_table('invoices');
SELECT svc_protect_table('items');
SELECT svc_protect_table('journal_entries');
SELECT svc_protect_table('journal_lines');
SELECT svc_protect_table('line_items');
SELECT svc_protect_table('payment_customers');
SELECT svc_protect_table('payment_invoices');
SELECT svc_protect_table('payment_line_items');
SELECT svc_protect_table('payment_links');
SELECT svc_protect_table('payment_orders');
SELECT svc_protect_table('payments');
SELECT svc_protect_table('phone_numbers');
SELECT svc_protect_table('platform_calls');
SELECT svc_protect_table('purchase_orders');
SELECT svc_protect_table('record_changes');
SELECT svc_protect_table('sales_orders');
SELECT svc_protect_table('sync_configs');
SELECT svc_protect_table('sync_jobs');
SELECT svc_protect_table('sync_marks');
SELECT svc_protect_table('sync_seen');
SELECT svc_protect_table('syncs');
SELECT svc_protect_table('tax_rate_components');
SELECT svc_protect_table('tax_rates');
SELECT svc_protect_table('tracking_categories');
SELECT svc_protect_table('unmapped_records');
SELECT svc_protect_table('upload_items');
SELECT svc_protect_table('uploads');
SELECT svc_protect_table('webhooks');
