-- A sync looks up the parts of payments by the payment: without this, each page of one reads all of the company's.
CREATE INDEX "invoice_payments_svc_company_id_payment_id_svc_id_idx" ON "invoice_payments"("svc_company_id", "payment_id", "svc_id");
CREATE INDEX "bill_payments_svc_company_id_payment_id_svc_id_idx" ON "bill_payments"("svc_company_id", "payment_id", "svc_id");
