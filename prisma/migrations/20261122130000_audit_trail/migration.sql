-- The audit trail: what was done with keys, secrets, links and companies. It belongs to the organisation and outlives
-- companies.
CREATE TABLE "audit_events" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_id" BIGSERIAL NOT NULL,
    "svc_company_id" BIGINT,
    "event_type" TEXT NOT NULL,
    "key_id" TEXT,
    "subject" TEXT NOT NULL,
    "day" DATE,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("svc_organisation_id","svc_id")
);

-- Of what is only noted for the first time on a day; without a day nothing is the same.
CREATE UNIQUE INDEX "audit_events_svc_organisation_id_event_type_key_id_subject__key" ON "audit_events"("svc_organisation_id", "event_type", "key_id", "subject", "day");

ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A key of some companies sees what is about those, and nothing that is about no company.
ALTER TABLE "audit_events" ENABLE ROW LEVEL SECURITY;
CREATE POLICY svc_scope ON "audit_events" USING (
  svc_organisation_id = (SELECT NULLIF(current_setting('svc.organisation', true), '')::bigint)
  AND ((SELECT NULLIF(current_setting('svc.companies', true), '')) IS NULL
    OR svc_company_id = ANY ((SELECT NULLIF(current_setting('svc.companies', true), '')::bigint[])::bigint[])));

-- The key of that hash, unless it was revoked or has expired. Notes that it was used, once a minute, and from where, once a
-- day for each address.
DROP FUNCTION svc_use_api_key(bytea);
CREATE FUNCTION svc_use_api_key(hash bytea, address text)
  RETURNS TABLE (id text, svc_organisation_id bigint, scopes text[], company_ids bigint[])
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 1
AS $$
DECLARE
  found public.api_keys;
BEGIN
  SELECT * INTO found FROM public.api_keys k
  WHERE k.key_hash = hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now());
  IF found.id IS NULL THEN
    RETURN;
  END IF;
  IF found.last_used_at IS NULL OR found.last_used_at < now() - interval '1 minute' THEN
    UPDATE public.api_keys k SET last_used_at = now() WHERE k.id = found.id;
  END IF;
  IF NOT EXISTS (
    SELECT FROM public.audit_events e WHERE e.svc_organisation_id = found.svc_organisation_id
      AND e.event_type = 'KEY_USED' AND e.key_id = found.id AND e.subject = address AND e.day = (now() AT TIME ZONE 'UTC')::date
  ) THEN
    INSERT INTO public.audit_events (svc_organisation_id, event_type, key_id, subject, day)
    VALUES (found.svc_organisation_id, 'KEY_USED', found.id, address, (now() AT TIME ZONE 'UTC')::date)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT found.id, found.svc_organisation_id, COALESCE(found.scopes, '{}'),
    COALESCE(found.company_ids, '{}');
END
$$;
REVOKE ALL ON FUNCTION svc_use_api_key(bytea, text) FROM PUBLIC;
