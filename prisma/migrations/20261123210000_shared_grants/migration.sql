-- Connections of one consent have the same tokens: they are renewed together. Those that are there have their own.
ALTER TABLE "connection_credentials" ADD COLUMN     "grant_id" UUID NOT NULL DEFAULT gen_random_uuid();

-- CreateIndex
CREATE INDEX "connection_credentials_svc_company_id_grant_id_idx" ON "connection_credentials"("svc_company_id", "grant_id");
