-- A job is also asked for by its svc_id alone, without its company.
CREATE INDEX "sync_jobs_svc_organisation_id_svc_id_idx" ON "sync_jobs"("svc_organisation_id", "svc_id");
