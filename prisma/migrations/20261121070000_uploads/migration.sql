-- CreateTable
CREATE TABLE "uploads" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "upload_id" TEXT NOT NULL,
    "connection_id" BIGINT NOT NULL,
    "integration_type" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "data_model" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "answer_by" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "resume_at" TIMESTAMPTZ(3),
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "upload_items" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "job_id" TEXT NOT NULL,
    "upload_svc_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "request" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "first_sent_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "platform_id" TEXT,
    "record_svc_id" BIGINT,
    "error_code" TEXT,
    "error_message" TEXT,
    "error_field" TEXT,
    "platform_error" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "upload_items_pkey" PRIMARY KEY ("svc_company_id","svc_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "svc_organisation_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "upload_svc_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("svc_organisation_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "uploads_upload_id_key" ON "uploads"("upload_id");

-- CreateIndex
CREATE INDEX "uploads_svc_organisation_id_svc_id_idx" ON "uploads"("svc_organisation_id", "svc_id");

-- CreateIndex
CREATE INDEX "uploads_svc_company_id_connection_id_svc_id_idx" ON "uploads"("svc_company_id", "connection_id", "svc_id");

-- CreateIndex
CREATE UNIQUE INDEX "upload_items_job_id_key" ON "upload_items"("job_id");

-- CreateIndex
CREATE INDEX "upload_items_svc_company_id_upload_svc_id_position_idx" ON "upload_items"("svc_company_id", "upload_svc_id", "position");

-- CreateIndex
CREATE INDEX "idempotency_keys_svc_company_id_upload_svc_id_idx" ON "idempotency_keys"("svc_company_id", "upload_svc_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_svc_company_id_connection_id_fkey" FOREIGN KEY ("svc_company_id", "connection_id") REFERENCES "connections"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "upload_items" ADD CONSTRAINT "upload_items_svc_company_id_upload_svc_id_fkey" FOREIGN KEY ("svc_company_id", "upload_svc_id") REFERENCES "uploads"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_svc_company_id_upload_svc_id_fkey" FOREIGN KEY ("svc_company_id", "upload_svc_id") REFERENCES "uploads"("svc_company_id", "svc_id") ON DELETE CASCADE ON UPDATE CASCADE;
