-- CreateTable
CREATE TABLE "document_files" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "document_svc_id" BIGINT NOT NULL,
    "store_key" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "content_type" TEXT,
    "sha256" TEXT NOT NULL,
    "data_hash" TEXT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "document_files_pkey" PRIMARY KEY ("svc_company_id","document_svc_id")
);
