-- Logins that read an organisation's records by SQL, through the views of the schema data (src/data). What a login may see
-- follows from its name, never from a setting, which it could change.
CREATE TABLE "data_users" (
    "role_name" TEXT NOT NULL,
    "svc_organisation_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "company_ids" BIGINT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_users_pkey" PRIMARY KEY ("role_name")
);

CREATE INDEX "data_users_svc_organisation_id_idx" ON "data_users"("svc_organisation_id");

ALTER TABLE "data_users" ADD CONSTRAINT "data_users_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('data_users');
