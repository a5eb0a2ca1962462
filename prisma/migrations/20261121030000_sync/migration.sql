-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "account_name" TEXT,
ADD COLUMN     "max_per_day" INTEGER,
ADD COLUMN     "paused_until" TIMESTAMPTZ(3),
ADD COLUMN     "sync_resume_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "invite_links" ADD COLUMN     "revoked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "connection_credentials" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "access_token" TEXT NOT NULL,
    "refresh_token" TEXT,
    "obtained_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "connection_credentials_pkey" PRIMARY KEY ("svc_company_id","connection_id")
);

-- CreateTable
CREATE TABLE "platform_calls" (
    "id" TEXT NOT NULL,
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "platform_calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "authorizations" (
    "state_hash" BYTEA NOT NULL,
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "invite_link_svc_id" BIGINT NOT NULL,
    "integration_type" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "code_verifier" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorizations_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "sync_configs" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "category" TEXT NOT NULL,
    "data_model" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "frequency" TEXT NOT NULL DEFAULT 'DAILY',
    "interval" INTEGER NOT NULL DEFAULT 1,
    "sync_from" TIMESTAMPTZ(3),
    "custom_fields" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "sync_configs_pkey" PRIMARY KEY ("svc_company_id","category","data_model")
);

-- CreateTable
CREATE TABLE "sync_marks" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "data_model" TEXT NOT NULL,
    "pulled_to" TIMESTAMPTZ(3),
    "swept_at" TIMESTAMPTZ(3),

    CONSTRAINT "sync_marks_pkey" PRIMARY KEY ("svc_company_id","connection_id","data_model")
);

-- CreateTable
CREATE TABLE "syncs" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "sync_id" TEXT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "integration_type" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "sync_type" TEXT NOT NULL,
    "full_sync" BOOLEAN NOT NULL,
    "sync_from" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "resume_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "syncs_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "sync_jobs" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "job_id" TEXT NOT NULL,
    "sync_svc_id" BIGINT NOT NULL,
    "data_model" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'PULL',
    "cursor" TEXT,
    "since" TIMESTAMPTZ(3),
    "pages" INTEGER NOT NULL DEFAULT 0,
    "records_read" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "deleted" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "problems" JSONB NOT NULL DEFAULT '[]',
    "retries" INTEGER NOT NULL DEFAULT 0,
    "response_bytes" BIGINT NOT NULL DEFAULT 0,
    "slept_ms" BIGINT NOT NULL DEFAULT 0,
    "error_code" TEXT,
    "error_message" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sync_jobs_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "sync_seen" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "sync_job_svc_id" BIGINT NOT NULL,
    "platform_id" TEXT NOT NULL,

    CONSTRAINT "sync_seen_pkey" PRIMARY KEY ("svc_company_id","sync_job_svc_id","platform_id")
);

-- CreateTable
CREATE TABLE "unmapped_records" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "data_model" TEXT NOT NULL,
    "data_hash" TEXT NOT NULL,
    "raw_data" JSONB NOT NULL,
    "message" TEXT NOT NULL,
    "sync_svc_id" BIGINT NOT NULL,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unmapped_records_pkey" PRIMARY KEY ("svc_company_id","connection_id","data_model","data_hash")
);

-- CreateIndex
CREATE INDEX "platform_calls_svc_company_id_connection_id_idx" ON "platform_calls"("svc_company_id", "connection_id");

-- CreateIndex
CREATE INDEX "authorizations_svc_company_id_invite_link_svc_id_idx" ON "authorizations"("svc_company_id", "invite_link_svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "syncs_sync_id_key" ON "syncs"("sync_id");

-- CreateIndex
CREATE INDEX "syncs_svc_organisation_id_svc_id_idx" ON "syncs"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "syncs_svc_company_id_connection_id_svc_id_idx" ON "syncs"("svc_company_id", "connection_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "sync_jobs_job_id_key" ON "sync_jobs"("job_id");

-- CreateIndex
CREATE INDEX "sync_jobs_svc_company_id_sync_svc_id_position_idx" ON "sync_jobs"("svc_company_id", "sync_svc_id", "position");

-- AddForeignKey
ALTER TABLE "connection_credentials" ADD CONSTRAINT "connection_credentials_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "platform_calls" ADD CONSTRAINT "platform_calls_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorizations" ADD CONSTRAINT "authorizations_svc_company_id_invite_link_svc_id_fkey" FOREIGN KEY ("svc_company_id", "invite_link_svc_id") REFERENCES "invite_links"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sync_configs" ADD CONSTRAINT "sync_configs_svc_company_id_fkey" FOREIGN KEY ("svc_company_id") REFERENCES "companies"("svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sync_marks" ADD CONSTRAINT "sync_marks_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "syncs" ADD CONSTRAINT "syncs_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sync_jobs" ADD CONSTRAINT "sync_jobs_svc_company_id_sync_svc_id_fkey" FOREIGN KEY ("svc_company_id", "sync_svc_id") REFERENCES "syncs"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sync_seen" ADD CONSTRAINT "sync_seen_svc_company_id_sync_job_svc_id_fkey" FOREIGN KEY ("svc_company_id", "sync_job_svc_id") REFERENCES "sync_jobs"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Jobs live in graphile-worker's own schema, which the role of requests may not touch. This is its one door: it adds a
-- job in the caller's transaction, so that a job exists exactly when what it is about does. A job of the same key is
-- replaced.
CREATE FUNCTION svc_add_job(task text, payload json, queue text, run_at timestamptz, job_key text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, queue_name := queue, run_at := run_at, job_key := job_key);
END
$$;
REVOKE ALL ON FUNCTION svc_add_job(text, json, text, timestamptz, text) FROM PUBLIC;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'svc_runtime') THEN
    GRANT EXECUTE ON FUNCTION svc_add_job(text, json, text, timestamptz, text) TO svc_runtime;
  END IF;
END
$$;
