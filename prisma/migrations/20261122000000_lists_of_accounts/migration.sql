-- CreateIndex
CREATE INDEX "bill_payments_svc_company_id_account_id_svc_id_idx" ON "bill_payments"("svc_company_id", "account_id", "svc_id");

-- CreateIndex
CREATE INDEX "invoice_payments_svc_company_id_account_id_svc_id_idx" ON "invoice_payments"("svc_company_id", "account_id", "svc_id");

-- CreateIndex
CREATE INDEX "bank_transactions_svc_company_id_account_id_svc_id_idx" ON "bank_transactions"("svc_company_id", "account_id", "svc_id");
