-- How often a worker died while it held the work, since it last went forward: after some it is given up.
ALTER TABLE "syncs" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "uploads" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;

-- Found by their worker when it dies, and counted by the metrics.
CREATE INDEX "syncs_worker_id_idx" ON "syncs" ("worker_id") WHERE "state" = 'RUNNING';
CREATE INDEX "uploads_worker_id_idx" ON "uploads" ("worker_id") WHERE "state" = 'RUNNING';
CREATE INDEX "syncs_given_up_idx" ON "syncs" ("svc_organisation_id", "svc_id") WHERE "state" = 'GIVEN_UP';
CREATE INDEX "uploads_given_up_idx" ON "uploads" ("svc_organisation_id", "svc_id") WHERE "state" = 'GIVEN_UP';
