-- CreateIndex
CREATE INDEX "accounts_svc_company_id_parent_account_id_svc_id_idx" ON "accounts"("svc_company_id", "parent_account_id", "svc_id");
