-- Where end customers may be sent back to from the page of a link.
CREATE TABLE "return_origins" (
    "svc_organisation_id" BIGINT NOT NULL,
    "origin" TEXT NOT NULL,

    CONSTRAINT "return_origins_pkey" PRIMARY KEY ("svc_organisation_id","origin")
);

ALTER TABLE "return_origins" ADD CONSTRAINT "return_origins_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('return_origins');
