-- Companies of one partner id are looked up by each change of it: without this, each reads the companies of all organisations.
CREATE INDEX "companies_svc_organisation_id_partner_id_idx" ON "companies"("svc_organisation_id", "partner_id");
