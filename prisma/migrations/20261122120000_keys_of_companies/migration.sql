-- Unique indexes and foreign keys of a company's tables begin with the company, whose svc_id never changes: so they can be
-- kept where the company is. Public ids, which are random, are found by a plain index. The organisation of a row is that of
-- its company.
ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_svc_organisation_id_fkey";
ALTER TABLE "authorizations" DROP CONSTRAINT "authorizations_svc_company_id_invite_link_svc_id_fkey";
ALTER TABLE "change_heads" DROP CONSTRAINT "change_heads_svc_organisation_id_fkey";
ALTER TABLE "companies" DROP CONSTRAINT "companies_svc_organisation_id_fkey";
ALTER TABLE "connection_credentials" DROP CONSTRAINT "connection_credentials_svc_company_id_connection_id_fkey";
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_svc_company_id_upload_svc_id_fkey";
ALTER TABLE "integrations" DROP CONSTRAINT "integrations_svc_organisation_id_fkey";
ALTER TABLE "platform_calls" DROP CONSTRAINT "platform_calls_svc_company_id_connection_id_fkey";
ALTER TABLE "sync_jobs" DROP CONSTRAINT "sync_jobs_svc_company_id_sync_svc_id_fkey";
ALTER TABLE "sync_marks" DROP CONSTRAINT "sync_marks_svc_company_id_connection_id_fkey";
ALTER TABLE "sync_seen" DROP CONSTRAINT "sync_seen_svc_company_id_sync_job_svc_id_fkey";
ALTER TABLE "syncs" DROP CONSTRAINT "syncs_svc_company_id_connection_id_fkey";
ALTER TABLE "upload_items" DROP CONSTRAINT "upload_items_svc_company_id_upload_svc_id_fkey";
ALTER TABLE "uploads" DROP CONSTRAINT "uploads_svc_company_id_connection_id_fkey";
ALTER TABLE "webhooks" DROP CONSTRAINT "webhooks_svc_organisation_id_fkey";
ALTER TABLE "activities" DROP CONSTRAINT "activities_svc_company_id_fkey";
ALTER TABLE "connections" DROP CONSTRAINT "connections_svc_company_id_fkey";
ALTER TABLE "invite_links" DROP CONSTRAINT "invite_links_svc_company_id_fkey";
ALTER TABLE "sync_configs" DROP CONSTRAINT "sync_configs_svc_company_id_fkey";

ALTER TABLE "authorizations" DROP CONSTRAINT "authorizations_pkey",
ADD CONSTRAINT "authorizations_pkey" PRIMARY KEY ("svc_company_id", "state_hash");
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_pkey",
ADD CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("svc_company_id", "key");
ALTER TABLE "platform_calls" DROP CONSTRAINT "platform_calls_pkey",
ADD CONSTRAINT "platform_calls_pkey" PRIMARY KEY ("svc_company_id", "id");

CREATE INDEX "authorizations_state_hash_idx" ON "authorizations"("state_hash");
CREATE UNIQUE INDEX "companies_svc_organisation_id_svc_id_key" ON "companies"("svc_organisation_id", "svc_id");
CREATE INDEX "invite_links_invite_link_id_idx" ON "invite_links"("invite_link_id");
CREATE UNIQUE INDEX "invite_links_svc_company_id_invite_link_id_key" ON "invite_links"("svc_company_id", "invite_link_id");
CREATE INDEX "record_changes_svc_organisation_id_svc_company_id_svc_id_po_idx" ON "record_changes"("svc_organisation_id", "svc_company_id", "svc_id", "position");
CREATE INDEX "sync_jobs_job_id_idx" ON "sync_jobs"("job_id");
CREATE UNIQUE INDEX "sync_jobs_svc_company_id_job_id_key" ON "sync_jobs"("svc_company_id", "job_id");
CREATE INDEX "syncs_sync_id_idx" ON "syncs"("sync_id");
CREATE UNIQUE INDEX "syncs_svc_company_id_sync_id_key" ON "syncs"("svc_company_id", "sync_id");
CREATE INDEX "upload_items_job_id_idx" ON "upload_items"("job_id");
CREATE UNIQUE INDEX "upload_items_svc_company_id_job_id_key" ON "upload_items"("svc_company_id", "job_id");
CREATE INDEX "uploads_upload_id_idx" ON "uploads"("upload_id");
CREATE UNIQUE INDEX "uploads_svc_company_id_upload_id_key" ON "uploads"("svc_company_id", "upload_id");
DROP INDEX "companies_svc_organisation_id_svc_id_idx";
DROP INDEX "invite_links_invite_link_id_key";
DROP INDEX "record_changes_svc_company_id_svc_id_position_idx";
DROP INDEX "sync_jobs_job_id_key";
DROP INDEX "syncs_sync_id_key";
DROP INDEX "upload_items_job_id_key";
DROP INDEX "uploads_upload_id_key";

ALTER TABLE "activities" ADD CONSTRAINT "activities_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "change_heads" ADD CONSTRAINT "change_heads_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "companies" ADD CONSTRAINT "companies_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "connections" ADD CONSTRAINT "connections_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "connection_credentials" ADD CONSTRAINT "connection_credentials_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "connection_credentials" ADD CONSTRAINT "connection_credentials_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "platform_calls" ADD CONSTRAINT "platform_calls_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "platform_calls" ADD CONSTRAINT "platform_calls_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "invite_links" ADD CONSTRAINT "invite_links_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_svc_company_id_invite_link_svc_id_fkey" FOREIGN KEY ("svc_company_id", "invite_link_svc_id") REFERENCES "invite_links"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_configs" ADD CONSTRAINT "sync_configs_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_marks" ADD CONSTRAINT "sync_marks_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_marks" ADD CONSTRAINT "sync_marks_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "syncs" ADD CONSTRAINT "syncs_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "syncs" ADD CONSTRAINT "syncs_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_jobs" ADD CONSTRAINT "sync_jobs_svc_company_id_sync_svc_id_fkey" FOREIGN KEY ("svc_company_id", "sync_svc_id") REFERENCES "syncs"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_jobs" ADD CONSTRAINT "sync_jobs_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_seen" ADD CONSTRAINT "sync_seen_svc_company_id_sync_job_svc_id_fkey" FOREIGN KEY ("svc_company_id", "sync_job_svc_id") REFERENCES "sync_jobs"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "sync_seen" ADD CONSTRAINT "sync_seen_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "unmapped_records" ADD CONSTRAINT "unmapped_records_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "upload_items" ADD CONSTRAINT "upload_items_svc_company_id_upload_svc_id_fkey" FOREIGN KEY ("svc_company_id", "upload_svc_id") REFERENCES "uploads"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "upload_items" ADD CONSTRAINT "upload_items_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_svc_company_id_upload_svc_id_fkey" FOREIGN KEY ("svc_company_id", "upload_svc_id") REFERENCES "uploads"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
