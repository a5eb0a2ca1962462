-- A company's deliveries are removed along with it: without this, each batch reads all of its organisation.
CREATE INDEX "webhook_deliveries_svc_organisation_id_company_id_idx" ON "webhook_deliveries"("svc_organisation_id", "company_id");
