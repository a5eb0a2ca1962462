-- Texts of queries that callers ask for by their hash: not worth a flush to disk, as clients send them again.
CREATE UNLOGGED TABLE "persisted_queries" (
    "svc_organisation_id" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "kept_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "persisted_queries_pkey" PRIMARY KEY ("svc_organisation_id","hash")
);

ALTER TABLE "persisted_queries" ADD CONSTRAINT "persisted_queries_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('persisted_queries');
